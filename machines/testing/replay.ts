import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
  fromCallback,
  SimulatedClock,
} from 'xstate'
import type { PathModel, PathStep } from './path-model.ts'

/**
 * Plays a path on a real actor of a `silenced` machine: what its actors answer is what the path says, time is a
 * simulated clock.
 * @returns the transitions each step takes, those without an event among them
 * @throws Error when the actor fails, or is not where the path says it should be
 */
export function replay(model: PathModel, steps: PathStep[]): Set<AnyTransitionDefinition>[] {
  const takenAt: Set<AnyTransitionDefinition>[] = []
  let taken = new Set<AnyTransitionDefinition>()
  const clock = new TickingClock()
  const heard = new Set<string>()
  let failure: unknown
  const actor: AnyActorRef = createActor(model.machine, {
    input: model.input,
    clock,
    inspect: (inspected) => {
      if (inspected.type === '@xstate.event') heard.add(inspected.event.type)
      if (inspected.type === '@xstate.microstep') for (const step of inspected._transitions) taken.add(step)
    },
  })
  actor.subscribe({ error: (error) => (failure = error) })
  actor.start()
  for (const { event, state } of steps) {
    if (event.type.startsWith('xstate.after.')) wait(clock, event, heard)
    else if (event.type !== 'xstate.init') actor.send(event)
    if (failure !== undefined) throw new Error(`${model.name}: failed on ${event.type}: ${String(failure)}`)
    const now = JSON.stringify((actor.getSnapshot() as AnyMachineSnapshot).value)
    const planned = JSON.stringify(state.value)
    if (now !== planned)
      throw new Error(`${model.name}: on ${event.type} the path says ${planned}, the actor ${now}`)
    takenAt.push(taken)
    taken = new Set()
  }
  actor.stop()
  return takenAt
}

function wait(clock: TickingClock, event: AnyEventObject, heard: Set<string>): void {
  heard.delete(event.type)
  while (!heard.has(event.type) && clock.toNext());
}

/** A simulated clock that knows when its next timer is due. */
class TickingClock extends SimulatedClock {
  #due = new Map<number, number>()

  override setTimeout(fn: (...args: unknown[]) => void, timeout: number): number {
    const id: number = super.setTimeout(() => {
      this.#due.delete(id)
      fn()
    }, timeout)
    this.#due.set(id, this.now() + timeout)
    return id
  }

  override clearTimeout(id: number): void {
    this.#due.delete(id)
    super.clearTimeout(id)
  }

  /** goes to the next timer; false when there is none */
  toNext(): boolean {
    if (this.#due.size === 0) return false
    this.set(Math.max(this.now(), Math.min(...this.#due.values())))
    return true
  }
}

/** The machine with every actor silent and every named action that is no part of XState (`assign`, `emit`, …) without effect. */
export function silenced(model: PathModel): AnyStateMachine {
  const { actors, actions } = model.machine.implementations
  const silent = Object.fromEntries(Object.keys(actors ?? {}).map((name) => [name, fromCallback(() => {})]))
  const idle = Object.entries(actions ?? {})
    .filter(([, action]) => typeof action === 'function' && !('resolve' in action))
    .map(([name]) => [name, () => {}])
  return model.machine.provide({
    actors: { ...silent, ...model.actors },
    actions: Object.fromEntries(idle),
  }) as AnyStateMachine
}
