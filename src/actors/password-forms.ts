import { type ActorRefFrom, fromPromise, waitFor } from 'xstate'
import {
  activationLinkMachine,
  type LinkAnswer,
  type SetAnswer,
} from '#machines/activation-link/activation-link.machine.ts'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { forgotPasswordMachine } from '#machines/forgot-password/forgot-password.machine.ts'
import { type NewPassword, passwordFormMachine } from '#machines/password-form/password-form.machine.ts'
import { CallRefused, failureMessage } from '../effects/call-failures.ts'
import type { Root } from './root.ts'

type Effects = Pick<Root, 'http' | 'toasts' | 'goTo' | 'session'>
export type LinkActor = ActorRefFrom<typeof activationLinkMachine>

/** Whose link it is decides how it is used: the first password of an account, or another one. */
export type LinkKind = { purpose: 'activation' } | { purpose: 'password'; userId: string }

/** Asking for a mail to set a new password. */
export function forgotPasswordIn({ http, toasts }: Effects) {
  return forgotPasswordMachine.provide({
    actors: {
      askForMail: fromPromise<void, { email: string }>(async ({ input, signal }) => {
        await http.ask(AUTH_CALLS.forgotPassword, { body: input }, { signal })
      }),
    },
    actions: {
      announce: () => toasts.success(MAIL_IS_COMING),
      showFailure: (_, { error }) => showFailure(toasts, error),
    },
  })
}

const MAIL_IS_COMING = 'Please check your resgistered email to reset password'

/** A new password with the code of a mail. */
export function confirmCodeIn({ http, toasts, goTo }: Effects, userName: string) {
  return formThat(toasts, {
    setPassword: async ({ code, password }, signal) => {
      await http.ask(AUTH_CALLS.confirmUser, { body: { userName, code, password } }, { signal })
    },
    announce: () => {
      toasts.success('New password is set successfully')
      goTo('/login')
    },
  })
}

/** A new password before one may go on. */
export function resetIn({ http, toasts, session }: Effects) {
  return formThat(toasts, {
    setPassword: async ({ password }, signal) => {
      const token = session.getSnapshot().context.reset ?? ''
      const body = { password, token, confirmation: password }
      const { message } = await http.ask(AUTH_CALLS.setPassword, { body }, { signal })
      toasts.success(message)
    },
    announce: () => session.send({ type: 'reset.done' }),
  })
}

/** The link of a mail. */
export function linkIn({ http, toasts }: Effects, kind: LinkKind) {
  return activationLinkMachine.provide({
    actors: {
      checkLink: fromPromise<LinkAnswer, { token: string }>(({ input, signal }) =>
        http.ask(AUTH_CALLS.checkLinkValidity, { params: input }, { signal }),
      ),
      resendLink: fromPromise<{ message: string }, { token: string }>(({ input, signal }) =>
        http.ask(AUTH_CALLS.resendExpiredLink, { params: input }, { signal }),
      ),
      setPassword: fromPromise<SetAnswer, { token: string; password: string }>(
        ({ input: { token, password }, signal }) =>
          kind.purpose === 'activation'
            ? http.ask(AUTH_CALLS.activate, { params: { token }, body: { password } }, { signal })
            : http.ask(
                AUTH_CALLS.setPasswordByLink,
                { params: { id: kind.userId, token }, body: { password } },
                { signal },
              ),
      ),
    },
    actions: {
      showSuccess: (_, { message }) => toasts.success(message),
      showRefusal: (_, { message }) => toasts.error(message),
      showFailure: (_, { error }) => showFailure(toasts, error),
    },
  })
}

/** The password for a link: handed to the link, which says what becomes of it. */
export function linkFormIn({ toasts }: Effects, link: LinkActor) {
  return formThat(toasts, {
    setPassword: async ({ password }) => {
      link.send({ type: 'password.chosen', password })
      const { value, context } = await waitFor(link, (state) => !state.matches('setting'))
      if (value === 'valid') throw context.failure
    },
    announce: () => {},
  })
}

/** What went wrong, in the server's words. These pages have nothing else to say it with: a first 404 is told too. */
function showFailure(toasts: Effects['toasts'], error: unknown): void {
  const message = error instanceof CallRefused ? error.message : failureMessage(error)
  if (message !== undefined) toasts.error(message)
}

function formThat(
  toasts: Effects['toasts'],
  {
    setPassword,
    announce,
  }: { setPassword: (given: NewPassword, signal: AbortSignal) => Promise<void>; announce: () => void },
) {
  return passwordFormMachine.provide({
    actors: {
      setPassword: fromPromise<void, NewPassword>(({ input, signal }) => setPassword(input, signal)),
    },
    actions: { announce, showFailure: (_, { error }) => showFailure(toasts, error) },
  })
}
