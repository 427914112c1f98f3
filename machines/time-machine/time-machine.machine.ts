import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate'
import type { AsOfView } from '../contracts/calls/as-of.ts'
import { messageOf } from '../rules/message-of.ts'

/** What is to be shown: an instant (epoch ms) in one of its two views, or what they disagree on. */
export type Look = { at: number; view: AsOfView; isDifferencesOnly: boolean }
/** The instant that the server answered with: the last whole minute there is. */
export type Shown = { shown: number }
export type Playback = Look & { speed: Speed }

/** Minutes of then go by so many times as fast. */
export const SPEEDS = [1, 60, 600] as const
export type Speed = (typeof SPEEDS)[number]

export type TimeMachineContext = Look & {
  /** null: nothing is shown yet */
  shown: number | null
  speed: Speed
  /** why it is not shown */
  failure: string | null
}

/** `now`: the server's clock, epoch ms: nothing is to be seen of what is still to come. */
export type TimeMachineEvent =
  | { type: 'look.back'; at: number; now: number; view?: AsOfView }
  /** `by`: ms, back where it is below 0 */
  | { type: 'step'; by: number; now: number }
  | { type: 'view.choose'; view: AsOfView }
  | { type: 'differences.toggle' }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'speed.choose'; speed: Speed }
  | { type: 'retry' }
  | { type: 'leave' }
  /** an instant that was wanted before is shown on the way to the one that is wanted now */
  | { type: 'passed'; shown: number }
  /** so far it has been played, and that is shown: the same minute, or the last before it that was kept */
  | { type: 'played'; to: number; shown: number }
  /** there is no more of it: that is now */
  | { type: 'played.out' }
  | { type: 'playback.failed'; error: unknown }

/** The portal stands at a time that is past, or plays from there; the live feed goes on behind. */
export const timeMachine = setup({
  types: { context: {} as TimeMachineContext, events: {} as TimeMachineEvent },
  actors: {
    /** shows an instant; rejects with why it cannot */
    load: fromPromise<Shown, Look>(notProvided),
    /** shows one instant after the other and sends `played`, `played.out` or `playback.failed` */
    playback: fromCallback<EventObject, Playback>(() => {}),
  },
  guards: { isPast, isStepPast },
  actions: {
    aim: assign(aim),
    aimBy: assign(aimBy),
    chooseView: assign(chooseView),
    toggleDifferences: assign(toggleDifferences),
    chooseSpeed: assign(chooseSpeed),
    keepShown: assign(keepShown),
    keepPlayed: assign(keepPlayed),
    keepFailure: assign(keepFailure),
    forget: assign(forget),
  },
}).createMachine({
  id: 'time-machine',
  context: { at: 0, view: 'then', isDifferencesOnly: false, shown: null, speed: 60, failure: null },
  initial: 'now',
  states: {
    /** nothing but what is live */
    now: {
      on: {
        'look.back': {
          guard: { type: 'isPast', params: ({ event }) => event },
          target: 'past',
          actions: { type: 'aim', params: ({ event }) => event },
        },
      },
    },
    past: {
      initial: 'seeking',
      on: {
        'look.back': {
          guard: { type: 'isPast', params: ({ event }) => event },
          target: '.seeking',
          actions: { type: 'aim', params: ({ event }) => event },
        },
        step: {
          guard: { type: 'isStepPast', params: ({ event }) => event },
          target: '.seeking',
          actions: { type: 'aimBy', params: ({ event }) => event },
        },
        'view.choose': {
          target: '.seeking',
          actions: { type: 'chooseView', params: ({ event }) => event },
        },
        'differences.toggle': { target: '.seeking', actions: 'toggleDifferences' },
        'speed.choose': { actions: { type: 'chooseSpeed', params: ({ event }) => event } },
        leave: { target: 'now', actions: 'forget' },
      },
      states: {
        /** asked for; what was shown before stays meanwhile */
        seeking: {
          invoke: {
            id: 'load',
            src: 'load',
            input: ({ context: { at, view, isDifferencesOnly } }) => ({ at, view, isDifferencesOnly }),
            onDone: {
              target: 'standing',
              actions: { type: 'keepShown', params: ({ event }) => event.output },
            },
            onError: { target: 'failed', actions: { type: 'keepFailure', params: ({ event }) => event } },
          },
          on: { passed: { actions: { type: 'keepShown', params: ({ event }) => event } } },
        },
        standing: { on: { play: 'playing' } },
        playing: {
          invoke: {
            id: 'playback',
            src: 'playback',
            input: ({ context: { at, view, isDifferencesOnly, speed } }) => ({
              at,
              view,
              isDifferencesOnly,
              speed,
            }),
          },
          on: {
            played: { actions: { type: 'keepPlayed', params: ({ event }) => event } },
            'played.out': 'standing',
            'playback.failed': {
              target: 'failed',
              actions: { type: 'keepFailure', params: ({ event }) => event },
            },
            pause: 'standing',
            'speed.choose': {
              target: 'playing',
              reenter: true,
              actions: { type: 'chooseSpeed', params: ({ event }) => event },
            },
          },
        },
        /** it could not be shown, or nothing was kept of it */
        failed: { on: { retry: 'seeking' } },
      },
    },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('load is provided by the portal'))
}

type Args = { context: TimeMachineContext }

function isPast(_: unknown, { at, now }: { at: number; now: number }): boolean {
  return at <= now
}

function isStepPast({ context: { at } }: Args, { by, now }: { by: number; now: number }): boolean {
  return at + by <= now
}

const MINUTE = 60_000
const wholeMinute = (at: number): number => Math.floor(at / MINUTE) * MINUTE

function aim({ context }: Args, { at, view = context.view }: { at: number; view?: AsOfView }) {
  return { at: wholeMinute(at), view, failure: null }
}

function aimBy({ context: { at } }: Args, { by }: { by: number }) {
  return { at: wholeMinute(at + by), failure: null }
}

function chooseView(_: unknown, { view }: { view: AsOfView }) {
  return { view, isDifferencesOnly: false, failure: null }
}

function toggleDifferences({ context: { isDifferencesOnly } }: Args) {
  return { isDifferencesOnly: !isDifferencesOnly, failure: null }
}

function chooseSpeed(_: unknown, { speed }: { speed: Speed }) {
  return { speed }
}

function keepShown(_: unknown, { shown }: Shown) {
  return { shown, failure: null }
}

function keepPlayed(_: unknown, { to, shown }: { to: number } & Shown) {
  return { at: to, shown }
}

function keepFailure(_: unknown, { error }: { error: unknown }) {
  return { failure: messageOf(error) }
}

function forget() {
  return { shown: null, failure: null, isDifferencesOnly: false }
}
