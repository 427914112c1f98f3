import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'
import type { Fault } from '../rules/plain-text.ts'
import type { ReportChoice } from '../rules/report-request.ts'

type Check = (choice: ReportChoice, now: number) => readonly Fault[]
type Input = { choice: ReportChoice; check: Check }
type Context = {
  choice: ReportChoice
  check: Check
  faults: readonly Fault[]
  /** how often it was refused: with each the cursor goes to what is wrong */
  refusals: number
  /** why it could not be asked for */
  error: string | null
}
type Event =
  | { type: 'choose'; patch: Partial<ReportChoice> }
  | { type: 'submit'; now: number }
  /** the dialog is closed: what was chosen is still there */
  | { type: 'close' }
  /** to the log */
  | { type: 'view' }

/** A report is asked for: chosen, checked, sent once however often it is pressed, then the visitor knows that it is being made. */
export const reportRequestMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    /** rejects where it was not taken */
    sendRequest: fromPromise<void, { choice: ReportChoice }>(notProvided),
  },
  guards: { isFaulty },
  actions: {
    /** goes to the report log */
    showLog: () => {},
    choose: assign(choose),
    check: assign(check),
    countRefusal: assign(countRefusal),
    keepError: assign(keepError),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: 'report-request',
  context: ({ input }) => ({ ...input, faults: [], refusals: 0, error: null }),
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        choose: { actions: { type: 'choose', params: ({ event }) => event } },
        submit: { target: 'checking', actions: { type: 'check', params: ({ event }) => event } },
      },
    },
    checking: {
      always: [{ guard: 'isFaulty', target: 'choosing', actions: 'countRefusal' }, { target: 'sending' }],
    },
    sending: {
      invoke: {
        id: 'sendRequest',
        src: 'sendRequest',
        input: ({ context: { choice } }) => ({ choice }),
        onDone: 'sent',
        onError: { target: 'failed', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    /** the server did not take it; what was chosen is still there */
    failed: {
      on: {
        choose: {
          target: 'choosing',
          actions: ['forgetError', { type: 'choose', params: ({ event }) => event }],
        },
        submit: { target: 'checking', actions: { type: 'check', params: ({ event }) => event } },
      },
    },
    /** the dialog 'Report Request' */
    sent: { on: { close: 'choosing', view: 'leaving' } },
    leaving: { type: 'final', entry: 'showLog' },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('sendRequest is provided by the portal'))
}

type Args = { context: Context }

function isFaulty({ context: { faults } }: Args): boolean {
  return faults.length > 0
}

/** A field that is chosen anew loses what was wrong with it. */
function choose(
  { context: { choice, faults } }: Args,
  { patch }: { patch: Partial<ReportChoice> },
): Partial<Context> {
  return {
    choice: { ...choice, ...patch },
    faults: faults.filter(({ path }) => !Object.hasOwn(patch, path)),
  }
}

function check({ context: { check, choice } }: Args, { now }: { now: number }): Partial<Context> {
  return { faults: check(choice, now), error: null }
}

function countRefusal({ context: { refusals } }: Args): Partial<Context> {
  return { refusals: refusals + 1 }
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}
