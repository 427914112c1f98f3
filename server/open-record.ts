import { alone } from './cluster/alone.ts'
import { sharedTokenSecret } from './cluster/shared-token-secret.ts'
import type { Env } from './config/config.ts'
import { type Core, openCore } from './core.ts'
import { openDatabase } from './store/postgres/database.ts'
import { migrate } from './store/postgres/migrations.ts'

export type OpenRecord = { core: Core; close(): Promise<void> }

/**
 * Production's record without a server: a folder that no server has open, or a database beside the nodes that run. With a
 * database this process leads nothing and keeps nothing.
 * @throws RecordOfOtherUse, OtherSecret, StoreUnavailable; Error where another process has the folder open
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
    return { core, close: core.close }
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
