import type { Bus } from '../store/bus.ts'
import type { Database } from '../store/postgres/database.ts'
import type { ReportFiles } from '../store/report-files.ts'
import type { Cluster } from './cluster.ts'
import { holdLease } from './lease.ts'
import { sharedTokenSecret } from './shared-token-secret.ts'
import { openSharedValues } from './shared-values.ts'

export type SeveralOptions = {
  database: Database
  bus: Bus
  /** this node's name */
  node: string
  /** where other nodes reach it */
  address: string
  files: ReportFiles
  /** `TOKEN_SECRET`; undefined: one that all nodes find in the database */
  tokenSecret?: string | undefined
  /** ms for which leading is given at a time */
  ttl?: number
  /** for operators */
  say?: (line: string) => void
}

/**
 * A cluster of all nodes that share a database, whose tables are up to date. Resolves when it is known who leads.
 * @throws OtherSecret where the other nodes sign tokens with another key
 */
export async function joinOthers({ bus, files, ...options }: SeveralOptions): Promise<Cluster> {
  const { database, node } = options
  // before this node may lead: the check needs to see who leads
  const tokenSecret = await sharedTokenSecret(options.tokenSecret, database)
  const values = await openSharedValues(database)
  const lease = await holdLease(options)
  return {
    node,
    ...lease,
    values,
    publish(subject, message) {
      bus.publish(`told.${subject}`, Buffer.from(JSON.stringify(message)))
    },
    onMessage(subject, listener) {
      return bus.subscribe(`told.${subject}`, (bytes) => {
        const message = parsed(bytes)
        if (message !== undefined) listener(message)
      })
    },
    tokenSecret,
    files,
    async close() {
      await lease.close()
      values.close()
    },
  }
}

/** undefined: it is none of ours */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
