import { passwordFormMachine } from './password-form.machine.ts'

export const GOOD = 'Fr0st#line25'
export const OTHER = 'Fr0st#line26'
export const WEAK = 'password'

type Sample = { type: string; field?: string; value?: string; error?: unknown }

export const model = {
  name: 'password-form',
  kind: 'screen' as const,
  machine: passwordFormMachine,
  input: { needsCode: true },
  events: [
    { type: 'field.changed', field: 'code', value: '482913' },
    { type: 'field.changed', field: 'password', value: GOOD },
    { type: 'field.changed', field: 'password', value: WEAK },
    { type: 'field.changed', field: 'confirmPassword', value: GOOD },
    { type: 'field.changed', field: 'confirmPassword', value: OTHER },
    { type: 'submit' },
    { type: 'xstate.done.actor.setPassword', output: undefined },
    { type: 'xstate.error.actor.setPassword', error: { message: 'This code is not right' } },
  ],
  serializeState: (snapshot: { value: unknown; context: { now: unknown; messages: unknown } }) =>
    JSON.stringify([snapshot.value, snapshot.context.now, snapshot.context.messages]),
  describe: ({ type, field, value, error }: Sample): string => {
    if (field !== undefined) return typed[`${field} ${value}`] ?? `${field} ${value}`
    if (type === 'submit') return 'sending the form'
    return error === undefined ? 'the password being set' : 'a refusal of the server'
  },
}

const typed: Record<string, string> = {
  'code 482913': 'the code of the mail',
  [`password ${GOOD}`]: 'a good password',
  [`password ${WEAK}`]: 'a password the rule refuses',
  [`confirmPassword ${GOOD}`]: 'the good password again',
  [`confirmPassword ${OTHER}`]: 'another password the second time',
}
