import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate'

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
    open: fromPromise<Opened, { file: unknown }>(() => Promise.reject(NOT_PROVIDED)),
    /** tells `played` as time goes by */
    playback: fromCallback<EventObject, Playback>(() => {}),
  },
  guards: {
    isAtEnd: ({ context: { at, steps } }) => at >= steps,
    hasNext: ({ context: { at, steps } }) => at < steps,
    hasPrevious: ({ context: { at } }) => at > 0,
    reachesEnd: ({ context: { steps } }, { to }: { to: number }) => to >= steps,
  },
  actions: {
    takeFile: assign((_, { name, file }: { name: string; file: unknown }) => ({ name, file, failure: null })),
    begin: assign((_, { steps }: Opened) => ({ steps, at: 0, file: null })),
    goTo: assign({
      at: ({ context: { steps } }, { to }: { to: number }) => Math.min(Math.max(Math.round(to), 0), steps),
    }),
    goBy: assign({ at: ({ context: { at } }, { by }: { by: number }) => at + by }),
    setSpeed: assign({ speed: (_, { speed }: { speed: number }) => speed }),
    keepFailure: assign({
      failure: (_, { error }: { error: unknown }) => (error instanceof Error ? error.message : String(error)),
      file: null,
    }),
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

const NOT_PROVIDED = new Error('open and playback are provided by the portal')
