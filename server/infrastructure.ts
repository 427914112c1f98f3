import { randomUUID } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { keepOpened, keptOpened, openedIn, openedOf, type World } from '../simulator/active-scenario.ts'
import { BEGUN } from '../simulator/shared-world.ts'
import { alone } from './cluster/alone.ts'
import type { Cluster } from './cluster/cluster.ts'
import { openBus } from './cluster/open-bus.ts'
import { joinOthers } from './cluster/several.ts'
import { setValue } from './cluster/shared-values.ts'
import type { Env } from './config/config.ts'
import type { Bus } from './store/bus.ts'
import { type Database, openDatabase } from './store/postgres/database.ts'
import { emptyRecord } from './store/postgres/emptying.ts'
import { migrate } from './store/postgres/migrations.ts'
import { createSharedFiles, forgetFiles } from './store/postgres/report-files.ts'
import { removeReportFiles } from './store/report-files.ts'
import { removeSqliteStore } from './store/sqlite/open.ts'

/** What a house stands on, whatever app it shows: where its record is, and the other nodes. */
export type Ground = {
  cluster: Cluster
  /** where the record is; undefined: in `DATA_DIR` */
  database: Database | undefined
  /** by which nodes tell each other; undefined: there are no others */
  bus: Bus | undefined
  /** whether other nodes are told by NATS where that is wanted, else by the database */
  isBusUp(): boolean
  /** the world to begin with, as it is known by now on all nodes */
  opened(): Promise<World>
  /** forgets everything, for a start with this world; no store of this node may be open */
  forget(opened: World): Promise<void>
  close(): Promise<void>
}

/** The value all nodes share of which world was opened. */
const OPENED = 'opened'

/**
 * Takes the ground that the environment names. With a database, it is known who leads when it resolves.
 * @param address where the house listens, e.g. `http://127.0.0.1:4000`
 */
export async function openGround(env: Env, address: string): Promise<Ground> {
  const node = env.nodeName ?? `${hostname()}:${new URL(address).port}`
  const reached = env.nodeUrl ?? reachedAt(address)
  const { databaseUrl } = env
  return databaseUrl === undefined ? own(env, node, reached) : shared({ ...env, databaseUrl }, node, reached)
}

function own(env: Env, node: string, address: string): Ground {
  const { dataDir, natsServers } = env
  if (natsServers.length > 0)
    console.error('NATS_URL is set without DATABASE_URL: this node knows of no other')
  let kept = keptOpened(dataDir)
  return {
    cluster: alone({ node, address, dataDir }),
    database: undefined,
    bus: undefined,
    isBusUp: () => true,
    opened: async () => openedIn(env, kept),
    async forget(opened) {
      removeSqliteStore(dataDir)
      await removeReportFiles(dataDir)
      const now = openedOf(env, opened)
      kept = now
      keepOpened(dataDir, now)
    },
    close: async () => {},
  }
}

async function shared(env: Env & { databaseUrl: string }, node: string, address: string): Promise<Ground> {
  const database = await openDatabase(env.databaseUrl)
  try {
    await migrate(database)
    const { tokenSecret, natsServers } = env
    const say = (line: string): void => console.error(line)
    const bus = await openBus({ database, natsServers, node, say })
    const files = createSharedFiles(database)
    const cluster = await joinOthers({ database, bus, node, address, files, tokenSecret })
    return {
      cluster,
      database,
      bus,
      isBusUp: bus.isWhole,
      async opened() {
        await cluster.values.refresh()
        return openedIn(env, cluster.values.get(OPENED))
      },
      async forget(opened) {
        await emptyRecord(database, async (sql) => {
          await forgetFiles(sql)
          await setValue(sql, OPENED, openedOf(env, opened))
          await setValue(sql, BEGUN, randomUUID())
        })
        await cluster.values.refresh()
      },
      async close() {
        await cluster.close()
        await bus.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Where other machines find this one, which may listen on all of its addresses. */
function reachedAt(address: string): string {
  const url = new URL(address)
  if (url.hostname !== '0.0.0.0' && url.hostname !== '[::]') return url.origin
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  url.hostname = outer?.address ?? 'localhost'
  return url.origin
}
