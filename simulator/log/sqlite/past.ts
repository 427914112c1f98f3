import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from '../chunks/chunk.ts'
import { inOrder } from '../hot-tail.ts'
import { type BackfillOptions, type HistorySource, StoreUnavailable } from '../log.ts'
import type { Archive } from './archive.ts'
import { PAST } from './chunk-table.ts'

/** ms the background leaves to others after each slice */
const REST = 6
/** Devices the backfill takes together day by day, so that the summaries they share are written once. */
const TOGETHER = 64

type PastOptions = { clock: Clock; retentionDays: number; sliceMs: number; isClosed: () => boolean }

/** What the history source knows: asked when somebody wants it, or in the background; kept once told. */
export type Past = ReturnType<typeof createPast>

export function createPast(
  source: HistorySource | undefined,
  archive: Archive,
  { clock, retentionDays, sliceMs, isClosed }: PastOptions,
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

  /** one bit a device, for days that were found in the store before */
  const seen = new Map<number, Uint8Array>()

  function isHeld(device: number, day: number): boolean {
    const bits = seen.get(day)
    const byte = device >> 3
    const bit = 1 << (device & 7)
    if (bits && ((bits[byte] ?? 0) & bit) !== 0) return true
    if (!archive.chunks.has(device, day, PAST)) return false
    let room = bits
    if (room === undefined || byte >= room.length) {
      room = new Uint8Array(Math.max(64, 2 * byte))
      if (bits) room.set(bits)
      seen.set(day, room)
    }
    room[byte] = (room[byte] ?? 0) | bit
    return true
  }

  function tell(device: number, day: number): ReadingColumns {
    const span = source?.span(device)
    if (source === undefined || span === undefined) return createReadings(0)
    const from = Math.max(day * DAY, span.from)
    const to = Math.min((day + 1) * DAY, span.to)
    return inOrder(source.readings(device, from, to))
  }

  /** in a transaction of the caller */
  function ask(device: number, day: number): ReadingColumns {
    const readings = tell(device, day)
    archive.addPast(device, day, readings, clock.now())
    return readings
  }

  function change<T>(write: () => T): T {
    try {
      return archive.change(write)
    } catch (error) {
      seen.clear()
      throw error
    }
  }

  function* daysWanted(devices: Iterable<number>, from: number, to: number): Generator<[number, number]> {
    for (const device of devices) {
      const { first, end } = daysOf(device, from, to)
      for (let day = first; day < end; day++) yield [device, day]
    }
  }

  function* missing(devices: Iterable<number>, from: number, to: number): Generator<[number, number]> {
    for (const wanted of daysWanted(devices, from, to)) if (!isHeld(...wanted)) yield wanted
  }

  /** Fetches what `wanted` names until a slice's time is up; how many, and whether that was all. */
  function fetchSlice(
    wanted: Iterator<[number, number]>,
    onDay?: BackfillOptions['onDay'],
  ): { fetched: number; done: boolean } {
    let next = wanted.next()
    if (next.done) return { fetched: 0, done: true }
    const started = performance.now()
    return change(() => {
      let fetched = 0
      for (; !next.done; next = wanted.next()) {
        const [device, day] = next.value
        const isNew = onDay === undefined || !isHeld(device, day)
        const readings = isNew ? ask(device, day) : archive.readPast(device, day)
        onDay?.(device, readings)
        fetched++
        if (performance.now() - started > sliceMs) return { fetched, done: false }
      }
      return { fetched, done: true }
    })
  }

  /** has all days of these devices that touch [from, to) at hand; others get their turn in between */
  async function fetch(devices: Iterable<number>, from: number, to: number): Promise<void> {
    if (source === undefined) return
    const wanted = missing(devices, from, to)
    while (!fetchSlice(wanted).done) {
      await nextTurn()
      if (isClosed()) throw new Error('the store was closed')
    }
  }

  return {
    daysOf,
    fetch,
    /** The same for one device; answers the days that cannot be kept now: a full disk keeps nobody from reading. */
    async fetchOrTell(device: number, from: number, to: number): Promise<ReadingColumns[]> {
      try {
        await fetch([device], from, to)
        return []
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        return [...missing([device], from, to)].map(([, day]) => tell(device, day))
      }
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
    /** has one device's day at hand, at once */
    fetchDay(device: number, day: number): void {
      if (!isHeld(device, day)) change(() => ask(device, day))
    },
    async backfill(
      devices: Uint32Array,
      { from = 0, to = Number.POSITIVE_INFINITY, onDay, onProgress, signal }: BackfillOptions = {},
    ): Promise<void> {
      const totalOf = (device: number) => {
        const { first, end } = daysOf(device, from, to)
        return Math.max(0, end - first)
      }
      let total = 0
      for (const device of devices) total += totalOf(device)
      let done = 0
      for (let start = 0; start < devices.length; start += TOGETHER) {
        const some = devices.subarray(start, start + TOGETHER)
        const before = done
        for (const day of daysOfAll(some, from, to)) {
          const span = [day * DAY, (day + 1) * DAY] as const
          const wanted = onDay ? daysWanted(some, ...span) : missing(some, ...span)
          for (;;) {
            if (signal?.aborted || isClosed()) return
            const slice = fetchSlice(wanted, onDay)
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
    },
  }

  function daysOfAll(devices: Iterable<number>, from: number, to: number): number[] {
    const days = new Set<number>()
    for (const device of devices) {
      const { first, end } = daysOf(device, from, to)
      for (let day = first; day < end; day++) days.add(day)
    }
    return [...days].sort((a, b) => a - b)
  }
}
