import { DAY } from '../chunks/chunk.ts'
import { MOST_BEHIND, type Retention } from '../retention.ts'
import { extendTree } from './seals.ts'
import type { Query } from './session.ts'
import { type ArchivePlace, impatient, lockArchive, readState, unlessBusy } from './telemetry-state.ts'

const BATCHES_AT_ONCE = 256

/** Deletes what nobody needs any more, some at a time, whichever node does. */
export function createCleanup({ database, epoch }: ArchivePlace, retention: Retention) {
  return {
    /**
     * Compacted batches that every checkpoint is past, or that are two hours old, and that are in the tree: up to which one they
     * are deleted now, and whether there are more.
     */
    async deleteBatches(now: number): Promise<{ through: number; hasMore: boolean }> {
      while (await database.transaction((sql) => extendTree(sql, epoch)));
      return database.transaction(async (sql) => {
        await lockArchive(sql)
        const { doneThrough } = await readState(sql, epoch)
        const [tree] = await sql<[{ through: number }]>`
          SELECT least(size, coalesce(stated_through, size)) AS through FROM seal_tree`
        const mayGo = Math.min(doneThrough, tree.through)
        const [row] = await sql<[{ through: number | null; count: number }]>`
          WITH oldest AS (
            SELECT seq, recorded_at FROM batches WHERE seq <= ${mayGo}
            ORDER BY seq LIMIT ${BATCHES_AT_ONCE}),
          needed AS (
            SELECT min(seq) AS seq FROM oldest
            WHERE seq > (SELECT min(seq) FROM checkpoints) AND recorded_at >= ${now - MOST_BEHIND}),
          deleted AS (
            DELETE FROM batches
            WHERE seq <= (SELECT max(seq) FROM oldest) AND seq < coalesce((SELECT seq FROM needed), 9e15)
            RETURNING seq)
          SELECT max(seq) AS through, count(*)::int AS count FROM deleted`
        const [{ through }] = await sql<[{ through: number }]>`
          UPDATE batches_deleted SET through = greatest(through, ${row.through ?? 0}::bigint) RETURNING through`
        return { through, hasMore: row.count === BATCHES_AT_ONCE }
      })
    },
    /** Drops a day, see Retention. Whether there is more. */
    async dropDays(now: number): Promise<boolean> {
      const find = (sql: Query) => sql<{ day: number }[]>`
        SELECT day FROM telemetry_days WHERE day < ${retention.firstDay(now)} AND (
          made_at < ${retention.leavesAt(0)}::float8 + day * ${DAY}::float8 OR written_at < ${retention.writtenBefore(now)}) LIMIT 1`
      if ((await database.ask(find)).length === 0) return false
      const drop = async (sql: Query): Promise<boolean> => {
        await lockArchive(sql)
        await readState(sql, epoch)
        const [old] = await find(sql)
        if (old === undefined) return true
        await impatient(sql)
        await sql`SELECT drop_telemetry_day(${old.day})`
        return true
      }
      return unlessBusy(() => database.transaction(drop))
    },
  }
}
