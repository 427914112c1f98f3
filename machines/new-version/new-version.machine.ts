import { assign, fromPromise, setup } from 'xstate'

type Context = {
  /** which part did not arrive, as the browser says it; null: all did */
  missing: string | null
}
type Event =
  /** an answer of the server was of another build than this window */
  | { type: 'build.changed' }
  /** the server does not serve links in this window's version of the protocol any more */
  | { type: 'protocol.refused' }
  /** a part of the portal that is needed now did not arrive */
  | { type: 'part.missing'; detail: string }
  | { type: 'reload' }
  | { type: 'later' }

/** Whether this window is older than the server, and how the visitor gets to the newer one with what they typed. */
export const newVersionMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    /** any call: its answer says which build the server has */
    askServer: fromPromise<void>(notProvided),
    /** keeps what was typed for the page after this one; false where something on it may not be kept */
    keepTyped: fromPromise<boolean>(notProvided),
  },
  actions: {
    /** the same at once, as the page that held it is about to be gone */
    keepTypedNow: () => {},
    /** the build is the same: that the part is missing is a matter of the network */
    passOn: (_, _params: { detail: string }) => {},
    reloadPage: () => {},
    noteMissing: assign(noteMissing),
    forgetMissing: assign({ missing: null }),
  },
  guards: { isKept },
}).createMachine({
  id: 'new-version',
  context: { missing: null },
  initial: 'current',
  states: {
    current: {
      on: {
        'build.changed': 'offered',
        'protocol.refused': 'needed',
        'part.missing': {
          target: 'asking',
          actions: ['keepTypedNow', { type: 'noteMissing', params: ({ event }) => event }],
        },
      },
    },
    /** the part may be of a build that is gone, or there is no network */
    asking: {
      on: { 'build.changed': 'stuck', 'protocol.refused': 'stuck' },
      invoke: {
        id: 'askServer',
        src: 'askServer',
        onDone: { target: 'current', actions: [passOnMissing(), 'forgetMissing'] },
        onError: { target: 'current', actions: [passOnMissing(), 'forgetMissing'] },
      },
    },
    /** all works as it did, and can be put off */
    offered: {
      on: {
        later: 'putOff',
        reload: 'keeping',
        'protocol.refused': 'needed',
        'part.missing': {
          target: 'stuck',
          actions: ['keepTypedNow', { type: 'noteMissing', params: ({ event }) => event }],
        },
      },
    },
    putOff: {
      on: {
        'protocol.refused': 'needed',
        'part.missing': {
          target: 'stuck',
          actions: ['keepTypedNow', { type: 'noteMissing', params: ({ event }) => event }],
        },
      },
    },
    /** nothing new is shown until the page is loaded anew; what is on it stands */
    needed: {
      on: {
        reload: 'keeping',
        'part.missing': {
          target: 'stuck',
          actions: ['keepTypedNow', { type: 'noteMissing', params: ({ event }) => event }],
        },
      },
    },
    keeping: {
      invoke: {
        id: 'keepTyped',
        src: 'keepTyped',
        onDone: [
          {
            guard: { type: 'isKept', params: ({ event }) => ({ isKept: event.output }) },
            target: 'reloading',
          },
          { target: 'unkept' },
        ],
        onError: 'unkept',
      },
    },
    /** a password, a code or a file would be lost: once more, and it is loaded all the same */
    unkept: { on: { reload: 'reloading' } },
    /** there is no page to show: the part it needs is of the build before */
    stuck: { on: { reload: 'reloading' } },
    reloading: { type: 'final', entry: 'reloadPage' },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('provided by the portal'))
}

function passOnMissing() {
  return {
    type: 'passOn' as const,
    params: ({ context }: { context: Context }) => ({ detail: context.missing ?? '' }),
  }
}

function noteMissing(_: unknown, { detail }: { detail: string }): Partial<Context> {
  return { missing: detail }
}

function isKept(_: unknown, params: { isKept: boolean }): boolean {
  return params.isKept
}
