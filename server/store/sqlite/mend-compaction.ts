import type { DatabaseSync } from 'node:sqlite'
import { newestTimeOf } from '../chunks/times.ts'
import { NewestTimes } from '../newest-times.ts'
import { keyOfChunk } from './chunk-table.ts'

/**
 * Makes the row that says how far compaction is, and the rows of days, out of the chunks and batches that were copied, where they could
 * not be read. What may be compacted already is compacted again: of readings that are there twice one is answered. Runs in the caller's
 * transaction.
 */
export function mendCompaction(db: DatabaseSync, now: number): void {
  const days = new Map<number, number>()
  const newest = new NewestTimes()
  const newestDay = new Map<number, number>()
  const bytesOf = db.prepare('SELECT bytes FROM chunks WHERE id = ?')
  // newest days first, so that few chunks have to be read
  for (const { id } of db.prepare('SELECT id FROM chunks ORDER BY id DESC').iterate() as Iterable<{
    id: number
  }>) {
    const { device, day, window } = keyOfChunk(id)
    days.set(day, Math.max(window, days.get(day) ?? 0))
    if ((newestDay.get(device) ?? day) > day) continue
    const { bytes } = bytesOf.get(id) as { bytes: Uint8Array }
    newest.raise(device, newestIn(bytes, day))
    newestDay.set(device, day)
  }
  const putDay = db.prepare(
    'INSERT OR IGNORE INTO days (day, windows, last_job, written_at, merged, made_at) VALUES (?1, ?2, 0, ?3, 0, ?3)',
  )
  for (const [day, windows] of days) putDay.run(day, windows, now)
  if (db.prepare('SELECT 1 FROM compaction').get() !== undefined) return
  db.prepare(`INSERT INTO compaction SELECT 1, through, through, NULL, 0, ? FROM (
    SELECT ifnull((SELECT min(seq) - 1 FROM batches),
      max(ifnull((SELECT max(seq) FROM facts), 0), ifnull((SELECT size FROM seal_tree), 0))) AS through)`).run(
    new Uint8Array(newest.copy().buffer),
  )
}

/** One that is damaged ends with its day at the latest: a time that is too late has the day summed up anew, no more. */
function newestIn(bytes: Uint8Array, day: number): number {
  try {
    return newestTimeOf(bytes, day)
  } catch {
    return (day + 1) * 86_400_000 - 1
  }
}
