import { randomBytes } from 'node:crypto'
import type { Bus } from '../store/bus.ts'
import type { Database } from '../store/postgres/database.ts'
import type { Query } from '../store/postgres/session.ts'
import { openNatsBus } from './nats-bus.ts'
import { openNotifyBus } from './notify-bus.ts'
import { sealed } from './sealed-bus.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

export type BusOptions = {
  database: Pick<Database, 'ask' | 'listen' | 'isUp'>
  /** servers of NATS; none: the database alone carries messages */
  natsServers: readonly string[]
  /** this node's name */
  node: string
  /** for operators */
  say: (line: string) => void
}

export type OpenBus = Bus & {
  /** whether messages go the configured way, not the fallback */
  isWhole(): boolean
}

/**
 * The bus of all nodes that share a database whose tables are up to date: NATS while it can be reached, else `NOTIFY`.
 * All listen to both, so two nodes that see NATS differently still reach each other.
 */
export async function openBus({ database, natsServers, node, say }: BusOptions): Promise<OpenBus> {
  const notify = openNotifyBus(database)
  if (natsServers.length === 0) return { ...notify, isWhole: notify.isUp }
  const { record, key } = await database.ask(keysOf)
  const prefix = `frostline.${record}.${await database.ask(placeOf)}`
  const nats = sealed(openNatsBus({ servers: natsServers, prefix, name: `frostline ${node}`, say }), key, {
    say,
  })
  const best = (): Bus => (nats.isUp() ? nats : notify)
  return {
    get most() {
      return best().most
    },
    isUp: () => best().isUp(),
    isWhole: nats.isUp,
    publish: (subject, bytes) => best().publish(subject, bytes),
    subscribe(subject, listener) {
      const stops = [nats.subscribe(subject, listener), notify.subscribe(subject, listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    async close() {
      await Promise.all([nats.close(), notify.close()])
    },
  }
}

/** Where the record is: what was restored from a dump beside it has its name and key, and goes on by itself. */
async function placeOf(sql: Query): Promise<string> {
  const [row] = await sql<{ oid: string }[]>`
    SELECT oid::text FROM pg_database WHERE datname = current_database()`
  const [server] = await sql<{ id: string }[]>`
    SELECT system_identifier::text AS id FROM pg_control_system()`.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error
    return []
  })
  return `${server?.id ?? ''}-${row?.oid}`
}

/** Which record it is, and the key by which its nodes know each other: made by the first that asks. */
async function keysOf(sql: Query): Promise<{ record: string; key: Buffer }> {
  await sql`
    INSERT INTO house_keys VALUES ('bus', ${randomBytes(32).toString('base64url')}) ON CONFLICT DO NOTHING`
  const [row] = await sql<{ record: string; key: string }[]>`
    SELECT log.database AS record, house_keys.value AS key FROM log, house_keys WHERE name = 'bus'`
  if (row === undefined) throw new Error('the record has no state: something emptied its tables')
  return { record: row.record, key: Buffer.from(row.key, 'base64url') }
}
