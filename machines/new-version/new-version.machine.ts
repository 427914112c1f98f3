import { assign, fromPromise, setup } from 'xstate'

type Context = {
  /** which part did not arrive, as the browser says it, and whether what was typed is kept; null: all did */
  missing: { detail: string; isKept: boolean } | null
}
/** Whether what was typed is kept for the page after this one: not where something on it may not be. */
type Kept = { isKept: boolean }
type Event =
  /** an answer of the server was of another build than this window */
  | { type: 'build.changed' }
  /** the server does not serve links in this window's version of the protocol any more */
  | { type: 'protocol.refused' }
  /** a part of the portal that is needed now did not arrive; the page that held what was typed is about to be gone */
  | ({ type: 'part.missing'; detail: string } & Kept)
  | ({ type: 'reload' } & Kept)
  | { type: 'later' }

const chart = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    /** any call: its answer says which build the server has */
    askServer: fromPromise<void>(notProvided),
  },
  actions: {
    /** the build is the same: that the part is missing is a matter of the network */
    passOn: (_, _params: { detail: string }) => {},
    reloadPage: () => {},
    noteMissing: assign(noteMissing),
    forgetMissing: assign({ missing: null }),
  },
  guards: { isKept },
})

/** Whether this window is older than the server, and how the visitor gets to the newer one with what they typed. */
export const newVersionMachine = chart.createMachine({
  id: 'new-version',
  context: { missing: null },
  initial: 'current',
  on: {
    'part.missing': {
      target: '.stuck',
      actions: { type: 'noteMissing', params: ({ event }) => event },
    },
  },
  states: {
    current: {
      on: {
        'build.changed': 'offered',
        'protocol.refused': 'needed',
        'part.missing': {
          target: 'asking',
          actions: { type: 'noteMissing', params: ({ event }) => event },
        },
      },
    },
    /** the part may be of a build that is gone, or there is no network */
    asking: {
      on: { 'build.changed': 'stuck', 'protocol.refused': 'stuck', 'part.missing': {} },
      invoke: {
        id: 'askServer',
        src: 'askServer',
        onDone: { target: 'current', actions: [passOnMissing(), 'forgetMissing'] },
        onError: { target: 'current', actions: [passOnMissing(), 'forgetMissing'] },
      },
    },
    /** all works as it did, and can be put off */
    offered: { on: { ...loadsAnew(), later: 'putOff', 'protocol.refused': 'needed' } },
    /** a wall takes it all the same */
    putOff: { on: { ...loadsAnew(), 'protocol.refused': 'needed' } },
    /** nothing new is shown until the page is loaded anew; what is on it stands */
    needed: { on: loadsAnew() },
    /** a password, a code or a file would be lost: once more, and it is loaded all the same */
    unkept: { id: 'unkept', on: { reload: 'reloading' } },
    /** there is no page to show: the part it needs is of the build before */
    stuck: { on: { reload: 'reloading', 'part.missing': {} } },
    reloading: { id: 'reloading', type: 'final', entry: 'reloadPage' },
  },
})

/** The page is loaded anew; first it is said where what was typed would be lost. */
function loadsAnew() {
  return chart.createStateConfig({
    on: {
      reload: [
        { guard: { type: 'isKept', params: ({ event }) => event }, target: '#reloading' },
        { target: '#unkept' },
      ],
    },
  }).on
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('provided by the portal'))
}

function passOnMissing() {
  return {
    type: 'passOn' as const,
    params: ({ context }: { context: Context }) => ({ detail: context.missing?.detail ?? '' }),
  }
}

function noteMissing(_: unknown, { detail, isKept }: { detail: string } & Kept): Partial<Context> {
  return { missing: { detail, isKept } }
}

function isKept(_: unknown, params: Kept): boolean {
  return params.isKept
}
