import { createActor, fromPromise } from 'xstate'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { type SignedIn, Suspended } from '#machines/contracts/entities/sessions.ts'
import { sessionMachine } from '#machines/session/session.machine.ts'
import {
  type HandOff,
  isSamePerson,
  type NetworkError,
  type Refreshed,
  renewed,
  type Session,
  type SignIn,
  type SignInAnswer,
} from '#machines/session/session.ts'
import { CallRefused, failureMessage } from '../effects/call-failures.ts'
import type { ServerClock } from '../effects/clock.ts'
import type { Drafts } from '../effects/drafts.ts'
import type { Http } from '../effects/http.ts'
import type { ReturnPage } from '../effects/return-page.ts'
import type { SessionStorage } from '../effects/storage.ts'
import type { TabLock } from '../effects/tab-lock.ts'
import type { Toasts } from '../effects/toast.ts'
import { isSuperAdmin, tokenEnd } from '../effects/token-claims.ts'
import { inspect } from './inspection.ts'

/** The world the session machine acts on, by name. */
export type SessionEffects = {
  http: Http
  storage: SessionStorage
  drafts: Drafts
  tabs: TabLock
  clock: ServerClock
  toasts: Toasts
  returnPage: ReturnPage
  goTo(path: string): void
  reload(): void
  showNetworkError(error: NetworkError): void
}

const LONGEST = 55 * 60 * 1000
const SHORTEST = 10 * 1000
/** Where an administrator chooses the company to enter. */
export const COMPANIES_PATH = '/admin/companies'
const DASHBOARD_PATH = '/'
const ASSIGNMENT_PATH = '/vehicle/assignment'
/** Before the token's own end, ms. */
export const REFRESH_AHEAD = 60 * 1000

/** The session with its effects, not started. */
export function createSession(effects: SessionEffects) {
  const { http, storage, drafts, clock, toasts, returnPage, goTo, reload, showNetworkError } = effects
  return createActor(
    sessionMachine.provide({
      actors: {
        signIn: fromPromise<SignInAnswer, SignIn>(({ input, signal }) => signIn(http, input, signal)),
        refresh: fromPromise<Refreshed, { session: Session }>(({ input, signal }) =>
          refresh(effects, input.session, signal),
        ),
        checkHandOff: fromPromise<Session, { handOff: HandOff }>(({ input, signal }) =>
          checkHandOff(http, input.handOff, signal),
        ),
      },
      actions: {
        remember: ({ context }) => context.session && storage.remember(context.session),
        rememberGroup: ({ context }) => context.session && storage.rememberGroup(context.session.groupInfo),
        rememberName: ({ context }) => context.session && storage.rememberName(context.session),
        rememberReset: ({ context }) => context.reset && storage.rememberReset(context.reset),
        forget: () => {
          storage.forget()
          drafts.forget()
        },
        forgetEnded: (_, { session }) => {
          const stored = storage.remembered()
          if (stored === null || stored.identityId === session?.identityId) storage.forget()
        },
        signOutAtServer: (_, { session }) => {
          returnPage.forget()
          if (session) endOnServer(http, session)
        },
        openPortal: ({ context: { session } }, { hasThings }) =>
          session && goTo(firstPage(session, hasThings, returnPage)),
        openReset: () => goTo('/user/reset'),
        openSignIn: () => goTo('/login'),
        reload,
        showMessage: (_, { message }) => toasts.info(message),
        showNetworkError: (_, error) => showNetworkError(error),
        showTimeout: (_, { message }) => toasts.error(message),
        showFailure: (_, { error }) => {
          const message = failureMessage(error)
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
    { input: { remembered: storage.remembered() }, inspect },
  )
}

/** Where signing in leads: back to the page they were sent to sign in from, else to the beginning. */
function firstPage(session: Session, hasThings: boolean, returnPage: ReturnPage): string {
  if (mayEnterCompanies(session)) return COMPANIES_PATH
  // Who enters as a group was on pages of another one.
  const kept = session.isSuperAdminUser ? undefined : returnPage.of(session.user._id)
  const wanted = kept ?? DASHBOARD_PATH
  const [path] = wanted.split('?')
  if (path === DASHBOARD_PATH && !hasThings) return ASSIGNMENT_PATH
  if (path === ASSIGNMENT_PATH && hasThings) return DASHBOARD_PATH
  return wanted
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

/**
 * New tokens for all windows of this browser: the first asks, the others wait for it and take over what it kept.
 * Only where windows can wait for each other does it ask for another refresh token too: a spent one ends the session.
 * Whoever was moved to another group begins anew there.
 */
function refresh(
  { http, storage, tabs, reload }: Pick<SessionEffects, 'http' | 'storage' | 'tabs' | 'reload'>,
  session: Session,
  signal: AbortSignal,
): Promise<Refreshed> {
  return tabs.hold('frostline-refresh', signal, async () => {
    const stored = storage.remembered()
    const isMine = stored !== null && isSamePerson(stored, session)
    if (isMine && stored.accessToken !== session.accessToken) return tokensOf(stored)
    const token = isMine ? stored.refreshToken : session.refreshToken
    const query = { token, ...(tabs.isShared && { rotate: 'true' as const }) }
    const { data } = await http.ask(AUTH_CALLS.refreshToken, { query }, { signal, isBackground: true })
    const { token: accessToken, refreshToken = token, identityId, exp, ...place } = data
    const given: Refreshed = { accessToken, refreshToken, identityId, exp, companyInfo: place.companyInfo }
    const isMoved = place.user.groupId !== session.user.groupId
    // Kept before the next window has its turn; not where somebody logged out meanwhile.
    const kept = storage.remembered()
    const isStill = kept?.identityId === session.identityId
    // with what was published of them meanwhile
    if (isStill && !signal.aborted) {
      const here = renewed(isSamePerson(kept, session) ? kept : session, given)
      storage.remember({ ...here, ...(isMoved && place) })
      if (isMoved) reload()
    }
    return given
  })
}

function tokensOf({ accessToken, refreshToken, identityId, companyInfo, user: { exp } }: Session): Refreshed {
  return { accessToken, refreshToken, identityId, companyInfo, exp }
}

/** The address said who it is; the server says whether that is so. */
async function checkHandOff(http: Http, handOff: HandOff, signal: AbortSignal): Promise<Session> {
  const { userId, ...rest } = handOff
  const as = { ...rest, isSuperAdminUser: true }
  const me = await http.ask(AUTH_CALLS.me, {}, { signal, as })
  const isSo =
    me.superAdmin &&
    me.handoff &&
    me._id === userId &&
    me.groupId === rest.companyInfo.groupId &&
    me.companyId === rest.companyInfo.companyId
  if (!isSo) throw new Error('It does not belong to the company it names.')
  const { _id, name, userName, groupId, companyId, exp, timeZone } = me
  return {
    ...as,
    companyInfo: { groupId, companyId, timeZone },
    user: { _id, name, userName, groupId, companyId, exp },
  }
}

/** An administrator who signed in as themselves may go on into a company. */
export function mayEnterCompanies({ accessToken, isSuperAdminUser }: Session): boolean {
  return !isSuperAdminUser && isSuperAdmin(accessToken)
}

/** Nobody waits for it: the tokens are gone here already. */
function endOnServer(http: Http, session: Session): void {
  http.ask(AUTH_CALLS.logout, {}, { isBackground: true, as: session }).catch(() => {})
}
