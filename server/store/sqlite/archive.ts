import type { DatabaseSync } from 'node:sqlite'
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY, encodeChunk } from '../chunks/chunk.ts'
import { isAmong } from '../chunks/times.ts'
import type { DamageRegister } from '../damage.ts'
import { type DayChunk, type DayPart, mayBeStored, merged, readingsIn } from '../day-chunks.ts'
import { createDayTimes, timesIn } from '../day-times.ts'
import type { EncodedDay } from '../put-days.ts'
import { createChunkTable, PUT } from './chunk-table.ts'
import { createSummaryTable } from './summary-table.ts'
import type { Writer } from './writer.ts'

/** Chunks and day summaries as one: what is compacted or was put by days. */
export type Archive = ReturnType<typeof createArchive>

export function createArchive(db: DatabaseSync, writer: Writer, damage: DamageRegister) {
  const chunks = createChunkTable(db, damage)
  const readDay = (device: number, day: number): ReadingColumns => readingsIn(chunksOf(device, day))
  const summaries = createSummaryTable(db, readDay)
  const times = createDayTimes((device, day) => timesIn(chunksOf(device, day), day))

  const chunksOf = (device: number, day: number): DayChunk[] =>
    chunks.ofDay(device, day).map((bytes) => ({ device, day, bytes }))

  function put(device: number, day: number, window: number, bytes: Uint8Array): void {
    chunks.put(device, day, window, bytes)
    times.drop(device, day)
  }

  return {
    chunks,
    summaries,
    /** readings of one device and day, ascending, each once */
    readDay,
    has(device: number, at: number): boolean {
      return isAmong(times.of(device, Math.floor(at / DAY)), at)
    },
    /** Stores a part of a device's day as that job's chunk; `newest`: of what is stored of the device. */
    add(one: DayPart, newest: number, job: number, now: number): void {
      const { device, day, readings } = one
      const window = chunks.windowOf(day, job, now)
      const bytes = encodeChunk(readings)
      const before = chunks.isShared(window) ? chunks.get(device, day, window) : undefined
      const both =
        before &&
        merged([
          { device, day, bytes: before },
          { device, day, bytes },
        ])
      const isNew = !mayBeStored(one, newest)
      if (isNew) summaries.add(one)
      put(device, day, window, both ?? bytes)
      if (!isNew) summaries.replace({ ...one, readings: readDay(device, day) })
    },
    isPut: (device: number, day: number) => chunks.has(device, day, PUT),
    /** the chunk of a device's day that was put; undefined where it is damaged too */
    putChunk: (device: number, day: number) => chunks.get(device, day, PUT),
    /** Stores a device's day, also when it is empty, unless it was put before. */
    putDay({ device, day, readings, bytes }: EncodedDay, now: number): void {
      if (chunks.has(device, day, PUT)) return
      const alone = chunks.ofDay(device, day).length === 0
      chunks.touch(day, now)
      put(device, day, PUT, bytes)
      summaries.replace({ device, day, readings: alone ? readings : readDay(device, day) })
    },
    /** Drops what there is of a device's day; one that was put is an empty one from then on. */
    clear(device: number, day: number): void {
      const empty = createReadings(0)
      const none = encodeChunk(empty)
      const isCleared = chunks.clear(device, day)
      const isFull = chunks.has(device, day, PUT) && !isSame(chunks.get(device, day, PUT), none)
      if (!isCleared && !isFull) return
      if (isFull) chunks.put(device, day, PUT, none)
      times.drop(device, day)
      summaries.replace({ device, day, readings: empty })
    },
    /**
     * Puts a device's chunks of neighbouring windows into the first of these windows; what is answered stays the same. Damaged ones
     * behind it are noted and gone: nothing would find them there any more.
     */
    merge(device: number, day: number, first: number, last: number): void {
      const [one, ...others] = chunks.toMerge(device, day, first, last)
      chunks.removeBehind(device, day, first, last)
      // a device that was silent has none in the first window: the first that it has moves there too
      if (one !== undefined && (one.place !== first || others.length > 0))
        chunks.put(device, day, first, merged([one, ...others]))
    },
    /** A background transaction over the archive: nothing of it stays when it fails. */
    change<T>(write: () => T): T {
      try {
        return writer.inBackground(() => {
          const result = write()
          summaries.flush()
          chunks.flush()
          return result
        })
      } catch (error) {
        chunks.reload()
        summaries.reload()
        times.clear()
        throw error
      }
    },
    drop(day: number, limit: number): boolean {
      summaries.drop(day)
      times.clear()
      return chunks.drop(day, limit)
    },
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && Buffer.compare(a, b) === 0
