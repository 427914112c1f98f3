import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { NOTHING_LEFT } from '#machines/projections/writings.ts'
import { stillConcerning } from '../alerts/concerned.ts'
import {
  AT,
  alerted,
  cleared,
  exhausted,
  foundLate,
  loadOpened,
  MOVED,
  opened,
  SWITCHED_OFF,
} from '../alerts/testing/alerted.ts'
import { alertLetter } from './alert-letter.ts'

function letter(before: NewFact[], after: NewFact[] = [], channel: 'email' | 'sms' = 'email') {
  const { alert, log, directory } = alerted(channel, before, after)
  return alertLetter(alert, stillConcerning({ directory, log, publicUrl: 'https://portal.example' }, alert))
}

const HUMID = { type: 'HIGH_HUMIDITY_DETECTED', threshold: 80, value: 83.25, clearMargin: 2 } as const
const suspended: NewFact = {
  type: 'company.suspended',
  at: AT,
  companyId: 'indus',
  data: { companyId: 'indus' },
}

describe('one violation', () => {
  const written = letter([opened(2)])

  test('says what, where, how much, since when, and leads to it', () => {
    expect(written).toMatchObject({
      id: 'a-1',
      kind: 'alert',
      to: { name: 'ayesha Malik', address: 'ayesha@indus.example' },
      subject: 'High temperature: Reefer 2, 9.4 °C',
      goodUntil: AT + 2 * 60_000 + 24 * 3_600_000,
      isWithdrawn: false,
    })
    for (const line of [
      'Reefer 2 is at 9.4 °C, above the threshold of 8 °C.',
      'Device: Reefer 2',
      'Plate number: LES-2',
      'Group: lahore',
      'Since: 15-06-2026 08:55 (Asia/Karachi)',
      'Where: Lahore (31.52000, 74.35000)',
      'Now: still on',
    ])
      expect(written?.text).toContain(`${line}\n`)
    expect(written?.links[0]).toBe(
      'https://portal.example/notifications?date=2026-06-15T04:00:00.000Z..2026-06-15T04:00:00.000Z&thing=350000000000002&plate=LES-2',
    )
    expect(written?.html).toContain(
      '<td style="padding:.125rem 1rem .125rem 0;vertical-align:top">LES-2</td>',
    )
  })

  test('that ended before it was told says so; what ended after it was told changes no letter', () => {
    expect(letter([opened(2), cleared(2)])?.text).toContain('Now: ended after 6 min, at worst 11.2 °C\n')
    expect(letter([opened(2)], [cleared(2)])).toEqual(written)
  })

  test('that was found late says from when to when it was out, and since when that is known', () => {
    const late = letter([foundLate(2)])
    expect(late?.subject).toBe('High temperature, found late: Reefer 2, 9.4 °C')
    expect(late?.text).toContain('Reefer 2 was at 9.4 °C, above the threshold of 8 °C.\n')
    expect(late?.text).toContain(
      'Found late: out 09:00–09:35, known since 11:52 (7 readings, up to 2 h 52 min late).\n',
    )
    expect(late?.text).toContain('Now: ended after 35 min, at worst 11.2 °C\n')
    expect(letter([foundLate(2, { clearedAt: null })])?.text).toContain('Now: still on\n')
    expect(letter([opened(2, { receivedAt: AT + 20 * 60_000 })])?.subject).toContain('found late')
  })

  test('of a place that is not known', () => {
    expect(letter([opened(2, { lat: null, lng: null })])?.text).toContain('Where: not known\n')
  })
})

describe('an exhausted budget', () => {
  test('says which load, by which rule, since when, and leads to it', () => {
    const written = letter([loadOpened(2), exhausted(2)])
    expect(written).toMatchObject({ id: 'a-1', kind: 'alert', subject: 'Budget exhausted: Lot 2, Reefer 2' })
    for (const line of [
      'Lot 2 on Reefer 2. Exhausted: hold for review.',
      'Plate number: LES-2',
      'Group: lahore',
      'Profile: Medicines 2–8 °C',
      'Rule: Above 8 °C for at most 24 h in all: 24 h 10 used',
      'Since: 15-06-2026 09:00 (Asia/Karachi)',
    ])
      expect(written?.text).toContain(`${line}\n`)
    expect(written?.text).not.toContain('Known since')
    expect(written?.links[0]).toBe('https://portal.example/loads/l-2')
  })

  test('that late readings showed says since when it is known', () => {
    const receivedAt = AT + 20 * 60_000
    expect(letter([loadOpened(2), exhausted(2, { receivedAt })])?.text).toContain(
      'Known since: 15-06-2026 09:20 (Asia/Karachi)\n',
    )
  })

  test('of many is a line each, the rest is counted', () => {
    const more = Array.from({ length: 21 }, () => exhausted(2))
    const written = letter([loadOpened(1), loadOpened(2), exhausted(1), ...more])
    expect(written).toMatchObject({ kind: 'digest', subject: 'Budgets of 22 loads exhausted' })
    expect(written?.text).toContain(
      'Lot 1 (Reefer 1, LES-1, punjab)\n  since 15-06-2026 09:00. Above 8 °C for at most 24 h in all: 24 h 10 used',
    )
    expect(written?.text).toContain('and 2 more.')
    expect(written?.links[0]).toBe('https://portal.example/loads')
  })
})

describe('a digest', () => {
  const written = letter([
    opened(0, { value: 8.5 }),
    opened(1, HUMID),
    opened(2, { value: 15 }),
    cleared(2),
    opened(3, { value: 12 }),
  ])

  test('counts by type and tells the worst first, those that ended last', () => {
    expect(written).toMatchObject({ kind: 'digest', subject: '4 violations, 3 still on' })
    expect(written?.text).toContain('3 high temperature, 1 high humidity; 3 still on.')
    expect(written?.text).toContain(`- Reefer 3 (LES-3, sindh)
  High temperature: 12.0 °C, above 8 °C, since 15-06-2026 08:55; still on
- Reefer 1 (LES-1, punjab)
  High humidity: 83.25 %, above 80 %, since 15-06-2026 08:55; still on
- Reefer 0 (LES-0, indus)
  High temperature: 8.5 °C, above 8 °C, since 15-06-2026 08:55; still on
- Reefer 2 (LES-2, lahore)
  High temperature: 15.0 °C, above 8 °C, since 15-06-2026 08:55; ended after 6 min, at worst 11.2 °C
`)
    expect(written?.html).toContain('<strong>Reefer 3 (LES-3, sindh)</strong><br>High temperature: 12.0 °C')
    expect(written?.links[0]).toBe(
      'https://portal.example/notifications?date=2026-06-15T04:00:00.000Z..2026-06-15T04:02:00.000Z',
    )
  })

  test('has at most twenty lines and counts the rest', () => {
    const many = letter(Array.from({ length: 2_345 }, (_, i) => opened(i % 4, { violationId: `v-${i}` })))
    expect(many?.subject).toBe('2345 violations, all still on')
    expect(many?.text.match(/^- /gm)).toHaveLength(20)
    expect(many?.text).toContain('\nand 2325 more.\n')
  })
})

test('is withdrawn where the company is suspended, and written to nobody who is gone', () => {
  expect(letter([opened(2)], [suspended])?.isWithdrawn).toBe(true)
  const gone: NewFact = { type: 'user.deleted', at: AT, companyId: 'indus', data: { userId: 'u1' } }
  expect(letter([opened(2)], [gone])).toBeUndefined()
})

test('tells of what its addressee may still see and wants to hear of when it leaves, and is else given up with why', () => {
  for (const one of [[opened(3)], [loadOpened(3), exhausted(3)]]) {
    expect(letter(one)).not.toHaveProperty('unreachable')
    for (const since of [MOVED, SWITCHED_OFF])
      expect(letter(one, [since])).toMatchObject({ unreachable: NOTHING_LEFT })
  }
  const { log } = alerted('email', [opened(2), opened(3)])
  const [third] = log.readFacts(0, { types: ['violation.opened'], limit: 2 }).slice(1)
  expect(letter([opened(2), opened(3)], [MOVED])).toMatchObject({
    subject: 'High temperature: Reefer 2, 9.4 °C',
    leftOut: [third?.seq],
  })
  expect(letter([opened(3), opened(2, HUMID)], [SWITCHED_OFF])?.text).not.toContain('Reefer 3')
})

test('what is told by SMS becomes no letter', () => {
  expect(letter([opened(2)], [], 'sms')).toBeUndefined()
})

test('a name is shown as it is, and as nothing else', () => {
  const renamed: NewFact = {
    type: 'device.updated',
    at: AT,
    companyId: 'indus',
    data: { imei: '350000000000002', name: '<b>Truck\r\n\r\nPay here:</b>' },
  }
  const written = letter([opened(2)], [renamed])
  expect(written?.html).not.toContain('<b>')
  expect(written?.text).toContain('Device: <b>Truck Pay here:</b>\n')
  expect(written?.subject).not.toMatch(/[\r\n]/)
})

test('a digest of what was found late says so, line by line', () => {
  const written = letter([foundLate(1), foundLate(2, { clearedAt: null })])
  expect(written?.subject).toBe('2 violations found late, 1 still on')
  expect(written?.text).toContain('2 violations were found late since you were last notified')
  expect(written?.text).toMatch(
    /ended after 35 min, at worst 11.2 °C\. Found late: out 09:00–09:35, known since 11:52/,
  )
})
