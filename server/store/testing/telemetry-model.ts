import {
  createReadings,
  lateByOf,
  pushReading,
  type Reading,
  type ReadingColumns,
  readingAt,
  toStored,
} from '#machines/contracts/readings.ts'
import type { DaySummary } from '../store.ts'

const DAY = 86_400_000

export function columnsOf(readings: Reading[]): ReadingColumns {
  const columns = createReadings(readings.length)
  for (const reading of readings) pushReading(columns, reading)
  return columns
}

export function rowsOf(columns: ReadingColumns): Reading[] {
  return Array.from({ length: columns.length }, (_, i) => readingAt(columns, i))
}

/** What a telemetry store is held against: a list of readings, looked through from end to end for every question. */
export class TelemetryModel {
  private readings: Reading[] = []
  /** s from its time at which each was received */
  private distances = new Map<Reading, number>()

  append(readings: Reading[], receivedAt: number): void {
    for (const reading of readings) this.add(reading, Math.abs(lateByOf(reading.at, receivedAt)))
  }

  /** Adds readings that count before those there are of the same device and time. */
  put(readings: Reading[]): void {
    const [before, distances] = [this.readings, this.distances]
    this.readings = []
    this.distances = new Map()
    for (const reading of readings) this.add(reading, 0)
    for (const reading of before) this.add(reading, distances.get(reading) as number)
  }

  private add(reading: Reading, distance: number): void {
    const { device, at } = reading
    const known = this.readings.findIndex((other) => other.device === device && other.at === at)
    if (known >= 0 && distance >= (this.distances.get(this.readings[known] as Reading) as number)) return
    const stored = readingAt(columnsOf([reading]), 0)
    this.distances.set(stored, distance)
    this.readings.splice(known < 0 ? this.readings.length : known, known < 0 ? 0 : 1, stored)
  }

  has(device: number, at: number): boolean {
    return this.readings.some((reading) => reading.device === device && reading.at === at)
  }

  history(device: number, from: number, to: number): Reading[] {
    return this.readings
      .filter((reading) => reading.device === device && reading.at >= from && reading.at < to)
      .sort((a, b) => a.at - b.at)
  }

  daySummaries(devices: number[], fromDay: number, toDay: number): DaySummary[] {
    const summaries: DaySummary[] = []
    for (const device of devices)
      for (let day = fromDay; day < toDay; day++) {
        const rows = this.history(device, day * DAY, (day + 1) * DAY)
        if (rows.length === 0) continue
        const temperature = extremes('temperature', rows)
        const humidity = extremes('humidity', rows)
        summaries.push({
          device,
          day,
          count: rows.length,
          minTemperature: temperature.min,
          maxTemperature: temperature.max,
          meanTemperature: temperature.mean,
          minHumidity: humidity.min,
          maxHumidity: humidity.max,
          meanHumidity: humidity.mean,
        })
      }
    return summaries
  }
}

function extremes(field: 'temperature' | 'humidity', rows: Reading[]) {
  const values = rows.map((row) => row[field]).filter((value) => value !== undefined)
  if (values.length === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN }
  const sum = values.reduce((total, value) => total + toStored(field, value), 0)
  return { min: Math.min(...values), max: Math.max(...values), mean: sum / 100 / values.length }
}
