import type { DatabaseSync } from 'node:sqlite'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY, decodeChunk, encodeChunk } from '../chunks/chunk.ts'
import { isAmong, timesOfChunks } from '../chunks/times.ts'
import { inOrder } from '../hot-tail.ts'
import type { EncodedDay } from '../put-days.ts'
import { daysOf, joined, part } from '../reading-parts.ts'
import { createChunkTable, PUT } from './chunk-table.ts'
import { createSummaryTable } from './summary-table.ts'
import type { Writer } from './writer.ts'

/** device days whose times are kept at hand for `has` */
const TIMES_KEPT = 512

/** Chunks and day summaries as one: what is compacted or was put by days. */
export type Archive = ReturnType<typeof createArchive>

export function createArchive(db: DatabaseSync, writer: Writer) {
  const chunks = createChunkTable(db)
  const summaries = createSummaryTable(db)
  const times = new Map<string, Float64Array>()

  function readDay(device: number, day: number): ReadingColumns {
    const parts = chunks.ofDay(device, day).map((bytes) => decodeChunk(bytes, device, day))
    return inOrder(joined(parts))
  }

  /** times of a device's day in ascending order; the same one may be there twice */
  function timesOf(device: number, day: number): Float64Array {
    const name = `${device} ${day}`
    const known = times.get(name)
    if (known) return known
    const all = timesOfChunks(chunks.ofDay(device, day), day)
    if (times.size >= TIMES_KEPT) times.clear()
    times.set(name, all)
    return all
  }

  function put(device: number, day: number, window: number, bytes: Uint8Array): void {
    chunks.put(device, day, window, bytes)
    times.delete(`${device} ${day}`)
  }

  return {
    chunks,
    summaries,
    /** readings of one device and day, ascending, each once */
    readDay,
    has(device: number, at: number): boolean {
      return isAmong(timesOf(device, Math.floor(at / DAY)), at)
    },
    /**
     * Stores readings of one device, ascending, each once, as that job's chunks. `mayHave`: whether readings from this time
     * on may be archived already; such days are summed up anew.
     */
    add(
      device: number,
      readings: ReadingColumns,
      mayHave: (from: number) => boolean,
      job: number,
      now: number,
    ): void {
      for (const { day, from, to } of daysOf(readings)) {
        const whole = from === 0 && to === readings.length
        const bytes = encodeChunk(whole ? readings : part(readings, from, to))
        put(device, day, chunks.windowOf(day, job, now), bytes)
        const isKnown = mayHave(readings.at[from] as number)
        if (isKnown) summaries.replace(device, day, readDay(device, day))
        else summaries.add(device, day, readings, from, to)
      }
    },
    /** the chunk of a device's day that was put */
    putChunk: (device: number, day: number) => chunks.get(device, day, PUT),
    /** Stores a device's day, also when it is empty, unless it was put before. */
    putDay({ device, day, readings, bytes }: EncodedDay, now: number): void {
      if (chunks.has(device, day, PUT)) return
      const alone = chunks.ofDay(device, day).length === 0
      chunks.touch(day, now)
      put(device, day, PUT, bytes)
      summaries.replace(device, day, alone ? readings : readDay(device, day))
    },
    /** Puts a device's chunks of neighbouring windows into the first of them; what is answered stays the same. */
    merge(device: number, day: number, first: number, last: number): void {
      const found: Uint8Array[] = []
      for (let window = first; window <= last; window++) {
        const bytes = chunks.get(device, day, window)
        if (bytes === undefined) continue
        found.push(bytes)
        if (window > first) chunks.remove(device, day, window)
      }
      if (found.length === 0) return
      const readings = inOrder(joined(found.map((bytes) => decodeChunk(bytes, device, day))))
      chunks.put(device, day, first, encodeChunk(readings))
    },
    /** A background transaction over the archive: nothing of it stays when it fails. */
    change<T>(write: () => T): T {
      try {
        return writer.inBackground(() => {
          const result = write()
          summaries.flush()
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
