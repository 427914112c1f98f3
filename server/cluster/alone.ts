import { createReportFiles } from '../store/report-files.ts'
import type { Cluster } from './cluster.ts'

/**
 * A cluster of one node, without a database: it leads for ever and there is nobody to talk to. Values live as long as it does.
 * @param options `dataDir`: where files are kept; `address`: where the server is reached
 */
export function alone({
  node,
  address,
  dataDir,
}: {
  node: string
  address: string
  dataDir: string
}): Cluster {
  const values = new Map<string, unknown>()
  const listeners = new Set<(name: string, value: unknown) => void>()
  return {
    node,
    leads: () => true,
    leader: () => ({ node, address, term: 1 }),
    onLeadership: () => () => {},
    stepDown: () => {},
    values: {
      get: (name) => values.get(name),
      async set(name, value) {
        values.set(name, value)
        for (const listener of [...listeners]) listener(name, value)
      },
      refresh: async () => {},
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    publish: () => {},
    onMessage: () => () => {},
    tokenSecret: undefined,
    files: createReportFiles(dataDir),
    close: async () => {},
  }
}
