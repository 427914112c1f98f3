import {
  type ActorRefLike,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type InspectionEvent,
  StateMachine,
} from 'xstate'

/** One event that a machine has dealt with. What is in it is as the machine has it: passwords and tokens too. */
export type MachineStep = {
  machine: AnyStateMachine
  /** distinguishes those that run the same machine; no other actor of the page has it */
  actor: string
  /** `xstate.init` and `xstate.stop` where it begins and ends */
  event: AnyEventObject
  /** where it is after the event */
  snapshot: AnyMachineSnapshot
  /** in the order they were taken, those without an event among them; machine-steps.ts has their names */
  taken: readonly AnyTransitionDefinition[]
}

export type Inspection = {
  /** the option `inspect` of every actor of a machine that the portal starts */
  inspect(inspected: InspectionEvent): void
  /** whether what happens may be looked at, which the server says: before, the first steps are kept, without it, none */
  allow(isAllowed: boolean): void
  /** Called with every step from now on, while it is allowed; answers how to stop. */
  follow(listener: (step: MachineStep) => void): () => void
  /** the first steps of the page, as many as are kept */
  first(): readonly MachineStep[]
  /** those that run now, each with its last step; empty while it is not allowed */
  running(): readonly MachineStep[]
}

/** Steps kept of what happens before the server has said whether they may be looked at, and of those after it. */
const KEPT = 200

/** Looks at machines without touching them. */
export function createInspection(limit = KEPT): Inspection {
  let isAllowed: boolean | undefined
  let kept: MachineStep[] = []
  const running = new Map<string, MachineStep>()
  const listeners = new Set<(step: MachineStep) => void>()
  const taking = new WeakMap<ActorRefLike, AnyTransitionDefinition[]>()

  function inspect(inspected: InspectionEvent): void {
    if (isAllowed === false) return
    if (inspected.type === '@xstate.microstep') {
      const taken = taking.get(inspected.actorRef) ?? []
      taken.push(...inspected._transitions)
      taking.set(inspected.actorRef, taken)
    } else if (inspected.type === '@xstate.snapshot') {
      const { actorRef, event, snapshot } = inspected
      const machine = machineOf(actorRef)
      if (machine === undefined) return
      const taken = taking.get(actorRef) ?? []
      taking.delete(actorRef)
      dealtWith({
        machine,
        actor: actorRef.sessionId,
        event,
        snapshot: snapshot as AnyMachineSnapshot,
        taken,
      })
    }
  }

  function dealtWith(step: MachineStep): void {
    if (step.snapshot.status === 'active') running.set(step.actor, step)
    else running.delete(step.actor)
    if (kept.length < limit) kept.push(step)
    if (isAllowed) for (const listener of listeners) listener(step)
  }

  return {
    inspect,
    allow(now) {
      isAllowed = now
      if (now) return
      kept = []
      running.clear()
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    first: () => (isAllowed ? kept : []),
    running: () => (isAllowed ? [...running.values()] : []),
  }
}

function machineOf(actorRef: ActorRefLike): AnyStateMachine | undefined {
  const { logic } = actorRef as ActorRefLike & { logic?: unknown }
  return logic instanceof StateMachine ? logic : undefined
}

/** The one of this page. */
export const inspection = createInspection()
export const { inspect } = inspection
