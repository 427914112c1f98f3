import { type Frame, type FrameStore, fromFrameRow } from '../frames.ts'
import type { Database } from './database.ts'

/** Frames of the fleet, in the database, for all nodes. */
export const createSharedFrames = (database: Pick<Database, 'ask'>): FrameStore => ({
  async put({ minute, seq, base, bytes }) {
    const stored = await database.ask(
      (sql) => sql`INSERT INTO frames (minute, seq, base, bytes)
        SELECT ${minute}, ${seq}, ${base}, ${Buffer.from(bytes)}
        WHERE NOT EXISTS (SELECT 1 FROM frames WHERE minute >= ${minute})
        AND (${base}::bigint IS NULL OR ${base}::bigint = (SELECT seq FROM frames ORDER BY minute DESC LIMIT 1))
        ON CONFLICT DO NOTHING RETURNING minute`,
    )
    return stored.length > 0
  },
  async upTo(minute) {
    const rows = await database.ask(
      (sql) => sql<Frame[]>`SELECT minute, seq, base, bytes FROM frames
        WHERE minute >= (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ${minute}) AND minute <= ${minute}
        ORDER BY minute`,
    )
    return rows.map(fromFrameRow)
  },
  async span() {
    const [row] = await database.ask(
      (sql) => sql<
        { first: number | null; last: number | null }[]
      >`SELECT min(minute) AS first, max(minute) AS last
        FROM frames`,
    )
    return row === undefined || row.first === null || row.last === null
      ? undefined
      : { first: row.first, last: row.last }
  },
  async drop(before) {
    await database.ask(
      (sql) => sql`DELETE FROM frames
        WHERE minute < (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ${before})`,
    )
  },
})
