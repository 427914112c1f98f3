import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import {
  type DayReadings,
  type DeviceDay,
  isStoreUnavailable,
  READINGS,
  type Store,
  storeUnavailable,
  type TelemetryStore,
} from '../../server/ports.ts'
import { HeldDays } from './held-days.ts'
import { covers, daysOf, type PastSource, readDay } from './past-source.ts'

const { DAY, encodeChunk, inOrder, inSlices, joined, partBetween } = READINGS

/** Devices whose missing days are found together, and device days that are put together: they share blocks of summaries. */
const TOGETHER = 64
/** What is asked for of so short a time is worked out and not put, ms: one who looks back asks it of every device. */
const SHORT = 3_600_001
/** Ms of the source's work before others get their turn. */
const SLICE_MS = 6
/** The backfill rests as long as it worked, and at most so many ms. */
const MOST_REST_MS = 20

export type BackfillOptions = {
  /** only the days that touch [from, to) */
  from?: number
  to?: number
  /**
   * What the source has of each device and day, stored already or not; of one device day by day, ascending. It may take some
   * tenths of a millisecond.
   */
  onDay?: (device: number, readings: ReadingColumns) => void
  signal?: AbortSignal
}

/** A store that has the readings of a source, too. */
export type StoreWithPast = Store & {
  /**
   * Puts all days of these devices that are missing, some at a time with pauses between them. Can be cut off at any time and
   * called again. Resolves when done, or when the signal or the store's end stops it; rejects with StoreUnavailable.
   */
  backfill(devices: Uint32Array, options?: BackfillOptions): Promise<void>
}

type Past = {
  source: PastSource
  telemetry: TelemetryStore
  /** device days that are known to be in the store */
  held: HeldDays
  /** one put at a time, so that the source is asked once for each day */
  turn: Promise<unknown>
  isClosed: boolean
}

/**
 * The store, whose readings begin with those of the source: it puts the days somebody asks for before it answers, but for a short time
 * of one.
 */
export function withPast(store: Store, source: PastSource): StoreWithPast {
  const { telemetry } = store
  const past: Past = { source, telemetry, held: new HeldDays(), turn: Promise.resolve(), isClosed: false }
  return {
    ...store,
    telemetry: {
      ...telemetry,
      async history(device, from, to) {
        const unstored =
          to - from <= SHORT
            ? await readMissing(past, device, from, to)
            : await putOrRead(past, device, from, to)
        const stored = await telemetry.history(device, from, to)
        if (unstored.length === 0) return stored
        const parts = [...unstored.map(({ readings }) => readings), stored]
        return partBetween(inOrder(joined(parts)), from, to)
      },
      async packed(device, from, to, upTo) {
        const unstored = await putOrRead(past, device, from, to)
        const packed = await telemetry.packed(device, from, to, upTo)
        const days = unstored.map(({ day, readings }) => ({ day, chunks: [encodeChunk(inOrder(readings))] }))
        return { ...packed, days: [...days, ...packed.days] }
      },
      async has(device, at) {
        if (covers(source, device, at)) await putMissing(past, [device], at, at + 1)
        return telemetry.has(device, at)
      },
      async daySummaries(devices, fromDay, toDay) {
        const wanted = devices.slice()
        await putMissing(past, wanted, fromDay * DAY, toDay * DAY)
        return telemetry.daySummaries(wanted, fromDay, toDay)
      },
    },
    backfill: (devices, options) => backfill(past, devices, options),
    async close() {
      past.isClosed = true
      await past.turn
      await store.close()
    },
  }
}

/** Puts what is missing of these devices in [from, to); others get their turn in between. */
async function putMissing(past: Past, devices: Iterable<number>, from: number, to: number): Promise<void> {
  const all = [...devices]
  for (let i = 0; i < all.length; i += TOGETHER) {
    const missing = await missingOf(past, daysOf(past.source, all.slice(i, i + TOGETHER), from, to))
    for (let k = 0; k < missing.length; k += TOGETHER) {
      await put(past, missing.slice(k, k + TOGETHER))
      await nextTurn()
    }
  }
}

/** The same for one device; answers the days that cannot be stored now: a full disk keeps nobody from reading. */
async function putOrRead(past: Past, device: number, from: number, to: number): Promise<DayReadings[]> {
  try {
    await putMissing(past, [device], from, to)
    return []
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error
    return readDays(past, await missingOf(past, daysOf(past.source, [device], from, to)))
  }
}

/** What the source has of [from, to) and the store does not. */
async function readMissing(past: Past, device: number, from: number, to: number): Promise<DayReadings[]> {
  const missing = await missingOf(past, daysOf(past.source, [device], from, to))
  return missing.map((one) => readDay(past.source, one, { from, to }))
}

async function missingOf({ held, telemetry }: Past, days: readonly DeviceDay[]): Promise<DeviceDay[]> {
  const unknown = days.filter((one) => !held.has(...one))
  if (unknown.length === 0) return []
  const missing = await telemetry.missingDays(unknown)
  const names = new Set(missing.map(String))
  for (const one of unknown) if (!names.has(String(one))) held.add(...one)
  return missing
}

/** Puts those of these days that nobody put meanwhile, and answers them. */
function put(past: Past, days: readonly DeviceDay[]): Promise<DayReadings[]> {
  const done = past.turn.then(async () => {
    const missing = days.filter((one) => !past.held.has(...one))
    if (missing.length === 0) return []
    const read = await readDays(past, missing)
    await past.telemetry.putDays(read)
    for (const one of missing) past.held.add(...one)
    return read
  })
  past.turn = done.catch(() => {})
  return done
}

async function readDays(past: Past, days: readonly DeviceDay[]): Promise<DayReadings[]> {
  const read: DayReadings[] = []
  await inSlices(days, SLICE_MS, (one) => {
    if (past.isClosed) throw storeUnavailable('it is closed')
    read.push(readDay(past.source, one))
  })
  return read
}

async function backfill(
  past: Past,
  devices: Uint32Array,
  { from = 0, to = Number.POSITIVE_INFINITY, onDay, signal }: BackfillOptions = {},
): Promise<void> {
  for (let start = 0; start < devices.length; start += TOGETHER) {
    const days = daysOf(past.source, devices.subarray(start, start + TOGETHER), from, to)
    const byDay = Map.groupBy(days, ([, day]) => day)
    for (const day of [...byDay.keys()].sort((a, b) => a - b)) {
      if (signal?.aborted || past.isClosed) return
      const started = performance.now()
      const isDone = await fillDay(past, byDay.get(day) ?? [], onDay)
      if (isDone) await pause(Math.min(performance.now() - started, MOST_REST_MS))
    }
  }
}

/** Puts what is missing of one day; whether there was anything to do. */
async function fillDay(
  past: Past,
  days: readonly DeviceDay[],
  onDay: BackfillOptions['onDay'],
): Promise<boolean> {
  const missing = await missingOf(past, days)
  const read = missing.length === 0 ? [] : await put(past, missing)
  if (onDay === undefined) return missing.length > 0
  // of days in the store the source is asked once more: that is as quick as decoding them
  const names = new Set(read.map(({ device }) => device))
  const others = await readDays(
    past,
    days.filter(([device]) => !names.has(device)),
  )
  await inSlices([...read, ...others], SLICE_MS, ({ device, readings }) => onDay(device, inOrder(readings)))
  return true
}
