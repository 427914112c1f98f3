import type { Clock } from '#machines/contracts/clock.ts'
import type { Env } from '../config/config.ts'
import type { Database } from './postgres/database.ts'
import { openPostgresStore } from './postgres/open.ts'
import type { RowBus } from './postgres/sharing.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { noteQuickCheck, quickCheck } from './sqlite/quick-check.ts'
import type { Store } from './store.ts'

export type StoreOptions = {
  clock: Clock
  /** of `env.databaseUrl`, where it is open already; it stays open when the store is closed */
  database?: Database | undefined
  /** by which nodes publish to each other what they appended */
  bus?: RowBus | undefined
  /** whether this node leads now, so that its checkpoints are for all nodes (it does) */
  leads?: (() => boolean) | undefined
  /**
   * Called once when the record is not the one that this node has a copy of any more. Nothing is appended or followed after
   * that; the store is to be closed and opened anew. The embedded one is never stale.
   */
  onStale?: ((why: string) => void) | undefined
}

/**
 * Opens the store the environment names: PostgreSQL and a copy of its newest part in `dataDir`, or all of it embedded
 * there.
 * @throws Error when the folder is another process's or a later release was here; StoreUnavailable when no database
 * answers
 */
export async function openStore(
  { dataDir: dir, databaseUrl }: Pick<Env, 'dataDir' | 'databaseUrl'>,
  { clock, database = undefined, bus, leads, onStale }: StoreOptions,
): Promise<Store> {
  const record = database ?? databaseUrl
  if (record !== undefined) return openPostgresStore({ database: record, dir, clock, bus, leads, onStale })
  const checked = await quickCheck(dir)
  const store = openSqliteStore({ dir, clock })
  noteQuickCheck(checked, store.damage)
  return store
}
