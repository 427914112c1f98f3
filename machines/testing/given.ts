import { expect } from 'vitest'
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFrom,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
  transition,
} from 'xstate'

/** What a domain machine emits on one event: `emit(...)`ed facts, as data. */
export type Decision<M extends AnyStateMachine> = { snapshot: SnapshotFrom<M>; facts: unknown[] }

/** One event on a domain machine, without running anything. */
export function decide<M extends AnyStateMachine>(
  machine: M,
  snapshot: SnapshotFrom<M>,
  event: EventFrom<M>,
): Decision<M> {
  const [next, actions] = transition(machine, snapshot, event)
  return { snapshot: next, facts: emitted(actions) }
}

/**
 * Given these events, when this one comes, then these facts are emitted:
 * `given(machine, input, [a, b]).when(c).emits({ state: 'above', facts: [...] })`.
 */
export function given<M extends AnyStateMachine>(machine: M, input: InputFrom<M>, events: EventFrom<M>[]) {
  let [snapshot] = initialTransition(machine, input as never) as [SnapshotFrom<M>, unknown]
  for (const event of events) snapshot = decide(machine, snapshot, event).snapshot
  return {
    when(event: EventFrom<M>) {
      const decided = decide(machine, snapshot, event)
      return {
        ...decided,
        emits(expected: { state: unknown; facts: unknown[] }): void {
          expect({ state: (decided.snapshot as AnyMachineSnapshot).value, facts: decided.facts }).toEqual(
            expected,
          )
        },
      }
    },
  }
}

function emitted(actions: readonly { type: string; params?: unknown }[]): unknown[] {
  return actions
    .filter(({ type }) => type === 'xstate.emit')
    .map(({ params }) => (params as { event: unknown }).event)
}
