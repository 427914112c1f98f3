import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate'
import { transitionsOf } from '#machines/testing/chart.ts'
import type { Inspection, MachineStep } from './inspection.ts'

/** A step in the words of the charts: machines by the name of their folder, transitions as machines/testing has them. */
export type NamedStep = {
  machine: string
  actor: string
  event: AnyEventObject
  snapshot: AnyMachineSnapshot
  /** `idle: SUBMIT [isValid] → loading`; where nothing was taken, the event changed nothing */
  transitions: readonly string[]
}

/** Each machine that was provided with effects has transitions of its own. */
const namesOf = new WeakMap<AnyStateMachine, Map<AnyTransitionDefinition, string>>()

/** The names of a chart are made once. */
export function named({ machine, actor, event, snapshot, taken }: MachineStep): NamedStep {
  const names = namesOf.get(machine) ?? transitionsOf(machine)
  namesOf.set(machine, names)
  const transitions = taken.flatMap((one) => names.get(one) ?? [])
  return { machine: machine.id, actor, event, snapshot, transitions }
}

/**
 * Called with every step of every machine of the page from now on, and, where wanted, of its first ones; answers how to stop.
 * Says nothing while the server is no simulator.
 */
export function followMachines(
  { follow, first }: Inspection,
  listener: (step: NamedStep) => void,
  { alsoFirst = false } = {},
): () => void {
  if (alsoFirst) for (const step of first()) listener(named(step))
  return follow((step) => listener(named(step)))
}
