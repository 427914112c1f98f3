import { assign, fromPromise, setup } from 'xstate'

type Context = {
  email: string
  /** what is wrong with the field, in the documents' words; null where nothing is */
  message: string | null
}
type Event =
  | { type: 'email.changed'; email: string }
  | { type: 'submit' }
  /** the mail did not come, or the address was wrong */
  | { type: 'again' }

/** Asking for a mail to set a new password. What is answered is the same whether somebody has that address or not. */
export const forgotPasswordMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    askForMail: fromPromise<void, { email: string }>(notProvided),
  },
  guards: { isMissing },
  actions: {
    focusOnEmail: () => {},
    announce: () => {},
    showFailure: (_, _params: { error: unknown }) => {},
    setEmail: assign(setEmail),
    refuse: assign({ message: 'This field is required' }),
  },
}).createMachine({
  id: 'forgot-password',
  context: { email: '', message: null },
  initial: 'editing',
  states: {
    editing: {
      on: {
        'email.changed': { actions: { type: 'setEmail', params: ({ event }) => event } },
        submit: [{ guard: 'isMissing', actions: ['refuse', 'focusOnEmail'] }, { target: 'sending' }],
      },
    },
    sending: {
      invoke: {
        id: 'askForMail',
        src: 'askForMail',
        input: ({ context }) => ({ email: context.email.trim() }),
        onDone: { target: 'sent', actions: 'announce' },
        onError: { target: 'editing', actions: { type: 'showFailure', params: ({ event }) => event } },
      },
    },
    sent: { on: { again: 'editing' } },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('askForMail is not provided'))
}

function isMissing({ context }: { context: Context }): boolean {
  return context.email.trim() === ''
}

function setEmail(_: unknown, { email }: { email: string }): Partial<Context> {
  return { email, message: null }
}
