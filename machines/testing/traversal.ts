import type { AnyEventObject, AnyMachineSnapshot, AnyTransitionDefinition } from 'xstate'
import { getNextTransitions } from 'xstate'
import { transitionsOf } from './chart.ts'
import type { PathModel } from './path-model.ts'
import { isWait } from './replay.ts'

/** How a machine is walked: what may come in a situation, and what makes two situations the same. */
export type Traversal = {
  events: (snapshot: AnyMachineSnapshot) => AnyEventObject[]
  serializeState: (snapshot: AnyMachineSnapshot) => string
  limit: number
}

/** @param model its machine is `silenced`; what would take a transition of `avoid` is left out of the events */
export function traversalOf(model: PathModel, avoid: readonly string[]): Traversal {
  const names = transitionsOf(model.machine)
  const isAvoided = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
    enabledBy(model, snapshot, event).some((one) => avoid.includes(names.get(one) ?? ''))
  return {
    events(snapshot) {
      if (snapshot.status !== 'active') return []
      const offered = [...samplesIn(model, snapshot), ...timersIn(snapshot)]
      return avoid.length === 0 ? offered : offered.filter((event) => !isAvoided(snapshot, event))
    },
    serializeState: model.serializeState ?? ((snapshot) => JSON.stringify(snapshot.value)),
    limit: model.limit ?? 2_000,
  }
}

/** The transitions an event would take here, its guards asked. */
export function enabledBy(
  { machine }: PathModel,
  snapshot: AnyMachineSnapshot,
  event: AnyEventObject,
): AnyTransitionDefinition[] {
  return machine.getTransitionData(snapshot, event) as AnyTransitionDefinition[]
}

export function samplesIn({ events }: PathModel, snapshot: AnyMachineSnapshot): readonly AnyEventObject[] {
  return typeof events === 'function' ? events(snapshot) : events
}

/** The waits that may end here. */
function timersIn(snapshot: AnyMachineSnapshot): AnyEventObject[] {
  return getNextTransitions(snapshot)
    .filter(({ eventType }) => isWait(eventType))
    .map(({ eventType }) => ({ type: eventType }))
}
