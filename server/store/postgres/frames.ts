import { type Frame, type FrameStore, fromFrameRow } from '../frames.ts'
import type { Database } from './database.ts'

const MINUTES_AN_HOUR = 60

/** Frames of the fleet, in the database, for all nodes. */
export const createSharedFrames = (database: Pick<Database, 'ask'>): FrameStore => ({
  async put({ minute, seq, base, bytes }, late = []) {
    const hours = late.map(({ hour }) => hour)
    const devices = late.map(({ device }) => device)
    const stored = await database.ask(
      (sql) => sql`WITH stored AS (
          INSERT INTO frames (minute, seq, base, bytes)
          SELECT ${minute}, ${seq}, ${base}, ${Buffer.from(bytes)}
          WHERE NOT EXISTS (SELECT 1 FROM frames WHERE minute >= ${minute})
          AND (${base}::bigint IS NULL OR ${base}::bigint = (SELECT seq FROM frames ORDER BY minute DESC LIMIT 1))
          ON CONFLICT DO NOTHING RETURNING minute
        ), noted AS (
          INSERT INTO late_hours (hour, device)
          SELECT hour, device FROM unnest(${hours}::int[], ${devices}::int[]) AS late (hour, device)
          WHERE EXISTS (SELECT 1 FROM stored) ON CONFLICT DO NOTHING
        ) SELECT minute FROM stored`,
    )
    return stored.length > 0
  },
  async upTo(minute, from = 0) {
    const rows = await database.ask(
      (sql) => sql<Frame[]>`SELECT minute, seq, base, bytes FROM frames
        WHERE minute >= (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ${minute})
          AND minute BETWEEN ${from} AND ${minute}
        ORDER BY minute`,
    )
    return rows.map(fromFrameRow)
  },
  async next(minute) {
    const [row] = await database.ask(
      (sql) =>
        sql<
          Frame[]
        >`SELECT minute, seq, base, bytes FROM frames WHERE minute > ${minute} ORDER BY minute LIMIT 1`,
    )
    return row && fromFrameRow(row)
  },
  async span() {
    const [row] = await database.ask(
      (sql) => sql<{ first: number; last: number; lastSeq: number }[]>`
        SELECT (SELECT min(minute) FROM frames) AS first, minute AS last, seq AS "lastSeq" FROM frames
        ORDER BY minute DESC LIMIT 1`,
    )
    return row
  },
  async lateDevices(from, to) {
    const rows = await database.ask(
      (sql) => sql<{ device: number }[]>`SELECT DISTINCT device FROM late_hours
        WHERE hour BETWEEN ${from} AND ${to} ORDER BY device`,
    )
    return rows.map(({ device }) => device)
  },
  async lateAmong(devices, from, to) {
    const rows = await database.ask(
      (sql) => sql<{ device: number }[]>`SELECT device
        FROM unnest(${[...devices]}::int[], ${[...from]}::int[]) AS asked (device, since)
        WHERE EXISTS (SELECT 1 FROM late_hours l WHERE l.device = asked.device AND l.hour BETWEEN asked.since AND ${to})`,
    )
    return rows.map(({ device }) => device)
  },
  async drop(before) {
    await database.ask(
      (sql) => sql`DELETE FROM late_hours WHERE hour < ${Math.floor(before / MINUTES_AN_HOUR)}`,
    )
    await database.ask(
      (sql) => sql`DELETE FROM frames
        WHERE minute < (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ${before})`,
    )
  },
})
