import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { company, device, group } from '../../../testing/facts.ts'
import { makeFiles } from './make-files.ts'
import { sampleReport } from './testing/sample-report.ts'

const HOUR = 3_600_000
/** 20 November 2026, 00:00 in Karachi. */
const START = Date.parse('2026-11-19T19:00:00Z')
const order = { kind: 'temperature', title: 'Temperature', from: START, to: START + 24 * HOUR } as const
const base: NewFact[] = [
  company('indus'),
  group('indus', 'indus', null),
  ...[0, 1, 2].map((no) =>
    device(no, `35000000000000${no}`, 'indus', 'indus', { name: `Reefer ${no}`, plateNumber: `LES-${no}` }),
  ),
]
/** A day of one device at one temperature, °C, a reading an hour: each farther from the next than a gap. */
const hourly = (no: number, temperature: number): Reading[] =>
  Array.from({ length: 24 }, (_, i) => ({ device: no, at: START + i * HOUR, temperature }))

async function pagesOf(facts: readonly NewFact[], readings: readonly Reading[]) {
  const { order: whole, source } = sampleReport(order, facts, readings)
  const [, pdf] = await makeFiles(whole, source, () => {}, new AbortController().signal)
  return (await extractText(new Uint8Array(pdf?.bytes ?? []))).text
}

test('names first the devices that were out of range, those of readings too far apart for a time too', async () => {
  const [front, next] = await pagesOf(base, [...hourly(0, 5), ...hourly(1, 25), ...hourly(2, 1).slice(0, 3)])
  expect(front).toContain('Longest out of range')
  expect(front).toMatch(/LES-1\s+Reefer 1[\s\S]*24 readings[\s\S]*LES-2\s+Reefer 2[\s\S]*3 readings/)
  expect(front).not.toContain('LES-0')
  expect(next).toMatch(/LES-0[\s\S]*0 min[\s\S]*LES-1[\s\S]*24 readings/)
})

test('of one whose readings are too far apart but for a few, it says no time as if it were all', async () => {
  const near = [5, 10].map((minutes) => ({ device: 0, at: START + minutes * 60_000, temperature: 25 }))
  const [first, ...rest] = hourly(0, 25) as [Reading, ...Reading[]]
  const patient = [company('indus', { violationDelaySeconds: 900 }), ...base.slice(1)]
  const [front, next] = await pagesOf(patient, [first, ...near, ...rest])
  expect(front).toContain('at least 10 min')
  expect(next).toMatch(/at least 10 min[\s\S]*No excursion can be found: its readings are too far apart\./)
})

test('where none was out of range it says of how many nothing was measured', async () => {
  const [front] = await pagesOf(base, hourly(0, 5))
  expect(front).toContain('No device was out of range; of 2 devices nothing was measured')
  const [all] = await pagesOf(
    base,
    [0, 1, 2].flatMap((no) => hourly(no, 5)),
  )
  expect(all).toMatch(/No device was out of range(?!;)/)
})

test('the limits of a device are those of the span, whatever was set after it', async () => {
  const set: NewFact = {
    ...{ type: 'group.updated', at: START + 24 * HOUR, companyId: 'indus' },
    data: { groupId: 'indus', highTemperatureThreshold: 20 },
  }
  const [, next] = await pagesOf([...base, set], hourly(0, 5))
  expect(next).toContain('2 to 8 °C')
  expect(next).not.toContain('2 to 20 °C')
})

test('limits that were not there from the beginning are said to be those of the end', async () => {
  const set: NewFact = {
    ...{ type: 'group.updated', at: START + 12 * HOUR, companyId: 'indus' },
    data: { groupId: 'indus', highTemperatureThreshold: 20 },
  }
  const [indus, , ...devices] = base as [NewFact, NewFact, ...NewFact[]]
  const none = group('indus', 'indus', null, { lowTemperatureThreshold: 2, highTemperatureThreshold: 2 })
  const [, next] = await pagesOf([indus, none, ...devices, set], hourly(0, 15))
  expect(next).toMatch(/Limits at the end\s+2 to 20 °C/)
})
