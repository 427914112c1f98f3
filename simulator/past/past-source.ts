import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { type DayReadings, type DeviceDay, READINGS } from '../../server/ports.ts'

const { DAY } = READINGS

/**
 * Readings of before the log began: a pure function of device and time, the same for the store's whole life, so any part of
 * it can be computed alone.
 */
export type PastSource = {
  /** the span [from, to) it has readings of, epoch ms; undefined for a device it does not know */
  span(device: number): { from: number; to: number } | undefined
  readings(device: number, from: number, to: number): ReadingColumns
}

/** Days the source has of these devices that touch [from, to); of one device day by day, ascending. */
export function daysOf(source: PastSource, devices: Iterable<number>, from: number, to: number): DeviceDay[] {
  const days: DeviceDay[] = []
  for (const device of devices) {
    const span = source.span(device)
    if (span === undefined || span.to <= span.from) continue
    const first = Math.floor(Math.max(from, span.from) / DAY)
    const end = Math.ceil(Math.min(to, span.to) / DAY)
    for (let day = first; day < end; day++) days.push([device, day])
  }
  return days
}

/** Whether the source may have a reading of this device at this time. */
export function covers(source: PastSource, device: number, at: number): boolean {
  const span = source.span(device)
  return span !== undefined && at >= span.from && at < span.to
}

const EVER = { from: 0, to: Number.POSITIVE_INFINITY }

/** All readings the source has of a device and day, or of a part of it. */
export function readDay(source: PastSource, [device, day]: DeviceDay, part = EVER): DayReadings {
  const span = source.span(device) ?? { from: 0, to: 0 }
  const from = Math.max(day * DAY, span.from, part.from)
  const to = Math.min((day + 1) * DAY, span.to, part.to)
  return { device, day, readings: source.readings(device, from, to) }
}
