import { Gauge, type Registry } from 'prom-client'
import type { Cluster } from '../cluster/cluster.ts'
import { gaugesOf } from '../metrics/gauges.ts'
import type { Database } from '../store/postgres/database.ts'

export type NodeParts = {
  cluster: Pick<Cluster, 'leads' | 'leader'>
  /** undefined where the record is this process's own */
  database: Pick<Database, 'isUp'> | undefined
  isBusUp(): boolean
}

/** What `/metrics` tells of this node among others. How far its copy of the record is, is `log_head` beside the others'. */
export function registerNodeMetrics(registry: Registry, { cluster, database, isBusUp }: NodeParts): void {
  const gauge = gaugesOf(registry)
  gauge('node_leads', 'Whether this node leads (1) or not (0)', () => (cluster.leads() ? 1 : 0))
  new Gauge({
    name: 'node_lead_term',
    help: 'In which term the server is led, and by whom, as this node knows it',
    labelNames: ['lead'],
    registers: [registry],
    collect() {
      this.reset()
      const lead = cluster.leader()
      if (lead) this.set({ lead: lead.node }, lead.term)
    },
  })
  if (database === undefined) return
  gauge('database_up', 'Whether the database answers (1) or not (0)', () => (database.isUp() ? 1 : 0))
  gauge(
    'bus_up',
    'Whether other nodes are notified by NATS where NATS_URL is set, else by the database (1), or not (0)',
    () => (isBusUp() ? 1 : 0),
  )
}
