import type { DatabaseSync } from 'node:sqlite'
import type { Checksum } from '../checksums.ts'
import { DAY } from '../chunks/chunk.ts'
import { DEVICES } from '../storable.ts'
import { chunkId, keyOfChunk } from './chunk-table.ts'
import { PUT } from './chunk-windows.ts'
import { isCorrupt } from './failures.ts'

type ChunkRow = { id: number; bytes: Uint8Array; sum: Checksum }

/** `next`: from where on to go on; undefined: that was the end */
export type Scanned = { rows: ChunkRow[]; holes: { id: number; reason: string }[]; next: number | undefined }

/**
 * Reads the chunks in the order of their keys, some a call. Where a page of the file cannot be read, the chunks that may lie on
 * it are tried one by one.
 */
export function createChunkScan(db: DatabaseSync): (after: number, limit: number) => Scanned {
  const some = db.prepare('SELECT * FROM chunks WHERE id > ? ORDER BY id LIMIT ?')
  const one = db.prepare('SELECT * FROM chunks WHERE id = ?')
  const windowsFrom = db.prepare('SELECT day, windows FROM days WHERE day >= ? ORDER BY day LIMIT 2')
  const newest = db.prepare('SELECT newest FROM compaction')

  /** the first key from `id` on that may be there */
  function placeFrom(
    id: number,
  ): { day: number; window: number; device: number; windows: number } | undefined {
    const place = keyOfChunk(id)
    for (const { day, windows } of windowsFrom.all(place.day) as { day: number; windows: number }[]) {
      if (day > place.day) return { day, window: PUT, device: 0, windows }
      if (place.window <= windows) return { ...place, windows }
    }
    return undefined
  }

  function newestTimes(): Float64Array {
    const { newest: bytes } = newest.get() as { newest: Uint8Array }
    return new Float64Array(bytes.slice().buffer)
  }

  function oneByOne(after: number, limit: number): Scanned {
    const rows: ChunkRow[] = []
    const holes: Scanned['holes'] = []
    const place = placeFrom(after + 1)
    if (place === undefined) return { rows, holes, next: undefined }
    const times = newestTimes()
    const end = Math.min(times.length, place.device + limit)
    for (let { device } = place; device < end; device++) {
      // one that has nothing of that day or later has no chunk there
      if ((times[device] as number) < place.day * DAY) continue
      const id = chunkId(place.day, place.window, device)
      try {
        const row = one.get(id) as ChunkRow | undefined
        if (row) rows.push(row)
      } catch (error) {
        if (!isCorrupt(error)) throw error
        // as in a history: few days that were written to were also put
        if (place.window !== PUT || place.windows === PUT)
          holes.push({ id, reason: (error as Error).message })
      }
    }
    return { rows, holes, next: chunkId(place.day, place.window, (end < times.length ? end : DEVICES) - 1) }
  }

  return (after, limit) => {
    try {
      const rows = some.all(after, limit) as unknown as ChunkRow[]
      return { rows, holes: [], next: rows.at(-1)?.id }
    } catch (error) {
      if (!isCorrupt(error)) throw error
      return oneByOne(after, limit)
    }
  }
}
