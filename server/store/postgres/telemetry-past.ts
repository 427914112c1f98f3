import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { decodeChunk, encodeChunk } from '../chunks/chunk.ts'
import { addToDay, BLOCK, clearDay } from '../chunks/day-block.ts'
import { HeldDays } from '../held-days.ts'
import { backfill, type DeviceDay, type PastDays } from '../past-days.ts'
import { type BackfillOptions, StoreUnavailable } from '../store.ts'
import { type ArchivePlace, lockArchive, readState } from './telemetry-state.ts'
import {
  type Chunk,
  chunksOfDays,
  insertChunks,
  PAST,
  pastChunks,
  readingsIn,
  summariesToChange,
  writeDays,
} from './telemetry-tables.ts'

/** Device days the database is asked about at a time. */
const ASKED_AT_ONCE = 8192
/** Device days that are told and kept together. */
const KEPT_AT_ONCE = 64

type PastOptions = {
  place: ArchivePlace
  days: PastDays
  clock: Clock
  kept: (now: number) => number
  sliceMs: number
  isClosed: () => boolean
  /** this node learned that readings of this device and day are stored */
  onHeld: (device: number, day: number) => void
}

/** What the source told, as it is stored. */
export type Told = { device: number; day: number; readings: ReadingColumns; chunk: Chunk }

/** What the history source knows: asked by whichever node wants it, and kept for all once told. */
export function createPast({ place, days, clock, kept, sliceMs, isClosed, onHeld }: PastOptions) {
  const { database, epoch } = place
  /** what this node knows to be stored */
  const held = new HeldDays()

  function note(device: number, day: number): void {
    if (held.has(device, day)) return
    held.add(device, day)
    onHeld(device, day)
  }

  function* missing(devices: Iterable<number>, from: number, to: number): Generator<DeviceDay> {
    for (const wanted of days.wanted(devices, from, to)) if (!held.has(...wanted)) yield wanted
  }

  /** Asks the source; others get their turn in between. */
  async function tell(wanted: readonly DeviceDay[]): Promise<Told[]> {
    const told: Told[] = []
    let started = performance.now()
    for (const [device, day] of wanted) {
      const readings = days.tell(device, day)
      told.push({ device, day, readings, chunk: { device, day, job: PAST, bytes: encodeChunk(readings) } })
      if (performance.now() - started < sliceMs) continue
      await nextTurn()
      if (isClosed()) throw new StoreUnavailable('it was closed')
      started = performance.now()
    }
    return told
  }

  /** Stores what no other node stored before, and sums up these days anew. */
  async function keep(told: readonly Told[]): Promise<void> {
    if (told.length === 0) return
    await database.transaction(async (sql) => {
      await lockArchive(sql)
      // another record is another world, perhaps, which tells something else
      await readState(sql, epoch)
      const now = clock.now()
      await writeDays(
        sql,
        told.map(({ day }) => day),
        kept(now),
        now,
      )
      const isNew = new Set(
        (
          await insertChunks(
            sql,
            told.map(({ chunk }) => chunk),
          )
        ).map(String),
      )
      const fresh = told.filter(({ device, day }) => isNew.has(String([device, day])))
      const pairs = fresh.map(({ device, day }): DeviceDay => [device, day])
      const [summaries, stored] = await Promise.all([summariesToChange(sql, pairs), chunksOfDays(sql, pairs)])
      const byDay = Map.groupBy(stored, ({ device, day }) => String([device, day]))
      for (const { device, day, readings } of fresh) {
        const chunks = byDay.get(String([device, day])) ?? []
        const whole = chunks.length === 1 ? readings : readingsIn(chunks)
        const block = summaries.block(device, day)
        clearDay(block, device % BLOCK)
        addToDay(block, device % BLOCK, whole, 0, whole.length)
      }
      await summaries.write()
    })
    for (const { device, day } of told) note(device, day)
  }

  /** Those of these device days that are not stored. */
  async function unheld(wanted: readonly DeviceDay[]): Promise<DeviceDay[]> {
    if (wanted.length === 0) return []
    for (const { device, day } of await database.ask((sql) => pastChunks(sql, wanted, false)))
      note(device, day)
    return wanted.filter((pair) => !held.has(...pair))
  }

  async function fetchAll(wanted: readonly DeviceDay[]): Promise<void> {
    const lacking = await unheld(wanted)
    for (let i = 0; i < lacking.length; i += KEPT_AT_ONCE)
      await keep(await tell(lacking.slice(i, i + KEPT_AT_ONCE)))
  }

  async function fetchSlice(wanted: Iterator<DeviceDay>, onDay: BackfillOptions['onDay']) {
    const { some, done } = someOf(wanted, KEPT_AT_ONCE)
    if (onDay === undefined) await fetchAll(some)
    else {
      const stored = await database.ask((sql) => pastChunks(sql, some, true))
      const known = new Map(stored.map((chunk) => [String([chunk.device, chunk.day]), chunk.bytes]))
      const told = await tell(some.filter((pair) => !known.has(String(pair))))
      await keep(told)
      const readings = new Map(told.map((one) => [String([one.device, one.day]), one.readings]))
      for (const [device, day] of some) {
        const bytes = known.get(String([device, day]))
        const columns =
          bytes === undefined ? readings.get(String([device, day])) : decodeChunk(bytes, device, day)
        if (columns) onDay(device, columns)
      }
    }
    return { fetched: some.length, done }
  }

  return {
    /** has all days of these devices that touch [from, to) stored */
    async fetch(devices: Iterable<number>, from: number, to: number): Promise<void> {
      if (days.isNone) return
      const wanted = missing(devices, from, to)
      for (let isDone = false; !isDone; ) {
        const { some, done } = someOf(wanted, ASKED_AT_ONCE)
        await fetchAll(some)
        isDone = done
      }
    },
    /**
     * Days of a device that are not among its chunks, asked of the source and kept where that can be: a database that takes
     * no writes keeps nobody from reading.
     */
    async lacking(device: number, from: number, to: number, chunks: readonly Chunk[]): Promise<Told[]> {
      if (days.isNone) return []
      for (const chunk of chunks) if (chunk.job === PAST) note(device, chunk.day)
      const told = await tell([...missing([device], from, to)])
      try {
        await keep(told)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
      }
      return told
    },
    backfill: (devices: Uint32Array, options?: BackfillOptions) =>
      backfill({ days, missing, fetchSlice, isClosed }, devices, options),
  }
}

function someOf(wanted: Iterator<DeviceDay>, most: number): { some: DeviceDay[]; done: boolean } {
  const some: DeviceDay[] = []
  while (some.length < most) {
    const next = wanted.next()
    if (next.done) return { some, done: true }
    some.push(next.value)
  }
  return { some, done: false }
}
