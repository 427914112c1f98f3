import type { DatabaseSync } from 'node:sqlite'
import { type Checksum, sumOfChunk } from '../checksums.ts'
import { chunkFault, type ReadChunk, soundChunks } from '../chunk-damage.ts'
import type { DamageRegister } from '../damage.ts'
import type { DayChunk } from '../day-chunks.ts'
import { blockOf } from '../seals/seal-store.ts'
import { DEVICES } from '../storable.ts'
import { createMark } from './chunk-mark.ts'
import { GROUP, type Group, openWindows, PUT, reloadWindows, WINDOWS, windowsOf } from './chunk-windows.ts'
import { isCorrupt } from './failures.ts'

const LEFT_AT_ONCE = 256

/**
 * The chunks, and which windows each day has. What changes belongs to the caller's transaction; when that fails, the
 * caller says `reload`.
 */
export type ChunkTable = ReturnType<typeof openChunkTable>

export function openChunkTable(db: DatabaseSync, damage: DamageRegister) {
  return {
    ...openWindows(db),
    damage,
    /** groups that changed in this transaction */
    changed: new Map<string, [day: number, window: number, block: number]>(),
    markGroup: createMark(db),
    put: db.prepare('INSERT OR REPLACE INTO chunks (id, bytes, sum) VALUES (?, ?, ?)'),
    select: db.prepare('SELECT bytes, sum FROM chunks WHERE id = ?'),
    is: db.prepare('SELECT 1 FROM chunks WHERE id = ?'),
    lengthOf: db.prepare('SELECT length(bytes) AS bytes FROM chunks WHERE id = ?'),
    someBetween: db.prepare('SELECT id FROM chunks WHERE id >= ? AND id < ? ORDER BY id LIMIT ?'),
    remove: db.prepare('DELETE FROM chunks WHERE id = ?'),
    dropSome: db.prepare(
      'DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id >= ? AND id < ? LIMIT ?)',
    ),
    dropDay: db.prepare('DELETE FROM days WHERE day = ?'),
    groupsOfDay: db.prepare('SELECT place, block FROM chunk_groups WHERE day = ?'),
  }
}

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

/** After a transaction that was rolled back: what is in memory is read from the tables again. */
export function reload(table: ChunkTable): void {
  table.changed.clear()
  reloadWindows(table)
}

/** Writes which groups changed, before the transaction ends. */
export function flush({ changed, markGroup }: ChunkTable): void {
  for (const [day, window, block] of changed.values()) markGroup(day, window, block)
  changed.clear()
}

/** Writes a chunk in place of what its device has in this window of the day. */
export function putChunk(table: ChunkTable, { device, day, bytes }: DayChunk, window: number): void {
  table.put.run(chunkId(day, window, device), bytes, sumOfChunk(bytes))
  noteChanged(table, day, window, blockOf(device))
}

/** Whether a device's day was put, damaged or not. */
export function isPut({ days, is }: ChunkTable, device: number, day: number): boolean {
  return days.has(day) && is.get(chunkId(day, PUT, device)) !== undefined
}

/** The chunk in a window; undefined where there is none, or one that is not as it was written. */
export function chunkIn(table: ChunkTable, device: number, day: number, window: number) {
  return soundChunks(read(table, device, day, [window]), table.damage)[0]
}

/** Chunks of one device and day that are as they were written, those stored first first. */
export function chunksOfDay(table: ChunkTable, device: number, day: number): DayChunk[] {
  return soundChunks(withoutGuess(read(table, device, day, windowsOf(table, day))), table.damage)
}

/** Those of a group of windows, damaged ones left out: what is written in their place is of others. */
export function chunksToMerge(table: ChunkTable, device: number, { day, first, last }: Group) {
  const windows = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  return soundChunks(read(table, device, day, windows), table.damage, ' before merging')
}

/** Bytes of a device's chunks of a day. */
export function bytesOfDay(table: ChunkTable, device: number, day: number): number {
  let sum = 0
  for (const window of windowsOf(table, day))
    sum += (table.lengthOf.get(chunkId(day, window, device)) as { bytes: number } | undefined)?.bytes ?? 0
  return sum
}

/** Whether there was one. */
export function removeChunk(table: ChunkTable, device: number, day: number, window: number): boolean {
  const isRemoved = table.remove.run(chunkId(day, window, device)).changes > 0
  if (isRemoved) noteChanged(table, day, window, blockOf(device))
  return isRemoved
}

/** Removes a device's chunks of a group but the first window's, damaged or not; on a page that cannot be read they stay. */
export function removeBehind(table: ChunkTable, device: number, { day, first, last }: Group): void {
  for (let window = first + 1; window <= last; window++)
    try {
      removeChunk(table, device, day, window)
    } catch (error) {
      if (!isCorrupt(error)) throw error
    }
}

/** Removes a device's chunks of a day, but for the one that was put; whether there were some. */
export function removeChunksOfDay(table: ChunkTable, device: number, day: number): boolean {
  let isCleared = false
  for (const window of windowsOf(table, day))
    if (window !== PUT && removeChunk(table, device, day, window)) isCleared = true
  return isCleared
}

/** Drops up to `limit` chunks of a day, then the day; whether it is gone. */
export function dropDay(table: ChunkTable, day: number, limit: number): boolean {
  const { changes } = table.dropSome.run(chunkId(day, 0, 0), chunkId(day + 1, 0, 0), limit)
  for (const { place, block } of table.groupsOfDay.all(day) as { place: string; block: number }[])
    noteChanged(table, day, Number(place), block)
  if (changes === limit) return false
  table.dropDay.run(day)
  table.days.delete(day)
  return true
}

/**
 * Chunks behind the first window of groups that are merged: no answer and no retention finds them. Earlier releases left one
 * there of each device that had none in the first window. Ascending; it may go on after what it named is removed.
 */
export function* leftBehind(table: ChunkTable): Generator<Group & { device: number }, undefined> {
  for (const [day, { merged }] of [...table.days])
    for (let first = PUT + 1; first < merged * GROUP; first += GROUP) {
      const last = first + GROUP - 1
      const end = chunkId(day, last + 1, 0)
      for (let from = chunkId(day, first + 1, 0); from < end; ) {
        const found = table.someBetween.all(from, end, LEFT_AT_ONCE) as { id: number }[]
        for (const { id } of found) yield { device: keyOfChunk(id).device, day, first, last }
        from = found.length < LEFT_AT_ONCE ? end : (found.at(-1) as { id: number }).id + 1
      }
    }
}

/** What lies in these windows, damaged or not. */
function read({ select }: ChunkTable, device: number, day: number, windows: readonly number[]): ReadChunk[] {
  const found: ReadChunk[] = []
  for (const window of windows) {
    const place = { device, day, place: window }
    try {
      const row = select.get(chunkId(day, window, device)) as { bytes: Uint8Array; sum: Checksum } | undefined
      if (row) found.push({ ...place, bytes: row.bytes, fault: chunkFault(row.bytes, row.sum) })
    } catch (error) {
      if (!isCorrupt(error)) throw error
      found.push({ ...place, fault: (error as Error).message })
    }
  }
  return found
}

/**
 * Without the place of a put day on a page that cannot be read, where the device has other chunks of the day: few days that
 * were written to were also put, and the page is another one's most likely.
 */
function withoutGuess(found: ReadChunk[]): ReadChunk[] {
  const [first, ...others] = found
  const isGuess = first?.place === PUT && first.bytes === undefined && others.length > 0
  return isGuess ? others : found
}

function noteChanged({ changed }: ChunkTable, day: number, window: number, block: number): void {
  changed.set(`${day} ${window} ${block}`, [day, window, block])
}
