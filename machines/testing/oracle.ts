import { expect } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import type { PathModel, Walk } from './path-model.ts'
import { walk } from './paths.ts'

/**
 * What parts of a machine's context, and its `state` where that is named, must be after these events; the first is the one
 * after the start. It is written in plain lines beside the chart: generated prose repeats a chart's mistakes, this does not.
 */
// biome-ignore lint/suspicious/noExplicitAny: each oracle names the events of its machine
export type Oracle = (events: readonly any[]) => Record<string, unknown>

/** Besides the paths found, such walks: what a context holds shows after many events. */
const AT_RANDOM = { walks: 150, length: 16, seed: 19 }

/**
 * Holds a machine against its oracle, at each step of the paths found and of walks at random.
 * @throws AssertionError with the events that led there
 */
export function holdAgainst(model: PathModel, found: Walk, oracle: Oracle): void {
  for (const { steps } of [...found.paths, ...walk(model, { by: AT_RANDOM }).paths])
    for (const [at, { state }] of steps.entries()) {
      const events = steps.slice(1, at + 1).map(({ event }) => event)
      const expected = oracle(events)
      expect({ events, ...partOf(state, Object.keys(expected)) }).toEqual({ events, ...expected })
    }
}

function partOf({ value, context }: AnyMachineSnapshot, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, name === 'state' ? value : context[name]]))
}
