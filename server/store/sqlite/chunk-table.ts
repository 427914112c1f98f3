import type { DatabaseSync } from 'node:sqlite'
import { type Checksum, sumOfChunk } from '../checksums.ts'
import { chunkFault, type ReadChunk, soundChunks } from '../chunk-damage.ts'
import type { DamageRegister } from '../damage.ts'
import { blockOf } from '../seals/seal-store.ts'
import { DEVICES } from '../storable.ts'
import { createMark } from './chunk-mark.ts'
import { isCorrupt } from './failures.ts'

const WINDOWS = 2 ** 16
const LAST_WINDOW = WINDOWS - 1

/** Window of days that were put; readings of batches are in windows from 1 on. */
export const PUT = 0

/** Windows that are merged into one when all of them are full: at 100,000 devices about an hour. */
export const GROUP = 8

const LEFT_AT_ONCE = 256

/** `merged`: groups of GROUP windows, from window 1 on, of which only the first has chunks */
type Day = { windows: number; lastJob: number; writtenAt: number; merged: number }

/** Key of a chunk: a day is one span of keys, and each compaction writes its window in ascending order of keys. */
export function chunkId(day: number, window: number, device: number): number {
  return (day * WINDOWS + window) * DEVICES + device
}

/** Whose chunk has this key. */
export const keyOfChunk = (id: number): { device: number; day: number; window: number } => ({
  device: id % DEVICES,
  window: Math.floor(id / DEVICES) % WINDOWS,
  day: Math.floor(id / DEVICES / WINDOWS),
})

/**
 * Without the place of a put day on a page that cannot be read, where the device has other chunks of the day: few days that
 * were written to were also put, and the page is another one's most likely.
 */
function withoutGuess(found: ReadChunk[]): ReadChunk[] {
  const [first, ...others] = found
  const isGuess = first?.place === PUT && first.bytes === undefined && others.length > 0
  return isGuess ? others : found
}

/**
 * The chunks, and which windows each day has. What changes belongs to the caller's transaction; when that fails, the
 * caller says `reload()`.
 */
export function createChunkTable(db: DatabaseSync, damage: DamageRegister) {
  const put = db.prepare('INSERT OR REPLACE INTO chunks (id, bytes, sum) VALUES (?, ?, ?)')
  const select = db.prepare('SELECT bytes, sum FROM chunks WHERE id = ?')
  const is = db.prepare('SELECT 1 FROM chunks WHERE id = ?')
  const putDay = db.prepare(
    'INSERT OR REPLACE INTO days (day, windows, last_job, written_at, merged) VALUES (?, ?, ?, ?, ?)',
  )
  const allDays = db.prepare('SELECT day, windows, last_job, written_at, merged FROM days')
  const lengthOf = db.prepare('SELECT length(bytes) AS bytes FROM chunks WHERE id = ?')
  const remove = db.prepare('DELETE FROM chunks WHERE id = ?')
  const dropSome = db.prepare(
    'DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id >= ? AND id < ? LIMIT ?)',
  )
  const someBetween = db.prepare('SELECT id FROM chunks WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
  const dropDay = db.prepare('DELETE FROM days WHERE day = ?')
  const days = new Map<number, Day>()
  const markGroup = createMark(db)
  const ofDayChanged = db.prepare('SELECT place, block FROM chunk_groups WHERE day = ?')
  /** groups that changed in this transaction */
  const changed = new Map<string, [day: number, window: number, block: number]>()
  reload()

  function reload(): void {
    changed.clear()
    days.clear()
    for (const row of allDays.iterate() as Iterable<Record<string, number>>)
      days.set(row.day as number, {
        windows: row.windows as number,
        lastJob: row.last_job as number,
        writtenAt: row.written_at as number,
        merged: row.merged as number,
      })
  }

  function write(day: number, to: Day): void {
    days.set(day, to)
    putDay.run(day, to.windows, to.lastJob, to.writtenAt, to.merged)
  }

  function noteChanged(device: number, day: number, window: number): void {
    const block = blockOf(device)
    changed.set(`${day} ${window} ${block}`, [day, window, block])
  }

  /** as it lies there, damaged or not; undefined: there is none */
  function read(device: number, day: number, window: number): ReadChunk | undefined {
    const place = { device, day, place: window }
    try {
      const row = select.get(chunkId(day, window, device)) as { bytes: Uint8Array; sum: Checksum } | undefined
      return row && { ...place, bytes: row.bytes, fault: chunkFault(row.bytes, row.sum) }
    } catch (error) {
      if (!isCorrupt(error)) throw error
      return { ...place, fault: (error as Error).message }
    }
  }

  function get(device: number, day: number, window: number): Uint8Array | undefined {
    const found = read(device, day, window)
    return found && soundChunks([found], damage)[0]?.bytes
  }

  /** windows of a day that may have chunks, ascending; none of a day without any */
  function windowsOf(day: number): number[] {
    const known = days.get(day)
    const found: number[] = []
    if (known === undefined) return found
    const end = known.merged * GROUP + 1
    for (let window = PUT; window <= known.windows; ) {
      found.push(window)
      window += window > PUT && window < end ? GROUP : 1
    }
    return found
  }

  return {
    reload,
    /** writes which groups changed, before the transaction ends */
    flush(): void {
      for (const [day, window, block] of changed.values()) markGroup(day, window, block)
      changed.clear()
    },
    noteChanged,
    /** days that have chunks, in any order */
    days: () => days.keys(),
    put(device: number, day: number, window: number, bytes: Uint8Array): void {
      put.run(chunkId(day, window, device), bytes, sumOfChunk(bytes))
      noteChanged(device, day, window)
    },
    has(device: number, day: number, window: number): boolean {
      return days.has(day) && is.get(chunkId(day, window, device)) !== undefined
    },
    remove(device: number, day: number, window: number): void {
      remove.run(chunkId(day, window, device))
      noteChanged(device, day, window)
    },
    /** removes a device's chunks of neighbouring windows but the first, damaged or not; on a page that cannot be read they stay */
    removeBehind(device: number, day: number, first: number, last: number): void {
      for (let window = first + 1; window <= last; window++)
        try {
          if (remove.run(chunkId(day, window, device)).changes) noteChanged(device, day, window)
        } catch (error) {
          if (!isCorrupt(error)) throw error
        }
    },
    get,
    /** chunks of one device and day that are as they were written, those stored first first */
    ofDay(device: number, day: number): Uint8Array[] {
      const found: ReadChunk[] = []
      for (const window of windowsOf(day)) {
        const one = read(device, day, window)
        if (one) found.push(one)
      }
      return soundChunks(withoutGuess(found), damage).map(({ bytes }) => bytes)
    },
    /** those of neighbouring windows, damaged ones left out: what is written in their place is of others */
    toMerge(device: number, day: number, first: number, last: number): (ReadChunk & { bytes: Uint8Array })[] {
      const found: ReadChunk[] = []
      for (let window = first; window <= last; window++) {
        const one = read(device, day, window)
        if (one) found.push(one)
      }
      return soundChunks(found, damage, ' before merging')
    },
    /** bytes of a device's chunks of a day */
    bytesOf(device: number, day: number): number {
      let sum = 0
      for (const window of windowsOf(day))
        sum += (lengthOf.get(chunkId(day, window, device)) as { bytes: number } | undefined)?.bytes ?? 0
      return sum
    },
    /** removes a device's chunks of a day, but for the one that was put; whether there were some */
    clear(device: number, day: number): boolean {
      let changes = 0
      for (const window of windowsOf(day))
        if (window !== PUT && remove.run(chunkId(day, window, device)).changes) {
          noteChanged(device, day, window)
          changes++
        }
      return changes > 0
    },
    /**
     * The window a compaction job writes into on this day: always the same one for the same job. Those that come when no window is
     * left share the last one, see `isShared`.
     */
    windowOf(day: number, job: number, now: number): number {
      const known = days.get(day)
      if (known?.lastJob === job) return known.windows
      const window = Math.min((known?.windows ?? PUT) + 1, LAST_WINDOW)
      const writtenAt = Math.max(now, known?.writtenAt ?? 0)
      write(day, { windows: window, lastJob: job, writtenAt, merged: known?.merged ?? 0 })
      return window
    },
    /** whether a window may have a device's chunk of another job: what comes is put together with it */
    isShared: (window: number): boolean => window === LAST_WINDOW,
    /** notes that something was put on this day */
    touch(day: number, now: number): void {
      const known = days.get(day) ?? { windows: PUT, lastJob: 0, writtenAt: -1, merged: 0 }
      if (!days.has(day) || now - known.writtenAt > 3_600_000) write(day, { ...known, writtenAt: now })
    },
    /** the next group of windows, first to last, that no compaction writes to any more */
    fullGroup(): { day: number; first: number; last: number } | undefined {
      for (const [day, { windows, merged }] of days) {
        const last = (merged + 1) * GROUP
        if (windows > last) return { day, first: last - GROUP + 1, last }
      }
      return undefined
    },
    /** notes that the next group of a day has chunks in its first window only */
    groupMerged(day: number): void {
      const known = days.get(day)
      if (known) write(day, { ...known, merged: known.merged + 1 })
    },
    /**
     * Chunks behind the first window of groups that are merged: no answer and no retention finds them. Earlier releases left one
     * there of each device that had none in the first window. Ascending; it may go on after what it named is removed.
     */
    *leftBehind(): Generator<{ device: number; day: number; first: number; last: number }, undefined> {
      for (const [day, { merged }] of [...days])
        for (let first = PUT + 1; first < merged * GROUP; first += GROUP) {
          const last = first + GROUP - 1
          const end = chunkId(day, last + 1, 0)
          for (let from = chunkId(day, first + 1, 0); from < end; ) {
            const found = someBetween.all(from, end, LEFT_AT_ONCE) as { id: number }[]
            for (const { id } of found) yield { device: keyOfChunk(id).device, day, first, last }
            from = found.length < LEFT_AT_ONCE ? end : (found.at(-1) as { id: number }).id + 1
          }
        }
    },
    /** a day before `day` that was not written to since `writtenBefore` */
    oldDay(day: number, writtenBefore: number): number | undefined {
      for (const [candidate, { writtenAt }] of days)
        if (candidate < day && writtenAt < writtenBefore) return candidate
      return undefined
    },
    /** drops up to `limit` chunks of a day, then the day; whether it is gone */
    drop(day: number, limit: number): boolean {
      const { changes } = dropSome.run(chunkId(day, 0, 0), chunkId(day + 1, 0, 0), limit)
      for (const { place, block } of ofDayChanged.all(day) as { place: string; block: number }[])
        changed.set(`${day} ${place} ${block}`, [day, Number(place), block])
      if (changes === limit) return false
      dropDay.run(day)
      days.delete(day)
      return true
    },
  }
}
