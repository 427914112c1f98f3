import { afterAll, beforeAll } from 'vitest'
import { emptyDatabase } from '../../../cluster/test-database.ts'
import { telemetryOfNodesContract, telemetryStoreContract } from '../telemetry-store.contract.ts'
import type { StoreOptions, WithStores } from '../testing/stores.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './open.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(await emptyDatabase())
  await migrate(database)
})
afterAll(() => database.close())

/** One database for all: making one takes longer than what is tried in it. */
const inPostgres: WithStores = async (run) => {
  /** one device a slice, so that tests meet a compaction at every stage of its work */
  const open = (options: StoreOptions) =>
    openPostgresStore({ ...options, sliceMs: 0, database, dir: ':memory:' })
  try {
    await run({ open, reopen: open })
  } finally {
    await emptyRecord(database)
  }
}

telemetryStoreContract('PostgreSQL', inPostgres)
telemetryOfNodesContract('PostgreSQL', inPostgres)
