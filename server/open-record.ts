import { alone } from './cluster/alone.ts'
import { sharedTokenSecret } from './cluster/shared-token-secret.ts'
import type { Env } from './config/config.ts'
import { type Core, openCore } from './core.ts'
import type { SealedRecord } from './jobs/seals/verify-log.ts'
import { type Database, openDatabase } from './store/postgres/database.ts'
import { migrate } from './store/postgres/migrations.ts'
import { openSealedFolder } from './store/sqlite/sealed-record.ts'

/** `database`: where the record is in one */
export type OpenRecord = { core: Core; database: Database | undefined; close(): Promise<void> }

/**
 * Production's record without a server: a folder that no server has open, or a database beside the nodes that run. With a
 * database this process leads nothing and keeps nothing.
 * @throws RecordOfOtherUse, OtherSecret, StoreUnavailable; CannotStart where another process has the folder open
 */
export async function openRecord(env: Env): Promise<OpenRecord> {
  const { databaseUrl, tokenSecret } = env
  const options = { clock: { now: () => Date.now() }, use: 'production' as const, onStale: () => {} }
  const cluster = alone({ node: 'admin', address: 'http://127.0.0.1', dataDir: env.dataDir })
  if (databaseUrl === undefined) {
    const core = await openCore({
      ...options,
      env,
      infrastructure: { cluster, database: undefined, bus: undefined },
    })
    return { core, database: undefined, close: core.close }
  }
  const database = await openDatabase(databaseUrl)
  try {
    await migrate(database)
    const secret = await sharedTokenSecret(tokenSecret, database)
    const core = await openCore({
      ...options,
      env: { ...env, dataDir: ':memory:' },
      infrastructure: {
        cluster: { ...cluster, leads: () => false, tokenSecret: secret },
        database,
        bus: undefined,
      },
    })
    return {
      core,
      database,
      async close() {
        await core.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The record and the tree over it, to be looked at: of a folder that no server has open, or of the database beside the nodes.
 * @param folder the one in `DATA_DIR`, or in the database, where left out
 */
export async function openSealedRecord(
  folder: string | undefined,
  env: Env,
): Promise<{ record: SealedRecord; close(): Promise<void> }> {
  if (folder !== undefined || env.databaseUrl === undefined) {
    const { close, ...record } = openSealedFolder(folder ?? env.dataDir)
    return { record, close: async () => close() }
  }
  const { core, close } = await openRecord(env)
  return { record: core.store, close }
}
