import type { Clock } from '#machines/contracts/clock.ts'
import type { Env } from '../config/config.ts'
import type { Database } from './postgres/database.ts'
import { openPostgresStore, type PostgresOptions } from './postgres/open.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { noteQuickCheck, quickCheck } from './sqlite/quick-check.ts'
import type { Store } from './store.ts'

export type StoreOptions = Pick<PostgresOptions, 'bus' | 'leads' | 'onStale' | 'onUnable'> & {
  clock: Clock
  /** of `env.databaseUrl`, where it is open already; it stays open when the store is closed */
  database?: Database | undefined
}

/**
 * Opens the store the environment names: PostgreSQL and a copy of its newest part in `dataDir`, or all of it embedded
 * there.
 * @throws Error when the folder is another process's or a later release was here; StoreUnavailable when no database
 * answers
 */
export async function openStore(
  { dataDir: dir, databaseUrl }: Pick<Env, 'dataDir' | 'databaseUrl'>,
  { database = undefined, ...options }: StoreOptions,
): Promise<Store> {
  const record = database ?? databaseUrl
  if (record !== undefined) return openPostgresStore({ ...options, database: record, dir })
  const checked = await quickCheck(dir)
  const store = openSqliteStore({ dir, clock: options.clock })
  noteQuickCheck(checked, store.damage)
  return store
}
