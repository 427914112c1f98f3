import type { Coverage, Taken } from '#machines/contracts/calls/lab-calls.ts'
import { generated, shareOf } from '#machines/testing/coverage.ts'
import type { Walked } from './models.ts'

/** Who takes transitions. */
export type SourceId = 'generated' | 'end-to-end' | 'here'

export type Source = {
  id: SourceId
  title: string
  /** where there is no room */
  short: string
  /** as the subject of "covered by" */
  words: string
  /** what it has covered of a machine; undefined where it cannot see that machine, or is not known yet */
  of(walked: Walked): Taken | undefined
}

const NOTHING: Taken = { states: {}, transitions: {} }

/**
 * The three sources. This browser does not see domain machines, which run on the server; end to end they are known by the
 * paths that were walked.
 * @param endToEnd undefined while it is not known, or where no such tests were run
 */
export function sourcesOf(endToEnd: Coverage | undefined, here: Coverage): Record<SourceId, Source> {
  const seenIn = (coverage: Coverage | undefined, walked: Walked) =>
    coverage && (coverage[walked.model.name] ?? NOTHING)
  return {
    generated: {
      id: 'generated',
      title: 'Generated paths',
      short: 'Paths',
      words: 'generated paths',
      of: ({ found }) => generatedOnce(found),
    },
    'end-to-end': {
      id: 'end-to-end',
      title: 'End-to-end tests',
      short: 'E2E',
      words: 'end-to-end tests',
      of: (walked) => seenIn(endToEnd, walked),
    },
    here: {
      id: 'here',
      title: 'This browser',
      short: 'Here',
      words: 'what was done in this browser',
      of: (walked) => (walked.model.kind === 'domain' ? undefined : seenIn(here, walked)),
    },
  }
}

/** Shares of states and transitions; undefined where the source does not see the machine. */
export function sharesOf(source: Source, walked: Walked) {
  const taken = source.of(walked)
  if (taken === undefined) return undefined
  return {
    states: shareOf(walked.found.states, taken.states),
    transitions: shareOf(walked.found.transitions, taken.transitions),
  }
}

const known = new WeakMap<Walked['found'], Taken>()

function generatedOnce(found: Walked['found']): Taken {
  const taken = known.get(found) ?? generated(found)
  known.set(found, taken)
  return taken
}
