import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from './chunks/chunk.ts'
import { inOrder } from './hot-tail.ts'
import type { BackfillOptions, HistorySource } from './store.ts'

/** ms the background leaves to others after each slice */
const REST = 6
/** Devices the backfill takes together day by day, so that the summaries they share are written once. */
const TOGETHER = 64

/** A device and a day. */
export type DeviceDay = [device: number, day: number]

/** Which days the history source can tell of a device, and what it tells. */
export type PastDays = ReturnType<typeof createPastDays>

export function createPastDays(
  source: HistorySource | undefined,
  { clock, retentionDays }: { clock: Clock; retentionDays: number },
) {
  /** days [first, end) of a device that the source tells, within those asked for and not out of retention */
  function daysOf(device: number, from: number, to: number): { first: number; end: number } {
    const span = source?.span(device)
    if (span === undefined || span.to <= span.from) return { first: 0, end: 0 }
    const kept = Math.floor(clock.now() / DAY) - retentionDays
    return {
      first: Math.max(Math.floor(Math.max(from, span.from) / DAY), kept),
      end: Math.ceil(Math.min(to, span.to) / DAY),
    }
  }

  return {
    isNone: source === undefined,
    daysOf,
    /** of one device day by day, ascending */
    *wanted(devices: Iterable<number>, from: number, to: number): Generator<DeviceDay> {
      if (source === undefined) return
      for (const device of devices) {
        const { first, end } = daysOf(device, from, to)
        for (let day = first; day < end; day++) yield [device, day]
      }
    },
    /** all readings of a device and day, ascending, each once */
    tell(device: number, day: number): ReadingColumns {
      const span = source?.span(device)
      if (source === undefined || span === undefined) return createReadings(0)
      const from = Math.max(day * DAY, span.from)
      const to = Math.min((day + 1) * DAY, span.to)
      return inOrder(source.readings(device, from, to))
    },
    /** whether the source may have a reading of this device at this time */
    covers(device: number, at: number): boolean {
      const span = source?.span(device)
      return span !== undefined && at >= span.from && at < span.to
    },
    /** whether the source may have a reading of this device from ≤ at ≤ last */
    overlaps(device: number, from: number, last: number): boolean {
      const span = source?.span(device)
      return span !== undefined && last >= span.from && from < span.to
    },
  }
}

/** Does some of what `wanted` names: how many device days, and whether that was all. */
export type FetchSlice = (
  wanted: Iterator<DeviceDay>,
  onDay: BackfillOptions['onDay'],
) => { fetched: number; done: boolean } | Promise<{ fetched: number; done: boolean }>

type Backfilling = {
  days: PastDays
  /** what is to be fetched of these devices and days, where nobody wants to hear of what is held already */
  missing: (devices: Iterable<number>, from: number, to: number) => Iterator<DeviceDay>
  fetchSlice: FetchSlice
  isClosed: () => boolean
}

/** `telemetry.backfill`, slice by slice with pauses between them. */
export async function backfill(
  { days, missing, fetchSlice, isClosed }: Backfilling,
  devices: Uint32Array,
  { from = 0, to = Number.POSITIVE_INFINITY, onDay, onProgress, signal }: BackfillOptions = {},
): Promise<void> {
  const totalOf = (device: number) => {
    const { first, end } = days.daysOf(device, from, to)
    return Math.max(0, end - first)
  }
  let total = 0
  for (const device of devices) total += totalOf(device)
  let done = 0
  for (let start = 0; start < devices.length; start += TOGETHER) {
    const some = devices.subarray(start, start + TOGETHER)
    const before = done
    for (const day of daysOfAll(days, some, from, to)) {
      const span = [day * DAY, (day + 1) * DAY] as const
      const wanted = onDay ? days.wanted(some, ...span) : missing(some, ...span)
      for (;;) {
        if (signal?.aborted || isClosed()) return
        const slice = await fetchSlice(wanted, onDay)
        done += slice.fetched
        if (slice.fetched > 0) {
          onProgress?.(done, total)
          await pause(REST)
        }
        if (slice.done) break
      }
    }
    done = before
    for (const device of some) done += totalOf(device)
  }
  onProgress?.(done, total)
}

function daysOfAll({ daysOf }: PastDays, devices: Iterable<number>, from: number, to: number): number[] {
  const days = new Set<number>()
  for (const device of devices) {
    const { first, end } = daysOf(device, from, to)
    for (let day = first; day < end; day++) days.add(day)
  }
  return [...days].sort((a, b) => a - b)
}
