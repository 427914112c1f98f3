import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'

type Context = {
  /** whether the link is there: without it there is nobody to ask for what is missing */
  isLinked: boolean
  /** why the fleet could not be fetched; null when it could */
  error: string | null
}
type Event =
  | { type: 'linkUp' }
  | { type: 'linkDown' }
  /** something came that joins on to what is known: nothing is missing up to there */
  | { type: 'joined' }
  /** something came that does not: what lies between is missing */
  | { type: 'gapFound' }
  /** the server does not know what is missing, or what the visitor sees has changed */
  | { type: 'snapshotNeeded' }
  | { type: 'retry' }
  /** the server does not speak with a portal of this version any more */
  | { type: 'outdated' }

/** Whether the fleet on the screen is all there is: a snapshot, and every change since. */
export const feedMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    /** fetches the fleet and puts it into the read model */
    loadFleet: fromPromise<void>(notProvided),
  },
  delays: {
    /** before the fleet is asked for again after a failure */
    retryDelay: 3000,
    /** how long the server may take to send what was missed */
    resumePatience: 10_000,
  },
  guards: { isLinked },
  actions: {
    /** asks the server for everything since the last position known */
    askToResume: () => {},
    noteLink: assign(noteLink),
    noteError: assign(noteError),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: 'feed',
  context: { isLinked: false, error: null },
  initial: 'awaitingSnapshot',
  on: {
    linkUp: { actions: { type: 'noteLink', params: { isLinked: true } } },
    linkDown: { actions: { type: 'noteLink', params: { isLinked: false } } },
    outdated: '.outdated',
  },
  states: {
    /** nothing to show yet */
    awaitingSnapshot: {
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'loadFleet',
            src: 'loadFleet',
            onDone: { target: '#feed.gap', actions: 'forgetError' },
            onError: { target: 'failed', actions: { type: 'noteError', params: ({ event }) => event } },
          },
        },
        failed: { after: { retryDelay: 'asking' }, on: { retry: 'asking' } },
      },
    },
    live: {
      on: {
        gapFound: 'gap',
        linkDown: { target: 'gap', actions: { type: 'noteLink', params: { isLinked: false } } },
        snapshotNeeded: 'resyncing',
      },
    },
    /** something may be missing: asked for as soon as there is a link */
    gap: {
      entry: 'askToResume',
      on: {
        linkUp: {
          target: 'gap',
          reenter: true,
          actions: { type: 'noteLink', params: { isLinked: true } },
        },
        joined: { guard: 'isLinked', target: 'live' },
        snapshotNeeded: 'resyncing',
      },
      after: { resumePatience: { guard: 'isLinked', target: 'resyncing' } },
    },
    /** what is on the screen stays what it is: the portal has to be loaded anew */
    outdated: { on: { outdated: {} } },
    /** what is on the screen is old, and a new fleet is on its way */
    resyncing: {
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'reloadFleet',
            src: 'loadFleet',
            onDone: { target: '#feed.gap', actions: 'forgetError' },
            onError: { target: 'failed', actions: { type: 'noteError', params: ({ event }) => event } },
          },
        },
        failed: {
          after: { retryDelay: 'asking' },
          on: {
            retry: 'asking',
            linkUp: { target: 'asking', actions: { type: 'noteLink', params: { isLinked: true } } },
          },
        },
      },
    },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('loadFleet is provided by the portal'))
}

function isLinked({ context }: { context: Context }): boolean {
  return context.isLinked
}

function noteLink(_: unknown, { isLinked }: { isLinked: boolean }): Partial<Context> {
  return { isLinked }
}

function noteError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}
