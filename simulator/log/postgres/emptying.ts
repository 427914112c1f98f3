import type { Database } from './database.ts'
import type { Query } from './session.ts'
import { lockArchive } from './telemetry-state.ts'

/** Ms to wait for appends and compaction that are under way. */
const PATIENCE = 30_000

/**
 * Forgets facts, readings and checkpoints. Every node's store is stale afterwards, the one of who did it too.
 * @param also what is done with it or not at all
 */
export async function emptyRecord(
  database: Database,
  also: (sql: Query) => Promise<unknown> = async () => {},
): Promise<void> {
  await database.transaction(async (sql) => {
    await lockArchive(sql)
    await sql`SELECT empty_log(), empty_telemetry()`
    await also(sql)
  }, PATIENCE)
}
