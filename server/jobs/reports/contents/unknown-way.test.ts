import { expect, test } from 'vitest'
import type { Reading } from '#machines/contracts/readings.ts'
import { topSpeedOf } from '#machines/rules/speeding.ts'
import { company, device, group } from '../../../testing/facts.ts'
import { distanceTables } from './distance.ts'
import { startMaking } from './making.ts'
import { sampleReport } from './testing/sample-report.ts'
import { tripTables } from './trip.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 20 November 2026, 00:00 in Karachi. */
const START = Date.parse('2026-11-19T19:00:00Z')
const facts = [
  company('indus'),
  group('indus', 'indus', null),
  device(0, '350000000000000', 'indus', 'indus'),
]

/** The only row of each sheet of both reports, by heading. */
async function onlyRows(readings: readonly Reading[], minDistance: number | null = null) {
  const about = { from: START, to: START + 24 * HOUR, minDistance }
  const { order, source } = sampleReport(about, facts, readings)
  const making = await startMaking(order, source, () => {}, new AbortController().signal)
  const tables = [...(await distanceTables(making)), ...(await tripTables(making))]
  const columns = await source.readings(0, order.from, order.to)
  return {
    rows: tables.map(({ columns, rows }) => {
      const [row, ...others] = [...(rows as Iterable<readonly unknown[]>)]
      expect(others).toEqual([])
      return Object.fromEntries(columns.map(({ heading }, i) => [heading, row?.[i] ?? Number.NaN]))
    }),
    top: topSpeedOf(columns).top,
  }
}

/** Three hours at 80 km/h along a meridian from 06:00 on, where it is told up to a minute of them. */
const drive = (placedUpTo: number): Reading[] =>
  Array.from({ length: 181 }, (_, i) => ({
    ...{ device: 0, at: START + 6 * HOUR + i * MINUTE, speed: 80, ignition: 1 },
    ...(i <= placedUpTo && { lat: 30 + (i * 80) / 60 / 111.195, lng: 71 }),
  }))

test('a way that nobody measured is empty and not 0, also where a least distance is asked for', async () => {
  for (const least of [null, 50])
    for (const row of (await onlyRows(drive(-1), least)).rows) {
      expect(row).toMatchObject({ 'Distance (km)': Number.NaN, 'Driving (h:mm:ss)': 3 * HOUR })
      expect(row['Average speed (km/h)'] ?? Number.NaN).toBeNaN()
    }
})

test('the average speed is over the time of which the way is known', async () => {
  const { rows } = await onlyRows(drive(90))
  for (const row of rows) {
    expect(row['Distance (km)']).toBeCloseTo(120, 0)
    expect(row['Average speed (km/h)'] ?? 80).toBeCloseTo(80, 1)
  }
  expect(rows.filter((row) => 'Average speed (km/h)' in row)).toHaveLength(3)
})

test('the top speed is that of the over-speeding report, also where it is the first that is heard', async () => {
  const readings = [130, 40, 35].map((speed, i) => ({ device: 0, at: START + (40 + i) * MINUTE, speed }))
  const { rows, top } = await onlyRows(readings)
  expect(top).toBe(130)
  expect(rows.flatMap((row) => row['Top speed (km/h)'] ?? [])).toEqual([130, 130, 130])
})
