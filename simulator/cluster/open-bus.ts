import type { Database } from '../log/postgres/database.ts'
import type { Bus } from './bus.ts'
import { openNatsBus } from './nats-bus.ts'
import { openNotifyBus } from './notify-bus.ts'

export type BusOptions = {
  database: Pick<Database, 'ask' | 'listen' | 'isUp'>
  /** servers of NATS; none: the database alone carries messages */
  natsServers: readonly string[]
  /** this node's name */
  node: string
  /** for whoever runs the house */
  say: (line: string) => void
}

/**
 * The bus of all nodes that share a database whose tables are up to date: NATS while it can be reached, else `NOTIFY`.
 * All listen to both, so two that see NATS differently still hear each other.
 */
export async function openBus({ database, natsServers, node, say }: BusOptions): Promise<Bus> {
  const notify = openNotifyBus(database)
  if (natsServers.length === 0) return notify
  const [log] = await database.ask((sql) => sql<{ database: string }[]>`SELECT database FROM log`)
  // another house on the same servers has another record
  const prefix = `frostline.${log?.database}`
  const nats = openNatsBus({ servers: natsServers, prefix, name: `frostline ${node}`, say })
  const best = (): Bus => (nats.isUp() ? nats : notify)
  return {
    get most() {
      return best().most
    },
    isUp: () => best().isUp(),
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
