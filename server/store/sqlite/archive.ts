import type { DatabaseSync } from 'node:sqlite'
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY, encodeChunk } from '../chunks/chunk.ts'
import { isAmong } from '../chunks/times.ts'
import type { DamageRegister } from '../damage.ts'
import { type DayChunk, type DayPart, mayBeStored, merged, readingsIn } from '../day-chunks.ts'
import { createDayTimes, timesIn } from '../day-times.ts'
import type { EncodedDay } from '../put-days.ts'
import {
  chunkIn,
  chunksOfDay,
  chunksToMerge,
  dropDay,
  flush,
  isPut,
  openChunkTable,
  putChunk,
  reload,
  removeBehind,
  removeChunksOfDay,
} from './chunk-table.ts'
import { type Group, isShared, PUT, touch, windowOf } from './chunk-windows.ts'
import { createSummaryTable } from './summary-table.ts'
import type { Writer } from './writer.ts'

/** Chunks and day summaries as one: what is compacted or was put by days. */
export type Archive = ReturnType<typeof createArchive>

/** What its functions write belongs to the transaction of `change`, which undoes what is in memory too where it fails. */
export function createArchive(db: DatabaseSync, writer: Writer, damage: DamageRegister) {
  const chunks = openChunkTable(db, damage)
  const readDay = (device: number, day: number): ReadingColumns =>
    readingsIn(chunksOfDay(chunks, device, day))
  const summaries = createSummaryTable(db, readDay)
  const times = createDayTimes((device, day) => timesIn(chunksOfDay(chunks, device, day), day))

  function put(chunk: DayChunk, window: number): void {
    putChunk(chunks, chunk, window)
    times.drop(chunk.device, chunk.day)
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
      const window = windowOf(chunks, day, job, now)
      const chunk = { device, day, bytes: encodeChunk(readings) }
      const before = isShared(window) ? chunkIn(chunks, device, day, window) : undefined
      const isNew = !mayBeStored(one, newest)
      if (isNew) summaries.add(one)
      put(before ? { device, day, bytes: merged([before, chunk]) } : chunk, window)
      if (!isNew) summaries.replace({ ...one, readings: readDay(device, day) })
    },
    isPut: (device: number, day: number) => isPut(chunks, device, day),
    /** the chunk of a device's day that was put; undefined where it is damaged too */
    putChunk: (device: number, day: number) => chunkIn(chunks, device, day, PUT)?.bytes,
    /** Stores a device's day, also when it is empty, unless it was put before. */
    putDay({ device, day, readings, bytes }: EncodedDay, now: number): void {
      if (isPut(chunks, device, day)) return
      const alone = chunksOfDay(chunks, device, day).length === 0
      touch(chunks, day, now)
      put({ device, day, bytes }, PUT)
      summaries.replace({ device, day, readings: alone ? readings : readDay(device, day) })
    },
    /** Drops what there is of a device's day; one that was put is an empty one from then on. */
    clear(device: number, day: number): void {
      const empty = createReadings(0)
      const none = encodeChunk(empty)
      const isCleared = removeChunksOfDay(chunks, device, day)
      const isFull = isPut(chunks, device, day) && !isSame(chunkIn(chunks, device, day, PUT)?.bytes, none)
      if (!isCleared && !isFull) return
      if (isFull) putChunk(chunks, { device, day, bytes: none }, PUT)
      times.drop(device, day)
      summaries.replace({ device, day, readings: empty })
    },
    /**
     * Puts a device's chunks of a group into its first window; what is answered stays the same. Damaged ones behind it are noted
     * and gone: nothing would find them there any more.
     */
    merge(device: number, group: Group): void {
      const { day, first } = group
      const [one, ...others] = chunksToMerge(chunks, device, group)
      removeBehind(chunks, device, group)
      // a device that was silent has none in the first window: the first that it has moves there too
      if (one !== undefined && (one.place !== first || others.length > 0))
        putChunk(chunks, { device, day, bytes: merged([one, ...others]) }, first)
    },
    /** A background transaction over the archive: nothing of it stays when it fails. */
    change<T>(write: () => T): T {
      try {
        return writer.inBackground(() => {
          const result = write()
          summaries.flush()
          flush(chunks)
          return result
        })
      } catch (error) {
        reload(chunks)
        summaries.reload()
        times.clear()
        throw error
      }
    },
    drop(day: number, limit: number): boolean {
      summaries.drop(day)
      times.clear()
      return dropDay(chunks, day, limit)
    },
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && Buffer.compare(a, b) === 0
