import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'

/** What is asked about before it is done. */
export type DialogKind = 'acknowledge' | 'shelve' | 'comment'
/** What is done to each of these incidents, by their violations. `text`: the reason, or what is said of them. */
export type IncidentAction = { kind: DialogKind; ids: readonly string[]; text: string; minutes: number }
/** Why something was not done. `ids`: of which incidents that is so; the others need nothing any more. */
export type NotDone = Error & { ids: readonly string[] }

type Requested = {
  type: DialogKind
  ids: readonly string[]
  /** of the device, where it is one */
  imei?: string | undefined
}
type Context = IncidentAction & {
  imei: string | undefined
  /** why it was not done; null: nothing failed */
  error: string | null
}
type Event =
  | Requested
  | { type: 'say'; text: string }
  | { type: 'last'; minutes: number }
  | { type: 'retry' }
  | { type: 'cancel' }

/** How long something is shelved where nothing else is chosen. */
export const SHELVED_MINUTES = 60

/** Acknowledging, shelving and commenting: for how long, then why; done once however many incidents are meant. */
export const incidentActionMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    act: fromPromise<void, IncidentAction>(notProvided),
  },
  actions: {
    begin: assign(begin),
    keepText: assign(keepText),
    keepMinutes: assign(keepMinutes),
    forgetError: assign({ error: null }),
    keepError: assign(keepError),
  },
  guards: { isAnything },
}).createMachine({
  id: 'incident-action',
  context: { kind: 'acknowledge', ids: [], imei: undefined, text: '', minutes: 0, error: null },
  initial: 'closed',
  states: {
    closed: {
      on: {
        acknowledge: {
          guard: { type: 'isAnything', params: ({ event }) => event },
          target: 'why',
          actions: { type: 'begin', params: ({ event }) => event },
        },
        comment: {
          guard: { type: 'isAnything', params: ({ event }) => event },
          target: 'why',
          actions: { type: 'begin', params: ({ event }) => event },
        },
        shelve: {
          guard: { type: 'isAnything', params: ({ event }) => event },
          target: 'why shelve',
          actions: { type: 'begin', params: ({ event }) => event },
        },
      },
    },
    why: {
      on: {
        say: { target: 'doing', actions: { type: 'keepText', params: ({ event }) => event } },
        cancel: 'closed',
      },
    },
    'why shelve': {
      on: {
        last: { actions: { type: 'keepMinutes', params: ({ event }) => event } },
        say: { target: 'doing', actions: { type: 'keepText', params: ({ event }) => event } },
        cancel: 'closed',
      },
    },
    doing: {
      entry: 'forgetError',
      invoke: {
        id: 'act',
        src: 'act',
        input: ({ context: { kind, ids, text, minutes } }) => ({ kind, ids, text, minutes }),
        onDone: 'closed',
        onError: { target: 'failed', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    failed: { on: { retry: 'doing', cancel: 'closed' } },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('act is provided by the portal'))
}

function isAnything(_: unknown, { ids }: { ids: readonly string[] }): boolean {
  return ids.length > 0
}

function begin(_: unknown, { type, ids, imei }: Requested): Partial<Context> {
  return { kind: type, ids, imei, text: '', minutes: type === 'shelve' ? SHELVED_MINUTES : 0, error: null }
}

function keepText(_: unknown, { text }: { text: string }): Partial<Context> {
  return { text }
}

function keepMinutes(_: unknown, { minutes }: { minutes: number }): Partial<Context> {
  return { minutes }
}

/** What was done is not done again. */
function keepError({ context }: { context: Context }, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error), ids: (error as Partial<NotDone>)?.ids ?? context.ids }
}
