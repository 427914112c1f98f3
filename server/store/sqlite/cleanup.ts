import type { DatabaseSync } from 'node:sqlite'
import { DAY } from '../chunks/chunk.ts'
import type { Archive } from './archive.ts'
import type { Writer } from './writer.ts'

const BATCHES_AT_ONCE = 16
const CHUNKS_AT_ONCE = 500
/** Longest that a follower that fell behind keeps compacted batches from being deleted. */
const PATIENCE = 2 * 3_600_000

/** Deletes what nobody needs any more, some at a time. */
export function createCleanup(db: DatabaseSync, writer: Writer, archive: Archive, retentionDays: number) {
  const oldest = db.prepare('SELECT seq, recorded_at FROM batches WHERE seq <= ? ORDER BY seq LIMIT ?')
  const drop = db.prepare('DELETE FROM batches WHERE seq <= ?')
  const noteDropped = db.prepare('UPDATE compaction SET deleted_through = ?')
  const follower = db.prepare('SELECT min(seq) AS seq FROM checkpoints')
  let deletedThrough = (db.prepare('SELECT deleted_through AS seq FROM compaction').get() as { seq: number })
    .seq

  return {
    deletedThrough: () => deletedThrough,
    /** Compacted batches that every checkpoint is past, or that are two hours old. Whether there are more. */
    deleteBatches(compactedThrough: number, now: number): boolean {
      const seen = (follower.get() as { seq: number | null }).seq ?? Number.POSITIVE_INFINITY
      let last = 0
      let count = 0
      for (const row of oldest.all(compactedThrough, BATCHES_AT_ONCE)) {
        const { seq, recorded_at: recordedAt } = row as { seq: number; recorded_at: number }
        if (seq > seen && recordedAt >= now - PATIENCE) break
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
    /**
     * A day is dropped when it is out of retention and nothing was written to it for as long: trackers may deliver
     * readings that are years old. Whether there is more.
     */
    dropDays(now: number): boolean {
      const day = archive.chunks.oldDay(Math.floor(now / DAY) - retentionDays, now - retentionDays * DAY)
      if (day === undefined) return false
      archive.change(() => archive.drop(day, CHUNKS_AT_ONCE))
      return true
    },
  }
}
