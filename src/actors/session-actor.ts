import { createActor, fromPromise } from 'xstate'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { type SignedIn, Suspended } from '#machines/contracts/entities/sessions.ts'
import {
  type Refreshed,
  type Session,
  type SignIn,
  type SignInAnswer,
  sessionMachine,
} from '#machines/session/session.machine.ts'
import { CallRefused, toldOf } from '../effects/call-failures.ts'
import type { ServerClock } from '../effects/clock.ts'
import type { Http } from '../effects/http.ts'
import type { SessionStorage } from '../effects/storage.ts'
import type { Toasts } from '../effects/toast.ts'
import { tokenEnd } from '../effects/token-claims.ts'

/** The world the session machine acts on, by name. */
export type SessionEffects = {
  http: Http
  storage: SessionStorage
  clock: ServerClock
  toasts: Toasts
  goTo(path: string): void
  reload(): void
}

const LONGEST = 55 * 60 * 1000
const SHORTEST = 10 * 1000
/** Before the token's own end, ms. */
export const REFRESH_AHEAD = 60 * 1000

/** The session with its effects, not started. */
export function createSession({ http, storage, clock, toasts, goTo, reload }: SessionEffects) {
  return createActor(
    sessionMachine.provide({
      actors: {
        signIn: fromPromise<SignInAnswer, SignIn>(({ input, signal }) => signIn(http, input, signal)),
        refresh: fromPromise<Refreshed, { session: Session }>(({ input, signal }) =>
          refresh(http, input.session, signal),
        ),
      },
      actions: {
        remember: ({ context }) => context.session && storage.remember(context.session),
        rememberReset: ({ context }) => context.reset && storage.rememberReset(context.reset.token),
        forget: () => storage.forget(),
        tellServer: (_, { session }) => session && endOnServer(http, session),
        openPortal: (_, { hasThings }) => goTo(hasThings ? '/' : '/vehicle/assignment'),
        openReset: () => goTo('/user/reset'),
        openSignIn: () => goTo('/login'),
        reload,
        showMessage: (_, { message }) => toasts.info(message),
        showFailure: (_, { error }) => {
          const message = toldOf(error)
          if (message !== undefined) toasts.error(message)
        },
      },
      delays: {
        untilRefresh: ({ context }) => {
          const end = context.session && tokenEnd(context.session.accessToken)
          if (!end || !clock.isKnown()) return LONGEST
          return Math.max(SHORTEST, Math.min(LONGEST, clock.until(end - REFRESH_AHEAD)))
        },
      },
    }),
    { input: { remembered: storage.remembered() } },
  )
}

async function signIn(http: Http, body: SignIn, signal: AbortSignal): Promise<SignInAnswer> {
  try {
    const answer = await http.ask(AUTH_CALLS.login, { body }, { signal })
    if ('messageKey' in answer) return { kind: 'reset-required', reset: answer }
    return { kind: 'signed-in', session: sessionOf(answer), hasThings: answer.hasThings }
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 403) throw error
    const { message, bam } = decode(error.body, Suspended, 'suspended')
    return { kind: 'suspended', message, manager: bam }
  }
}

function sessionOf({
  access_token,
  refresh_token,
  user,
  identityId,
  groupInfo,
  companyInfo,
}: SignedIn): Session {
  return {
    user,
    identityId,
    groupInfo,
    companyInfo,
    accessToken: access_token,
    refreshToken: refresh_token,
    isSuperAdminUser: false,
  }
}

async function refresh(http: Http, session: Session, signal: AbortSignal): Promise<Refreshed> {
  const query = { token: session.refreshToken }
  const { data } = await http.ask(AUTH_CALLS.refreshToken, { query }, { signal, isBackground: true })
  return {
    accessToken: data.token,
    refreshToken: data.refreshToken ?? session.refreshToken,
    identityId: data.identityId,
    exp: data.exp,
  }
}

/** Nobody waits for it: the tokens are gone here already. */
function endOnServer(http: Http, session: Session): void {
  http.ask(AUTH_CALLS.logout, {}, { isBackground: true, as: session }).catch(() => {})
}
