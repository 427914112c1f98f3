import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { HeldDays } from '../held-days.ts'
import { backfill, createPastDays, type DeviceDay } from '../past-days.ts'
import { type BackfillOptions, type HistorySource, StoreUnavailable } from '../store.ts'
import type { Archive } from './archive.ts'
import { PAST } from './chunk-table.ts'

type PastOptions = { clock: Clock; retentionDays: number; sliceMs: number; isClosed: () => boolean }

/** What the history source knows: asked when somebody wants it, or in the background; kept once told. */
export type Past = ReturnType<typeof createPast>

export function createPast(
  source: HistorySource | undefined,
  archive: Archive,
  { clock, retentionDays, sliceMs, isClosed }: PastOptions,
) {
  const days = createPastDays(source, { clock, retentionDays })
  const { tell } = days
  const seen = new HeldDays()

  function isHeld(device: number, day: number): boolean {
    if (seen.has(device, day)) return true
    if (!archive.chunks.has(device, day, PAST)) return false
    seen.add(device, day)
    return true
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

  function* missing(devices: Iterable<number>, from: number, to: number): Generator<DeviceDay> {
    for (const wanted of days.wanted(devices, from, to)) if (!isHeld(...wanted)) yield wanted
  }

  /** Fetches what `wanted` names until a slice's time is up; how many, and whether that was all. */
  function fetchSlice(
    wanted: Iterator<DeviceDay>,
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
    if (days.isNone) return
    const wanted = missing(devices, from, to)
    while (!fetchSlice(wanted).done) {
      await nextTurn()
      if (isClosed()) throw new Error('the store was closed')
    }
  }

  return {
    covers: days.covers,
    overlaps: days.overlaps,
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
    /** has one device's day at hand, at once */
    fetchDay(device: number, day: number): void {
      if (!isHeld(device, day)) change(() => ask(device, day))
    },
    backfill: (devices: Uint32Array, options?: BackfillOptions) =>
      backfill({ days, missing, fetchSlice, isClosed }, devices, options),
  }
}
