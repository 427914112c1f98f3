import type { Coverage } from '#machines/contracts/calls/lab-calls.ts'
import { counted, endsOf, merged, statesIn } from '#machines/testing/coverage.ts'
import { type CoverageDb, openCoverageDb } from '../effects/coverage-db.ts'
import { type Inspection, inspection } from './inspection.ts'
import { followMachines, type NamedStep } from './machine-steps.ts'

/** What is kept in this browser; opened when first needed, once a page. */
export const coverageHere: () => CoverageDb = once(() =>
  openCoverageDb(indexedDB, new BroadcastChannel('frostline-lab')),
)

/** Counts what the machines of this page do from its first steps on; answers how to stop. */
export function keepCoverage(tap: Inspection = inspection, kept: Pick<CoverageDb, 'add'> = coverageHere()) {
  /** what is not written yet; one write at a time, and what comes meanwhile goes with the next */
  let waiting: Coverage = {}
  let isWriting = false
  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (Object.keys(waiting).length > 0) {
      const part = waiting
      waiting = {}
      // a browser that keeps nothing (private windows, full disks) covers nothing: the portal goes on
      await kept.add(part).catch(() => {})
    }
    isWriting = false
  }
  return followMachines(
    tap,
    (step) => {
      waiting = merged(waiting, coveredBy(step))
      void write()
    },
    { alsoFirst: true },
  )
}

/** An event that changes nothing covers nothing. */
function coveredBy({ machine, event, snapshot, transitions }: NamedStep): Coverage {
  if (transitions.length === 0 && event.type !== 'xstate.init') return {}
  const states = [...statesIn(snapshot.value), ...transitions.flatMap(endsOf)]
  return counted(machine, [...new Set(states)], transitions)
}

/** Makes it when first asked. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Counts what this page does; begun once, however often it is asked. */
export const countHere: () => void = once(() => keepCoverage())
