import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'
import { INVALID_PASSWORD, isPassword, PASSWORDS_DIFFER } from '../rules/password.ts'

/** The fields of every page that sets a password; `code` only where one is asked for. */
export type PasswordFields = { code: string; password: string; confirmPassword: string }
export type PasswordField = keyof PasswordFields
/** A password that passed the form's checks, with the code it was asked with. */
export type NewPassword = { code: string; password: string }

type Messages = { [F in PasswordField]: string | null }
type Context = {
  needsCode: boolean
  now: PasswordFields
  /** what is wrong with a field, in the documents' words; null where nothing is */
  messages: Messages
}
type Event = { type: 'field.changed'; field: PasswordField; value: string } | { type: 'submit' }

const NO_MESSAGES: Messages = { code: null, password: null, confirmPassword: null }

/** A new password, typed twice: checked, handed over once however often it is sent, refused with what was typed kept. */
export const passwordFormMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { needsCode: boolean } },
  actors: {
    /** rejects where it was not taken */
    setPassword: fromPromise<void, NewPassword>(notProvided),
  },
  guards: { isFaulty },
  actions: {
    /** puts the cursor where something is wrong */
    focusOn: (_, _params: { field: PasswordField | null }) => {},
    showFailure: (_, _params: { error: unknown }) => {},
    /** says that it is set, and goes where one goes then */
    announce: () => {},
    setField: assign(setField),
    refuse: assign(refuse),
    keepRefusal: assign(keepRefusal),
    forgetMessages: assign({ messages: NO_MESSAGES }),
  },
}).createMachine({
  id: 'password-form',
  context: ({ input: { needsCode } }) => ({
    needsCode,
    now: { code: '', password: '', confirmPassword: '' },
    messages: NO_MESSAGES,
  }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'field.changed': { actions: { type: 'setField', params: ({ event }) => event } },
        submit: [
          {
            guard: 'isFaulty',
            actions: [
              'refuse',
              { type: 'focusOn', params: ({ context }) => ({ field: firstFault(faultsOf(context)) }) },
            ],
          },
          { target: 'submitting' },
        ],
      },
      initial: 'filling',
      states: {
        filling: {},
        /** the server did not take it; what was typed is still there */
        failed: {
          on: {
            'field.changed': {
              target: 'filling',
              actions: { type: 'setField', params: ({ event }) => event },
            },
          },
        },
      },
    },
    submitting: {
      entry: 'forgetMessages',
      invoke: {
        id: 'setPassword',
        src: 'setPassword',
        input: ({ context: { now } }) => ({ code: now.code.trim(), password: now.password }),
        onDone: { target: 'done', actions: 'announce' },
        onError: {
          target: 'editing.failed',
          actions: [
            { type: 'keepRefusal', params: ({ event }) => event },
            { type: 'focusOn', params: ({ context }) => ({ field: firstFault(context.messages) }) },
            { type: 'showFailure', params: ({ event }) => event },
          ],
        },
      },
    },
    done: { type: 'final' },
  },
})

const REQUIRED = 'This field is required'
/** In the order they stand on the page. */
const FIELDS: readonly PasswordField[] = ['code', 'password', 'confirmPassword']

function faultsOf({ needsCode, now }: Context): Messages {
  const isWeak = now.password !== '' && !isPassword(now.password)
  const differs = now.confirmPassword !== now.password ? PASSWORDS_DIFFER : null
  return {
    code: needsCode && now.code.trim() === '' ? REQUIRED : null,
    password: now.password === '' ? REQUIRED : isWeak ? INVALID_PASSWORD : null,
    confirmPassword: now.confirmPassword === '' ? REQUIRED : isWeak ? INVALID_PASSWORD : differs,
  }
}

function firstFault(messages: Messages): PasswordField | null {
  return FIELDS.find((field) => messages[field] !== null) ?? null
}

/** The two passwords are checked together, so what is said of one goes with what is said of the other; a missing one is still missing. */
function withoutPartOf(messages: Messages, field: PasswordField): Messages {
  if (field === 'code') return { ...messages, code: null }
  const other = field === 'password' ? 'confirmPassword' : 'password'
  return { ...messages, [field]: null, [other]: messages[other] === REQUIRED ? REQUIRED : null }
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('setPassword is not provided'))
}

type Args = { context: Context }

function isFaulty({ context }: Args): boolean {
  return firstFault(faultsOf(context)) !== null
}

function setField(
  { context: { now, messages } }: Args,
  { field, value }: { field: PasswordField; value: string },
): Partial<Context> {
  return { now: { ...now, [field]: value }, messages: withoutPartOf(messages, field) }
}

function refuse({ context }: Args): Partial<Context> {
  return { messages: faultsOf(context) }
}

/** The server knows words that many use, and names: a password with them it refuses in the words of the rule. */
function keepRefusal(_: Args, { error }: { error: unknown }): Partial<Context> {
  const isOfPassword = messageOf(error) === INVALID_PASSWORD
  return isOfPassword
    ? { messages: { code: null, password: INVALID_PASSWORD, confirmPassword: INVALID_PASSWORD } }
    : {}
}
