import type { NewFact } from '#machines/contracts/facts.ts'
import {
  createReadings,
  pushReading,
  type Reading,
  type ReadingColumns,
} from '#machines/contracts/readings.ts'
import { company, device, group } from '../../testing/facts.ts'

export const START = Date.UTC(2026, 0, 15, 8)
export const imeiOf = (no: number): string => String(350_000_000_000_000 + no)

export function columnsOf(rows: Reading[]): ReadingColumns {
  const columns = createReadings(Math.max(1, rows.length))
  for (const row of rows) pushReading(columns, row)
  return columns
}

/**
 * One company with one group and so many devices: 2 to 8 °C and 30 to 80 % with two minutes of delay, back by 0.5 °C or
 * 2 %, ten minutes of patience.
 */
export function smallFleet(devices: number): NewFact[] {
  const facts = [
    company('c', { name: 'Indus', patienceSeconds: 600, violationDelaySeconds: 120, hmin: 0 }),
    group('g', 'c', null, { name: 'Top', lowHumidityThreshold: 30 }),
    ...Array.from({ length: devices }, (_, no) =>
      device(no, imeiOf(no), 'c', 'g', { name: `Truck ${no}`, type: 'vehicle' }),
    ),
  ]
  return facts.map((fact) => ({ ...fact, at: START }))
}
