import type { AnyActorLogic, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate'

/**
 * What a machine's samples file says about it, exported there as `model`: enough to walk the machine without it knowing
 * who walks. Samples files are plain data (`machines/<name>/<name>.samples.ts`); `walk` checks them against this type.
 */
export type PathModel = {
  /** the folder's name */
  name: string
  /** `domain`: no invoke, no after, time comes with the event. `screen`: invokes and waits; both are played by the replay */
  kind: 'domain' | 'screen'
  machine: AnyStateMachine
  /**
   * One sample of each event, or more where guards tell them apart; a function where the sample depends on what was
   * before (`at` an hour after the last reading). A screen machine's samples hold what its actors answer, by invoke id:
   * `{ type: 'xstate.done.actor.signIn', output }`, `{ type: 'xstate.error.actor.signIn', error }`.
   * Its `after` transitions need no sample.
   */
  events: readonly AnyEventObject[] | ((snapshot: AnyMachineSnapshot) => readonly AnyEventObject[])
  input?: unknown
  /**
   * What makes two situations the same. Left out, it is the state value alone; name the parts of the context that
   * guards look at, rounded so that their number stays small.
   */
  serializeState?: (snapshot: AnyMachineSnapshot) => string
  /** an event in words, for the prose, answers of actors too; left out or undefined, its type and its fields */
  describe?: (event: AnyEventObject) => string | undefined
  /** most situations looked at before the walk gives up, 2,000 where left out */
  limit?: number
  /** actors that must be more than silent in the replay, by name (most need none: what they answer are the samples) */
  actors?: Record<string, AnyActorLogic>
}

/** One step: the event, and the situation after it. The first step of a path is the start (`xstate.init`). */
export type PathStep = { event: AnyEventObject; state: AnyMachineSnapshot }

/** What a system under test does on an event, and what must be true in a state (`'#id'`, `'a.b'` or `'*'`). */
export type PathRun = {
  events?: Record<string, (step: PathStep) => void | Promise<void>>
  states?: Record<string, (snapshot: AnyMachineSnapshot) => void | Promise<void>>
}

export type Path = {
  steps: PathStep[]
  /** the transitions it takes, as in `Walk.transitions` */
  takes: string[]
  /** those of each step; a step may take several, one after the other, or none */
  takesAt: string[][]
  /** plays the path on a system under test; rejects with the path in the message */
  run: (on: PathRun) => Promise<void>
}

/** All that was found by walking a machine. */
export type Walk = {
  name: string
  states: string[]
  transitions: string[]
  paths: Path[]
  /** states and transitions no path gets to; anything here is a dead piece of chart or a missing sample */
  unreached: string[]
  /** of each of them, why: what sample or guard is likely missing */
  reasons: string[]
}

/** What a walk leaves out, and how it goes. */
export type WalkOptions = {
  /** transitions that are not taken, as in `Walk.transitions`; ways round them are found where there are any */
  avoid?: readonly string[]
  /** the shortest path to each situation, a path over each transition, or (where left out) both; or walks at random */
  by?: 'shortest' | 'transitions' | RandomOptions
}

/** So many walks of at most so many steps each. `seed`: any whole number. */
export type RandomOptions = { walks: number; length: number; seed: number }
