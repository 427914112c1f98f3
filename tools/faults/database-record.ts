import { openStore } from '../../server/store/open.ts'
import { databasesAt } from '../local-cluster/databases.ts'
import { lossesOf } from './record.ts'
import type { Ledger } from './writers.ts'

/** What is wrong with a record in PostgreSQL: in its tables, and for a node that has nothing of it yet. */
export async function lossesInDatabase(url: string, ledger: Ledger): Promise<string[]> {
  const store = await openStore(
    { dataDir: ':memory:', databaseUrl: url },
    { clock: { now: () => Date.now() }, leads: () => false },
  )
  try {
    return [...(await gapsInTables(url)), ...(await lossesOf(store, ledger))]
  } finally {
    await store.close()
  }
}

/** Every number from where batches were deleted up to the head is a fact or a batch, and only one. */
async function gapsInTables(url: string): Promise<string[]> {
  const [found] = await databasesAt(url).ask(`
    SELECT head::int, through::int, count(seq)::int AS count, count(DISTINCT seq)::int AS numbers
    FROM log, batches_deleted, (SELECT seq FROM facts UNION ALL SELECT seq FROM batches) AS entries
    WHERE seq > through AND seq <= head GROUP BY head, through`)
  const { head, through, count, numbers } = found as Record<string, number>
  if (count === numbers && count === Number(head) - Number(through)) return []
  return [`from ${through} to ${head} there are ${count} entries of ${numbers} numbers`]
}
