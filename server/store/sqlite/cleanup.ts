import type { DatabaseSync } from 'node:sqlite'
import { MOST_BEHIND, type Retention } from '../retention.ts'
import type { Archive } from './archive.ts'
import { oldDay } from './chunk-windows.ts'
import type { Seals } from './seals.ts'
import type { Writer } from './writer.ts'

const BATCHES_AT_ONCE = 16
const CHUNKS_AT_ONCE = 500

/** Deletes what nobody needs any more, some at a time. */
export function createCleanup(
  db: DatabaseSync,
  writer: Writer,
  archive: Archive,
  retention: Retention,
  seals: Pick<Seals, 'extendNow' | 'mayDeleteThrough'>,
) {
  const oldest = db.prepare('SELECT seq, recorded_at FROM batches WHERE seq <= ? ORDER BY seq LIMIT ?')
  const drop = db.prepare('DELETE FROM batches WHERE seq <= ?')
  const noteDropped = db.prepare('UPDATE compaction SET deleted_through = ?')
  const follower = db.prepare('SELECT min(seq) AS seq FROM checkpoints')
  let deletedThrough = (db.prepare('SELECT deleted_through AS seq FROM compaction').get() as { seq: number })
    .seq

  return {
    deletedThrough: () => deletedThrough,
    /**
     * Compacted batches that every checkpoint is past, or that are two hours old, and that are in the tree. Whether there are
     * more.
     */
    deleteBatches(compactedThrough: number, now: number): boolean {
      if (seals.extendNow()) return true
      const through = Math.min(compactedThrough, seals.mayDeleteThrough())
      const seen = (follower.get() as { seq: number | null }).seq ?? Number.POSITIVE_INFINITY
      let last = 0
      let count = 0
      for (const row of oldest.all(through, BATCHES_AT_ONCE)) {
        const { seq, recorded_at: recordedAt } = row as { seq: number; recorded_at: number }
        if (seq > seen && recordedAt >= now - MOST_BEHIND) break
        last = seq
        count++
      }
      if (count === 0) return false
      writer.inBackground(() => {
        drop.run(last)
        noteDropped.run(last)
      })
      deletedThrough = last
      return count === BATCHES_AT_ONCE
    },
    /** Drops some of a day, see Retention. Whether there is more. */
    dropDays(now: number): boolean {
      const day = oldDay(archive.chunks, retention, now)
      if (day === undefined) return false
      archive.change(() => archive.drop(day, CHUNKS_AT_ONCE))
      return true
    },
  }
}
