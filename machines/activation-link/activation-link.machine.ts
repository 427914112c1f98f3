import { assign, fromPromise, setup } from 'xstate'

/** What the server says of a link: 1 it works, 0 it has run out, -1 it was used. */
export type LinkAnswer = { success: number; message: string }
/** `success`: false where the link ran out or was used meanwhile. `message`: the server's, for the visitor. */
export type SetAnswer = { success: boolean; message: string }

type Context = {
  token: string
  isSomebodyIn: boolean
  /** what the server last said, for the visitor */
  message: string
  /** why the last thing asked did not come about; null where it did */
  failure: unknown
}
type Event =
  | { type: 'password.chosen'; password: string }
  | { type: 'resend' }
  /** whoever was signed in no longer is */
  | { type: 'signed-out' }
  | { type: 'retry' }

/**
 * The link of a mail with which somebody sets a password: whether it works, and what there is to do where it does not.
 * While somebody is signed in nothing is done with it.
 */
export const activationLinkMachine = setup({
  types: {
    context: {} as Context,
    events: {} as Event,
    input: {} as { token: string; isSomebodyIn: boolean },
  },
  actors: {
    checkLink: fromPromise<LinkAnswer, { token: string }>(notProvided),
    resendLink: fromPromise<{ message: string }, { token: string }>(notProvided),
    setPassword: fromPromise<SetAnswer, { token: string; password: string }>(notProvided),
  },
  guards: { isNobodyIn, says, isTaken, isRefusal },
  actions: {
    showSuccess: (_, _params: { message: string }) => {},
    showRefusal: (_, _params: { message: string }) => {},
    showFailure: (_, _params: { error: unknown }) => {},
    letIn: assign({ isSomebodyIn: false }),
    keepMessage: assign(keepMessage),
    keepFailure: assign(keepFailure),
  },
}).createMachine({
  id: 'activation-link',
  context: ({ input }) => ({ ...input, message: '', failure: null }),
  initial: 'refused',
  states: {
    /** another user is signed in */
    refused: {
      always: { guard: 'isNobodyIn', target: 'checking' },
      on: { 'signed-out': { actions: 'letIn' } },
    },
    checking: {
      invoke: {
        id: 'checkLink',
        src: 'checkLink',
        input: ({ context: { token } }) => ({ token }),
        onDone: [
          {
            guard: { type: 'says', params: ({ event }) => ({ answer: event.output, success: 1 }) },
            target: 'valid',
            actions: { type: 'keepMessage', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'says', params: ({ event }) => ({ answer: event.output, success: -1 }) },
            target: 'used',
            actions: { type: 'keepMessage', params: ({ event }) => event.output },
          },
          { target: 'expired', actions: { type: 'keepMessage', params: ({ event }) => event.output } },
        ],
        onError: [
          {
            guard: { type: 'isRefusal', params: ({ event }) => event },
            target: 'unknown',
            actions: { type: 'keepFailure', params: ({ event }) => event },
          },
          { target: 'unanswered', actions: { type: 'keepFailure', params: ({ event }) => event } },
        ],
      },
    },
    valid: { on: { 'password.chosen': 'setting' } },
    setting: {
      invoke: {
        id: 'setPassword',
        src: 'setPassword',
        input: ({ context: { token }, event }) => ({
          token,
          password: (event as { type: 'password.chosen'; password: string }).password,
        }),
        onDone: [
          {
            guard: { type: 'isTaken', params: ({ event }) => ({ answer: event.output }) },
            target: 'done',
            actions: [
              { type: 'keepMessage', params: ({ event }) => event.output },
              { type: 'showSuccess', params: ({ event }) => event.output },
            ],
          },
          // It ran out or was used while they were typing: the page says which.
          { target: 'checking', actions: { type: 'showRefusal', params: ({ event }) => event.output } },
        ],
        // Told by the form that handed it over, which keeps what was typed.
        onError: { target: 'valid', actions: { type: 'keepFailure', params: ({ event }) => event } },
      },
    },
    expired: {
      initial: 'offering',
      states: {
        offering: { on: { resend: 'resending' } },
        resending: {
          invoke: {
            id: 'resendLink',
            src: 'resendLink',
            input: ({ context: { token } }) => ({ token }),
            onDone: {
              target: 'resent',
              actions: [
                { type: 'keepMessage', params: ({ event }) => event.output },
                { type: 'showSuccess', params: ({ event }) => event.output },
              ],
            },
            onError: { target: 'offering', actions: { type: 'showFailure', params: ({ event }) => event } },
          },
        },
        resent: { on: { resend: 'resending' } },
      },
    },
    used: {},
    /** never was a link of this server, or of this user */
    unknown: {},
    unanswered: { on: { retry: 'checking' } },
    done: { type: 'final' },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('provided by the portal'))
}

function isNobodyIn({ context }: { context: Context }): boolean {
  return !context.isSomebodyIn
}

function says(
  _: unknown,
  { answer, success }: { answer: LinkAnswer; success: LinkAnswer['success'] },
): boolean {
  return answer.success === success
}

function isTaken(_: unknown, { answer }: { answer: SetAnswer }): boolean {
  return answer.success
}

/** The server refused, rather than not answering; the actor that called it says so. */
function isRefusal(_: unknown, { error }: { error: unknown }): boolean {
  return typeof error === 'object' && error !== null && 'isRefusal' in error && error.isRefusal === true
}

function keepMessage(_: unknown, { message }: { message: string }): Partial<Context> {
  return { message, failure: null }
}

function keepFailure(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { failure: error }
}
