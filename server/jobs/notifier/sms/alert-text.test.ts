import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { NOTHING_LEFT } from '#machines/projections/writings.ts'
import { reachablePhone } from '#machines/rules/phone-number.ts'
import { anyText } from '#machines/testing/any-text.ts'
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
import { alertText } from './alert-text.ts'
import { inGsm7 } from './gsm7.ts'

function text(before: NewFact[], after: NewFact[] = [], publicUrl = 'https://portal.example') {
  const { alert, log, directory } = alerted('sms', before, after)
  return alertText(alert, stillConcerning({ directory, log, publicUrl }, alert))
}

const changed = (phone: string): NewFact => ({
  type: 'user.updated',
  at: AT,
  companyId: 'indus',
  data: { userId: 'u1', phone },
})
const renamed = (name: string): NewFact => ({
  type: 'device.updated',
  at: AT,
  companyId: 'indus',
  data: { imei: '350000000000002', name },
})

test('one violation is one message', () => {
  expect(text([opened(2)])).toEqual({
    id: 'a-1',
    kind: 'alert',
    to: '+923001234567',
    text: 'Frostline: Reefer 2: high temperature 9.4 C, above 8 C, since 15-06-2026 08:55. lahore. https://portal.example/notifications',
    goodUntil: AT + 2 * 60_000 + 3_600_000,
    isWithdrawn: false,
  })
})

test('what was found late says so first', () => {
  expect(text([foundLate(2)])?.text).toMatch(
    /^Frostline: found late: Reefer 2: high temperature 9\.4 C, .* \(over\)/,
  )
  expect(text([foundLate(1), foundLate(2)])?.text).toMatch(/^Frostline: 2 violations found late \(/)
})

test('many are counted, with the worst of them', () => {
  const before = [
    opened(0, { value: 8.5 }),
    opened(1),
    opened(2, { value: 15 }),
    cleared(2),
    opened(3, { value: 12 }),
  ]
  expect(text(before)?.text).toBe(
    'Frostline: 4 violations (4 high temperature), 3 still on. Worst: Reefer 3 12.0 C, Reefer 1 9.4 C, Reefer 0 8.5 C https://portal.example/notifications',
  )
})

test('an exhausted budget is one message, many are counted', () => {
  expect(text([loadOpened(2), exhausted(2)])).toMatchObject({
    kind: 'alert',
    text: 'Frostline: Lot 2 on Reefer 2: budget exhausted since 15-06-2026 09:00, hold for review. lahore. https://portal.example/notifications',
  })
  expect(text([loadOpened(1), loadOpened(2), exhausted(1), exhausted(2)])).toMatchObject({
    kind: 'digest',
    text: 'Frostline: budgets of 2 loads exhausted, hold them for review. Lot 1 on Reefer 1. Lot 2 on Reefer 2. https://portal.example/notifications',
  })
})

describe('whatever things are called', () => {
  const name = anyText({ minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== '')
  const address = fc.nat({ max: 300 }).map((length) => `https://${'p'.repeat(length)}.example`)

  test('one is at most 160 characters, many 306, all of the GSM alphabet', () => {
    fc.assert(
      fc.property(name, address, fc.boolean(), (called, publicUrl, isOne) => {
        const before = isOne ? [opened(2)] : [opened(2), opened(3), opened(1)]
        const { text: sent = '' } = text(before, [renamed(called)], publicUrl) ?? {}
        expect(sent.length).toBeLessThanOrEqual(isOne ? 160 : 306)
        expect(sent).toBe(inGsm7(sent))
        expect(sent).toContain(isOne ? 'above 8 C, since 15-06-2026 08:55.' : '3 violations')
      }),
    )
  })

  test('accents are left out, what has no like is a question mark', () => {
    expect(inGsm7('Łódź [3]\n“café” 9.4 °C €5 لاہور')).toBe('?odz (3) "café" 9.4 C EUR5 ?????')
  })
})

test.each([
  ['+92 300 555-0129', '+923005550129'],
  ['03005550129', '+923005550129'],
  ['0092 300 5550129', '+923005550129'],
  ['+44 (20) 7946.0018', '+442079460018'],
])('%s is reached as %s', (written, number) => {
  expect(reachablePhone(written)).toBe(number)
  expect(text([opened(2)], [changed(written)])).toMatchObject({ to: number })
})

test.each(['', '0300', '12345', '+0300 5550129', 'none', '+92300555012999999'])(
  '"%s" cannot be reached',
  (phone) => {
    expect(reachablePhone(phone)).toBeUndefined()
    expect(text([opened(2)], [changed(phone)])).toMatchObject({
      to: phone,
      unreachable: 'there is no phone number that can be reached',
    })
  },
)

test('tells of what its addressee may still see and wants to hear of when it leaves, and is else given up with why', () => {
  for (const one of [[opened(3)], [loadOpened(3), exhausted(3)]]) {
    expect(text(one)).not.toHaveProperty('unreachable')
    for (const since of [MOVED, SWITCHED_OFF])
      expect(text(one, [since])).toMatchObject({ unreachable: NOTHING_LEFT })
  }
  expect(text([opened(2), opened(3)], [MOVED])?.text).toContain('Reefer 2')
  expect(text([opened(2), opened(3)], [MOVED])?.text).not.toContain('Reefer 3')
})

test('is withdrawn where the company is suspended, and written to nobody who is gone', () => {
  const suspended: NewFact = {
    type: 'company.suspended',
    at: AT,
    companyId: 'indus',
    data: { companyId: 'indus' },
  }
  expect(text([opened(2)], [suspended])?.isWithdrawn).toBe(true)
  const gone: NewFact = { type: 'user.deleted', at: AT, companyId: 'indus', data: { userId: 'u1' } }
  expect(text([opened(2)], [gone])).toBeUndefined()
})
