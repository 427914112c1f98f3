import { hostname, networkInterfaces } from 'node:os'
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

/** What outlives an app: where the record is, and the other nodes. */
export type Infrastructure = {
  cluster: Cluster
  /** folder of what this node stores; `:memory:` keeps nothing */
  dataDir: string
  /** where the record is; undefined: in `dataDir` */
  database: Database | undefined
  /** by which nodes notify each other; undefined: there are no others */
  bus: Bus | undefined
  /** whether other nodes are notified by NATS where that is configured, else by the database */
  isBusUp(): boolean
  /**
   * Forgets the whole record; no store of this node may be open. `values`: what all nodes of a database are to share from
   * then on, set with it or not at all
   */
  forget(values: Record<string, unknown>): Promise<void>
  close(): Promise<void>
}

/**
 * Opens what the environment names. With a database, it is known who leads when it resolves.
 * @param address where the server listens, e.g. `http://127.0.0.1:4000`
 */
export async function openInfrastructure(env: Env, address: string): Promise<Infrastructure> {
  const node = env.nodeName ?? `${hostname()}:${new URL(address).port}`
  const reached = env.nodeUrl ?? reachedAt(address)
  const { databaseUrl } = env
  return databaseUrl === undefined
    ? embedded(env, node, reached)
    : shared({ ...env, databaseUrl }, node, reached)
}

function embedded({ dataDir, natsServers }: Env, node: string, address: string): Infrastructure {
  if (natsServers.length > 0)
    console.error('NATS_URL is set without DATABASE_URL: this node knows of no other')
  return {
    cluster: alone({ node, address, dataDir }),
    dataDir,
    database: undefined,
    bus: undefined,
    isBusUp: () => true,
    async forget() {
      removeSqliteStore(dataDir)
      await removeReportFiles(dataDir)
    },
    close: async () => {},
  }
}

async function shared(
  env: Env & { databaseUrl: string },
  node: string,
  address: string,
): Promise<Infrastructure> {
  const { tokenSecret, natsServers, dataDir } = env
  const database = await openDatabase(env.databaseUrl)
  try {
    await migrate(database)
    const say = (line: string): void => console.error(line)
    const bus = await openBus({ database, natsServers, node, say })
    const files = createSharedFiles(database)
    const cluster = await joinOthers({ database, bus, node, address, files, tokenSecret, say })
    return {
      cluster,
      dataDir,
      database,
      bus,
      isBusUp: bus.isWhole,
      async forget(values) {
        await emptyRecord(database, async (sql) => {
          await forgetFiles(sql)
          for (const [name, value] of Object.entries(values)) await setValue(sql, name, value)
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
