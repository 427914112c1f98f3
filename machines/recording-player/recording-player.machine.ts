import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'

/** What is known of a recording once it is opened: how many steps it has. */
export type Opened = { steps: number }
/** Where playing begins, and how many times as fast as it was recorded. */
export type Playback = { from: number; speed: number }

export type PlayerContext = {
  /** the file that was chosen last; handed over to whoever reads it, and of no other interest here */
  file: unknown
  name: string
  steps: number
  /** steps that have been taken: 0 is how it was before the first */
  at: number
  speed: number
  /** why the file could not be opened */
  failure: string | null
}
export type PlayerEvent =
  | { type: 'file.chosen'; name: string; file: unknown }
  | { type: 'step.forward' }
  | { type: 'step.back' }
  | { type: 'jump'; to: number }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'speed'; speed: number }
  /** so far it has been played */
  | { type: 'played'; to: number }

/** A recording is opened, then stepped through, or played as it went. */
export const recordingPlayerMachine = setup({
  types: { context: {} as PlayerContext, events: {} as PlayerEvent },
  actors: {
    /** reads the file and checks it; rejects with what is wrong */
    open: fromPromise<Opened, { file: unknown }>(notProvided),
    /** sends `played` as time goes by */
    playback: fromCallback<EventObject, Playback>(() => {}),
  },
  guards: { isAtEnd, hasNext, hasPrevious, reachesEnd },
  actions: {
    takeFile: assign(takeFile),
    begin: assign(begin),
    goTo: assign(goTo),
    goBy: assign(goBy),
    setSpeed: assign(setSpeed),
    keepFailure: assign(keepFailure),
  },
}).createMachine({
  id: 'recording-player',
  context: { file: null, name: '', steps: 0, at: 0, speed: 1, failure: null },
  initial: 'empty',
  on: {
    'file.chosen': { target: '.opening', actions: { type: 'takeFile', params: ({ event }) => event } },
  },
  states: {
    /** no file was chosen yet */
    empty: {},
    opening: {
      invoke: {
        id: 'open',
        src: 'open',
        input: ({ context: { file } }) => ({ file }),
        onDone: { target: 'open', actions: { type: 'begin', params: ({ event }) => event.output } },
        onError: { target: 'refused', actions: { type: 'keepFailure', params: ({ event }) => event } },
      },
    },
    /** it is no recording, or nothing that can be read */
    refused: {},
    open: {
      initial: 'paused',
      on: {
        'step.forward': {
          guard: 'hasNext',
          target: '.paused',
          actions: { type: 'goBy', params: { by: 1 } },
        },
        'step.back': {
          guard: 'hasPrevious',
          target: '.paused',
          actions: { type: 'goBy', params: { by: -1 } },
        },
        jump: { target: '.paused', actions: { type: 'goTo', params: ({ event }) => event } },
        speed: { actions: { type: 'setSpeed', params: ({ event }) => event } },
      },
      states: {
        paused: {
          on: {
            // Played to its end, it begins anew.
            play: [
              { guard: 'isAtEnd', target: 'playing', actions: { type: 'goTo', params: { to: 0 } } },
              { target: 'playing' },
            ],
          },
        },
        playing: {
          invoke: {
            id: 'playback',
            src: 'playback',
            input: ({ context: { at, speed } }) => ({ from: at, speed }),
          },
          on: {
            played: [
              {
                guard: { type: 'reachesEnd', params: ({ event }) => event },
                target: 'paused',
                actions: { type: 'goTo', params: ({ event }) => event },
              },
              { actions: { type: 'goTo', params: ({ event }) => event } },
            ],
            pause: 'paused',
            speed: {
              target: 'playing',
              reenter: true,
              actions: { type: 'setSpeed', params: ({ event }) => event },
            },
          },
        },
      },
    },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('open is provided by the portal'))
}

type Args = { context: PlayerContext }

function isAtEnd({ context: { at, steps } }: Args): boolean {
  return at >= steps
}

function hasNext({ context: { at, steps } }: Args): boolean {
  return at < steps
}

function hasPrevious({ context: { at } }: Args): boolean {
  return at > 0
}

function reachesEnd({ context: { steps } }: Args, { to }: { to: number }): boolean {
  return to >= steps
}

function takeFile(_: unknown, { name, file }: { name: string; file: unknown }): Partial<PlayerContext> {
  return { name, file, failure: null }
}

function begin(_: unknown, { steps }: Opened): Partial<PlayerContext> {
  return { steps, at: 0, file: null }
}

function goTo({ context: { steps } }: Args, { to }: { to: number }): Partial<PlayerContext> {
  return { at: Math.min(Math.max(Math.round(to), 0), steps) }
}

function goBy({ context: { at } }: Args, { by }: { by: number }): Partial<PlayerContext> {
  return { at: at + by }
}

function setSpeed(_: unknown, { speed }: { speed: number }): Partial<PlayerContext> {
  return { speed }
}

function keepFailure(_: unknown, { error }: { error: unknown }): Partial<PlayerContext> {
  return { failure: messageOf(error), file: null }
}
