import { extractText } from 'unpdf'
import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { company, device, group, violationOpened } from '../../../testing/facts.ts'
import { makeFiles } from './make-files.ts'
import { sampleReport } from './testing/sample-report.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 20 November 2026, 00:00 in Karachi. */
const START = Date.parse('2026-11-19T19:00:00Z')
const IMEI = '350000000000000'
const limits = { lowTemperatureThreshold: 2, highTemperatureThreshold: 8 }
const base: NewFact[] = [
  company('indus', { name: 'Indus Cold Chain', violationDelaySeconds: 600 }),
  group('indus', 'indus', null, limits),
  device(0, IMEI, 'indus', 'indus', { name: 'Reefer 0', plateNumber: 'LES-0' }),
]
const opened = violationOpened(IMEI, START + 6 * HOUR + 10 * MINUTE, { since: START + 6 * HOUR }, 'indus')
const done: NewFact[] = [
  opened,
  {
    type: 'violation.acknowledged',
    at: START + 6 * HOUR + 20 * MINUTE,
    companyId: 'indus',
    data: {
      ...{ violationId: 'v1', notificationId: 'f4', imei: IMEI },
      ...{
        type: 'HIGH_TEMPERATURE_DETECTED',
        userName: 'Danish Malik',
        comment: 'back at 7',
        reason: 'Door open',
      },
    },
  },
]
/** A day, too warm from 06:00 to 07:30. */
const readings: Reading[] = Array.from({ length: 288 }, (_, i) => ({
  device: 0,
  at: START + i * 5 * MINUTE,
  temperature: i >= 72 && i < 90 ? 11.5 : 5,
  humidity: 55,
}))
const order = { kind: 'proof', title: 'Proof', from: START, to: START + 24 * HOUR } as const

async function made(facts: readonly NewFact[], measured = readings) {
  const { order: whole, source } = sampleReport(order, facts, measured)
  const files = await makeFiles(whole, source, () => {}, new AbortController().signal)
  const { text, totalPages } = await extractText(new Uint8Array(files[0]?.bytes ?? []))
  return { files, text: text.join('\n'), totalPages }
}

test('one file: the device, its span and zone, its limits, when it was out, and who said what about it', async () => {
  const { files, text, totalPages } = await made([...base, ...done])
  expect(files).toMatchObject([
    { fileName: 'Proof-LES-0-20261120-0000-to-20261121-0000.pdf', contentType: 'application/pdf' },
  ])
  for (const words of [
    'Reefer 0',
    'Indus Cold Chain',
    `LES-0 · IMEI ${IMEI}`,
    '20-11-2026 00:00 to 21-11-2026 00:00 Asia/Karachi',
    'Out of its limits: 1 h 30 min too warm',
    '2 to 8 °C',
    '20-11-2026 06:00',
    '11.5 °C',
    'Acknowledged',
    'Too warm since 20-11-2026 06:00',
    'Danish Malik',
    'Door open: back at 7',
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(words)
  expect(totalPages).toBe(1)
})

describe('a violation that was told before the span', () => {
  const before = violationOpened(
    IMEI,
    START - 20 * MINUTE,
    { violationId: 'v1', since: START - 30 * MINUTE },
    'indus',
  )
  const acknowledged = (hours: number): NewFact => ({
    ...{ type: 'violation.acknowledged', at: START + hours * HOUR, companyId: 'indus' },
    data: {
      ...{ violationId: 'v1', notificationId: 'f4', imei: IMEI, type: 'HIGH_TEMPERATURE_DETECTED' },
      ...{ userName: 'Danish Malik', comment: '', reason: 'Door open' },
    },
  })
  const cleared = (hours: number): NewFact => ({
    ...{ type: 'violation.cleared', at: START + hours * HOUR, companyId: 'indus' },
    data: {
      ...{ violationId: 'v1', imei: IMEI, type: 'HIGH_TEMPERATURE_DETECTED', value: 5, worst: 11.5 },
      ...{ durationSeconds: 12_600, reason: 'back-inside' },
    },
  })
  /** Too warm up to 03:00. */
  const since = readings.map((one, i) => ({ ...one, temperature: i < 36 ? 11.5 : 5 }))

  test.each([1, -0.1])(
    'and lasts into it is not said to begin with it, nor that nobody cared: %s h',
    async (hours) => {
      const { text } = await made([...base, before, acknowledged(hours), cleared(3)], since)
      expect(text.replaceAll(/\s+/g, ' ')).toContain('before 20-11-2026 00:00')
      expect(text).toContain('Too warm since 19-11-2026 23:30')
      expect(text).toContain('Danish Malik')
      expect(text).not.toContain('Nobody acknowledged')
    },
  )

  test('and was over by then is none of it', async () => {
    const { text } = await made([...base, before, cleared(-0.2), acknowledged(1)], since)
    expect(text).toContain('Nobody acknowledged')
    expect(text).not.toContain('before')
  })
})

test.each([
  ['plate number', { plateNumber: 'L'.repeat(200) }],
  ['name', { plateNumber: '', name: 'L'.repeat(200) }],
])('a file is named after the beginning of a long %s', async (_, name) => {
  const [whole, grouped] = base as [NewFact, NewFact]
  const { files } = await made([whole, grouped, device(0, IMEI, 'indus', 'indus', name)])
  expect(files).toMatchObject([{ fileName: `Proof-${'L'.repeat(60)}-20261120-0000-to-20261121-0000.pdf` }])
})

test('the same order and record make the same bytes', async () => {
  const [first, second] = [await made([...base, ...done]), await made([...base, ...done])]
  expect(first.files[0]?.bytes).toEqual(second.files[0]?.bytes)
})

test('a device that was never out says so, and one that said nothing too', async () => {
  const calm = await made(
    base,
    readings.map((one) => ({ ...one, temperature: 5 })),
  )
  expect(calm.text).toContain('Within its limits the whole time')
  expect(calm.text).toContain('Nobody acknowledged, took or commented anything.')
  expect((await made(base, [])).text).toContain('No temperature was measured in this time')
})

/** At one temperature, °C, every `minutes`. */
const steady = (minutes: number, temperature: number): Reading[] =>
  Array.from({ length: (24 * 60) / minutes }, (_, i) => ({
    ...{ device: 0, at: START + i * minutes * MINUTE, temperature },
  }))

test('of readings too far apart for a time it says how many were beyond the limits, and of a single one too', async () => {
  const { text } = await made(base, steady(60, 25))
  expect(text).toContain('Beyond its limits in 24 readings; too few to say how long')
  expect(text).toContain('None can be found: its readings are too far apart.')
  expect(text).not.toMatch(/whole time|Never out/)
  const one = await made(base, [
    ...steady(5, 5).slice(0, 100),
    { device: 0, at: START + 20 * HOUR, temperature: 1 },
  ])
  expect(one.text).toContain('Beyond its limits in 1 reading; too few to say how long')
})

test('of a few readings near each other among many too far apart it says for how long, and of how many it cannot', async () => {
  const patient = [company('indus', { violationDelaySeconds: 900 }), ...base.slice(1)]
  const { text } = await made(patient, [...steady(5, 25).slice(0, 3), ...steady(60, 25).slice(1)])
  expect(text).toContain(
    'Out of its limits: 10 min too warm, and in 23 readings too far apart to say how long',
  )
  expect(text).toContain('None can be found: its readings are too far apart.')
  expect(text).toContain('at least 10 min')
  expect(text).not.toMatch(/Never out/)
})

test('says nothing of the time in which nobody measured', async () => {
  const few = await made(base, steady(5, 5).slice(0, 2))
  expect(few.text).toContain('Within its limits whenever it was measured')
  expect(few.text).toContain(
    'Never out of limits for longer than its group allows, whenever it was measured.',
  )
  expect(few.text).not.toContain('the whole time')
  const none = await made(base, [])
  expect(none.text.match(/No temperature was measured in this time/g)).toHaveLength(2)
  expect(none.text).not.toContain('Never out')
})

describe('the limits', () => {
  const since = (at: number, highTemperatureThreshold: number): NewFact => ({
    ...{ type: 'group.updated', at, companyId: 'indus' },
    data: { groupId: 'indus', highTemperatureThreshold },
  })

  test('are those of the span, whatever was set after it', async () => {
    const { text } = await made([...base, since(START + 24 * HOUR, 20)])
    expect(text).toContain('2 to 8 °C')
    expect(text).not.toContain('2 to 20 °C')
  })

  test('are the last of the span where they changed within it', async () => {
    const { text } = await made([...base, since(START + 23 * HOUR, 20)])
    expect(text).toMatch(/Limits at the end\s+2 to 20 °C/)
  })

  test('are not said to have been kept before they were set', async () => {
    const none = { lowTemperatureThreshold: 0, highTemperatureThreshold: 0 }
    const late: NewFact = {
      ...{ type: 'group.updated', at: START + 23 * HOUR, companyId: 'indus' },
      data: { groupId: 'indus', ...limits },
    }
    const warm = readings.map((one, i) => ({ ...one, temperature: i < 264 ? 20 : 5 }))
    const [whole, , its] = base as [NewFact, NewFact, NewFact]
    const { text } = await made([whole, group('indus', 'indus', null, none), its, late], warm)
    expect(text).toContain('Within its limits whenever it was measured; for 23 h 0 min none were set')
    expect(text).toContain('Never out of limits for longer than its group allows, while any were set.')
    expect(text).toMatch(/Limits at the end\s+2 to 8 °C/)
    expect(text).not.toContain('the whole time')
  })

  test('need not be there when it ends for what was out before', async () => {
    const none = { lowTemperatureThreshold: 0, highTemperatureThreshold: 0 }
    const off: NewFact = {
      ...{ type: 'group.updated', at: START + 12 * HOUR, companyId: 'indus' },
      data: { groupId: 'indus', ...none },
    }
    const { text } = await made([...base, off])
    expect(text).toContain('Out of its limits: 1 h 30 min too warm; for 12 h 0 min none were set')
    expect(text).toMatch(/Limits at the end\s+not set/)
    expect((await made([...base, { ...off, at: START }])).text).toContain('No limits were set')
  })

  test('of humidity alone are kept where nothing was out of them', async () => {
    const none = { lowTemperatureThreshold: 0, highTemperatureThreshold: 0 }
    const damp = { lowHumidityThreshold: 10, highHumidityThreshold: 90 }
    const ofHumidity: NewFact = {
      ...{ type: 'group.updated', at: START - HOUR, companyId: 'indus' },
      data: { groupId: 'indus', ...none, ...damp },
    }
    const { text } = await made([...base, ofHumidity])
    expect(text).toContain('No limits were set')
    expect(text).toContain('Never out of limits for longer than its group allows')
    const neither = { ...ofHumidity.data, lowHumidityThreshold: 0, highHumidityThreshold: 0 }
    const without = await made([...base, { ...ofHumidity, data: neither } as NewFact])
    expect(without.text).toContain('None: no limits were set.')
  })
})

test('what somebody wrote is in it to the last word', async () => {
  const comment = `The door of the store stood open while the second truck was unloaded, and the probe hangs right above it; goods were measured at 4.1 °C at 07:20 ${'W'.repeat(60)}`
  const [first, acknowledged] = done as [NewFact, NewFact & { type: 'violation.acknowledged' }]
  const whole = { ...acknowledged, data: { ...acknowledged.data, comment } }
  const { text } = await made([...base, first, whole])
  expect(text.replaceAll(/\s/g, '')).toContain(`Dooropen:${comment}`.replaceAll(/\s/g, ''))
  expect(text).not.toContain('…')
})

test('what does not fit goes on, on the next page', async () => {
  const restless = readings.map((one, i) => ({ ...one, temperature: i % 6 < 3 ? 11 : 5 }))
  const { text, totalPages } = await made(base, restless)
  expect(totalPages).toBeGreaterThan(1)
  expect(text.match(/Too warm/g)?.length).toBeGreaterThan(40)
})
