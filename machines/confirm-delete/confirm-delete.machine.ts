import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'

type Context = {
  id: string
  /** why it was not deleted */
  error: string | null
}
type Event = { type: 'confirm' } | { type: 'cancel' }

/** 'Delete Record?': deleted once however often it is confirmed, or not at all. */
export const confirmDeleteMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { id: string } },
  actors: {
    deleteRecord: fromPromise<void, { id: string }>(notProvided),
  },
  actions: {
    /** says that it is deleted */
    announce: () => {},
    forgetError: assign({ error: null }),
    keepError: assign(keepError),
  },
}).createMachine({
  id: 'confirm-delete',
  context: ({ input: { id } }) => ({ id, error: null }),
  initial: 'asking',
  states: {
    asking: { on: { confirm: 'deleting', cancel: 'cancelled' } },
    deleting: {
      entry: 'forgetError',
      invoke: {
        id: 'deleteRecord',
        src: 'deleteRecord',
        input: ({ context: { id } }) => ({ id }),
        onDone: { target: 'deleted', actions: 'announce' },
        onError: { target: 'failed', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    failed: { on: { confirm: 'deleting', cancel: 'cancelled' } },
    deleted: { type: 'final' },
    cancelled: { type: 'final' },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('deleteRecord is provided by the portal'))
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}
