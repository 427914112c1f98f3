import type { Database } from './database.ts'
import type { Query } from './session.ts'
import { lockArchive } from './telemetry-state.ts'

/** Ms to wait for appends and compaction that are under way. */
const PATIENCE = 30_000

/**
 * Forgets facts, readings and checkpoints, in one transaction with whatever else there is to be forgotten. Every node's store
 * is stale afterwards, the one of who did it too.
 */
export async function emptyRecord(
  database: Database,
  also: (sql: Query) => Promise<void> = async () => {},
): Promise<void> {
  await database.transaction(async (sql) => {
    await lockArchive(sql)
    await sql`SELECT empty_log(), empty_telemetry()`
    await sql`TRUNCATE aside, answers, frames, late_hours`
    await also(sql)
  }, PATIENCE)
}
