import type { DatabaseSync } from 'node:sqlite'
import { type Frame, type FrameStore, fromFrameRow } from '../frames.ts'
import type { Writer } from './writer.ts'

/** Frames of the fleet, in the store's own file. */
export function createFrames(db: DatabaseSync, writer: Writer): FrameStore {
  const insert = db.prepare(
    `INSERT INTO frames (minute, seq, base, bytes) SELECT ?1, ?2, ?3, ?4
      WHERE NOT EXISTS (SELECT 1 FROM frames WHERE minute >= ?1)
      AND (?3 IS NULL OR ?3 = (SELECT seq FROM frames ORDER BY minute DESC LIMIT 1))`,
  )
  const upTo = db.prepare(
    `SELECT minute, seq, base, bytes FROM frames
      WHERE minute >= (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ?1) AND minute <= ?1 ORDER BY minute`,
  )
  const span = db.prepare('SELECT min(minute) AS first, max(minute) AS last FROM frames')
  const drop = db.prepare(
    'DELETE FROM frames WHERE minute < (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ?)',
  )

  return {
    put: ({ minute, seq, base, bytes }) =>
      writer.submit(() => insert.run(minute, seq, base, bytes).changes > 0),
    upTo: async (minute) => (upTo.all(minute) as Frame[]).map(fromFrameRow),
    async span() {
      const { first, last } = span.get() as { first: number | null; last: number | null }
      return first === null || last === null ? undefined : { first, last }
    },
    drop: (before) => writer.submit(() => void drop.run(before)),
  }
}
