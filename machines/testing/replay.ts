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

/** A real actor of a `silenced` machine: what its actors answer is what is sent, time is a simulated clock. */
type Player = {
  state(): AnyMachineSnapshot
  /** transitions taken since it was last asked, those without an event among them */
  taken(): Set<AnyTransitionDefinition>
  /** sends an event; for `xstate.after…` time goes on until it comes. Throws Error when the actor fails */
  take(event: AnyEventObject): void
  isWaiting(): boolean
  /** time goes on until a wait ends; returns which, or nothing when none does */
  waitForNext(): AnyEventObject | undefined
  end(): void
}

export function begin(model: PathModel): Player {
  let taken = new Set<AnyTransitionDefinition>()
  const clock = new TickingClock()
  const heard = new Set<string>()
  let failure: unknown
  const actor: AnyActorRef = createActor(model.machine, {
    input: model.input,
    clock,
    inspect: (inspected) => {
      if (inspected.type === '@xstate.event') heard.add(inspected.event.type)
      if (inspected.type === '@xstate.microstep') for (const one of inspected._transitions) taken.add(one)
    },
  })
  const didNotFail = (on: string): void => {
    if (failure !== undefined) throw new Error(`${model.name}: failed on ${on}: ${String(failure)}`)
  }
  actor.subscribe({ error: (error) => (failure = error) })
  actor.start()
  didNotFail('its start')
  return {
    state: () => actor.getSnapshot() as AnyMachineSnapshot,
    taken() {
      const before = taken
      taken = new Set()
      return before
    },
    take(event) {
      if (isWait(event.type)) {
        heard.delete(event.type)
        while (!heard.has(event.type) && clock.toNext());
      } else if (event.type !== 'xstate.init') actor.send(event)
      didNotFail(event.type)
    },
    isWaiting: () => clock.isWaiting(),
    waitForNext() {
      heard.clear()
      let ended: string | undefined
      while (ended === undefined && clock.toNext()) ended = [...heard].find(isWait)
      didNotFail(ended ?? 'a delay')
      return ended === undefined ? undefined : { type: ended }
    },
    end: () => actor.stop(),
  }
}

/** What a step is played as: as alike as situations may count, this is the one the actor is in, with all it knows. */
export type Played = { step: PathStep; takes: Set<AnyTransitionDefinition> }

/**
 * Plays a path.
 * @throws Error when the actor fails, or is not where the path says it should be
 */
export function replay(model: PathModel, steps: PathStep[]): Played[] {
  const player = begin(model)
  const played = steps.map(({ event, state }) => {
    player.take(event)
    const actual = player.state()
    const now = JSON.stringify(actual.value)
    const planned = JSON.stringify(state.value)
    if (now !== planned)
      throw new Error(`${model.name}: on ${event.type} the path says ${planned}, the actor ${now}`)
    return { step: { event, state: actual }, takes: player.taken() }
  })
  player.end()
  return played
}

/** Of the end of a wait. */
export const isWait = (type: string): boolean => type.startsWith('xstate.after.')

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

  isWaiting(): boolean {
    return this.#due.size > 0
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
