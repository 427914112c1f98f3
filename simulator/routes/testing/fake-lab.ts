import type { LabRun } from '#machines/contracts/calls/lab-calls.ts'
import type { LabDeps } from '../lab.ts'

/** A lab that knows one run, `r1`, and starts another for whatever it is asked. */
export function fakeLab(token?: string): LabDeps {
  const run: LabRun = { id: 'r1', machine: 'session', transition: 'a', state: 'running', failure: null }
  const find = (id: string) => (id === 'r1' ? run : undefined)
  return {
    token,
    coverage: () => ({ specs: [], taken: {} }),
    isKnown: async () => true,
    runs: { start: (order) => ({ ...run, ...order }), find, cancel: find, stop: async () => {} },
  }
}
