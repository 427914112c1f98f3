import { forgotPasswordMachine } from './forgot-password.machine.ts'

export const model = {
  name: 'forgot-password',
  kind: 'screen' as const,
  machine: forgotPasswordMachine,
  events: [
    { type: 'email.changed', email: 'operator@indus.example' },
    { type: 'email.changed', email: ' ' },
    { type: 'submit' },
    { type: 'again' },
    { type: 'xstate.done.actor.askForMail', output: undefined },
    { type: 'xstate.error.actor.askForMail', error: { message: 'Too many requests' } },
  ],
  serializeState: (snapshot: { value: unknown; context: { email: string; message: string | null } }) =>
    JSON.stringify([snapshot.value, snapshot.context.email.trim(), snapshot.context.message]),
  describe: ({ type, email }: { type: string; email?: string }): string | undefined =>
    email === undefined ? words[type] : email.trim() === '' ? 'a blank address' : 'an e-mail address',
}

const words: Record<string, string> = {
  submit: 'Reset Password',
  again: 'asking once more',
  'xstate.done.actor.askForMail': 'the server taking it',
  'xstate.error.actor.askForMail': 'a refusal of the server',
}
