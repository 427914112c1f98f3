import { assign, fromPromise, setup } from 'xstate'
import type { AccountManager } from '../contracts/entities/companies.ts'
import type { ResetRequired, SignedIn } from '../contracts/entities/sessions.ts'

/** What is known of the visitor while they are signed in; the part of it that outlives the page is in local storage. */
export type Session = Pick<SignedIn, 'user' | 'identityId' | 'groupInfo' | 'companyInfo'> & {
  accessToken: string
  refreshToken: string
  /** an administrator who entered as a group */
  isSuperAdminUser: boolean
}

export type SignInAnswer =
  | { kind: 'signed-in'; session: Session; hasThings: boolean }
  | { kind: 'reset-required'; reset: ResetRequired }
  | { kind: 'suspended'; message: string; manager: AccountManager }

/** `exp`: when the session now ends, epoch seconds. */
export type Refreshed = { accessToken: string; refreshToken: string; identityId: string; exp: number }

export type SignIn = { username: string; password: string }

export type SessionEvent =
  | ({ type: 'sign-in.submit' } & SignIn)
  | { type: 'sign-in.again' }
  | { type: 'sign-out' }
  /** the access token is about to run out, or was refused as run out */
  | { type: 'refresh.due' }
  /** a call was refused with 401 although the token was fresh */
  | { type: 'session.refused' }
  /** the session's own end has passed */
  | { type: 'session.ran-out' }
  /** the server ended the session that has this refresh token, or this identity where the token is not known */
  | { type: 'session.ended-by-server'; refreshToken: string | null; identityId: string }
  /** another window of this browser signed out */
  | { type: 'session.left-elsewhere' }

type Context = {
  session: Session | null
  reset: ResetRequired | null
  manager: AccountManager | null
}

/** Who is here: nobody, somebody coming in, somebody signed in, somebody who must wait outside and why. */
export const sessionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
    input: {} as { remembered: Session | null },
  },
  actors: {
    signIn: fromPromise<SignInAnswer, SignIn>(() => Promise.reject(new Error('signIn is not provided'))),
    refresh: fromPromise<Refreshed, { session: Session }>(() =>
      Promise.reject(new Error('refresh is not provided')),
    ),
  },
  actions: {
    /** keeps the session for the next page */
    remember: () => {},
    /** keeps the token that is good for setting a password alone */
    rememberReset: () => {},
    /** clears local storage */
    forget: () => {},
    /** tells the server, without waiting for its answer */
    tellServer: (_, _params: { session: Session | null }) => {},
    openPortal: (_, _params: { hasThings: boolean }) => {},
    openReset: () => {},
    openSignIn: () => {},
    reload: () => {},
    showMessage: (_, _params: { message: string }) => {},
    showFailure: (_, _params: { error: unknown }) => {},
    dropSession: assign({ session: null, reset: null, manager: null }),
  },
  guards: {
    isRemembered: ({ context }) => context.session !== null,
    isThisSession: ({ context: { session } }, named: { refreshToken: string | null; identityId: string }) =>
      session !== null &&
      (named.refreshToken === session.refreshToken || named.identityId === session.identityId),
    /** the server said no, rather than nothing; told by the actor that asked */
    isRefusal: (_, { error }: { error: unknown }) =>
      typeof error === 'object' && error !== null && 'isRefusal' in error && error.isRefusal === true,
    /** for the walk and the page alike: what the answer is decides where it leads */
    isKind: (_, { answer, kind }: { answer: SignInAnswer; kind: SignInAnswer['kind'] }) =>
      answer.kind === kind,
  },
  delays: {
    /** the documents' 55 minutes; the portal shortens it to the token's own life */
    untilRefresh: 55 * 60 * 1000,
    reloadPause: 500,
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ session: input.remembered, reset: null, manager: null }),
  initial: 'idle',
  states: {
    idle: {
      always: { guard: 'isRemembered', target: 'authenticated' },
      on: { 'sign-in.submit': 'loading' },
    },

    loading: {
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ event }) => {
          const { username, password } = event as { type: 'sign-in.submit' } & SignIn
          return { username, password }
        },
        onDone: [
          {
            guard: { type: 'isKind', params: ({ event }) => ({ answer: event.output, kind: 'signed-in' }) },
            target: 'authenticated',
            actions: [
              assign({
                session: ({ event }) => (event.output.kind === 'signed-in' ? event.output.session : null),
              }),
              'remember',
              {
                type: 'openPortal',
                params: ({ event }) => ({
                  hasThings: event.output.kind === 'signed-in' && event.output.hasThings,
                }),
              },
            ],
          },
          {
            guard: {
              type: 'isKind',
              params: ({ event }) => ({ answer: event.output, kind: 'reset-required' }),
            },
            target: 'reset',
            actions: [
              assign({
                reset: ({ event }) => (event.output.kind === 'reset-required' ? event.output.reset : null),
              }),
              'rememberReset',
              {
                type: 'showMessage',
                params: ({ event }) => ({
                  message: event.output.kind === 'reset-required' ? event.output.reset.message : '',
                }),
              },
              'openReset',
            ],
          },
          {
            target: 'suspended',
            actions: assign({
              manager: ({ event }) => (event.output.kind === 'suspended' ? event.output.manager : null),
            }),
          },
        ],
        onError: {
          target: 'idle',
          actions: { type: 'showFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },

    authenticated: {
      initial: 'fresh',
      on: {
        'sign-out': {
          target: 'idle',
          actions: [
            { type: 'tellServer', params: ({ context }) => ({ session: context.session }) },
            'dropSession',
            'forget',
            'openSignIn',
          ],
        },
        'session.left-elsewhere': { target: 'idle', actions: ['dropSession', 'openSignIn'] },
        'session.refused': { target: 'expired' },
        'session.ran-out': { target: 'expired' },
        'session.ended-by-server': {
          guard: { type: 'isThisSession', params: ({ event }) => event },
          target: 'expired.byServer',
        },
      },
      states: {
        fresh: {
          after: { untilRefresh: 'refreshing' },
          on: { 'refresh.due': 'refreshing' },
        },
        refreshing: {
          invoke: {
            id: 'refresh',
            src: 'refresh',
            input: ({ context }) => ({ session: context.session as Session }),
            onDone: {
              target: 'fresh',
              actions: [
                assign({
                  session: ({ context, event }) =>
                    context.session && refreshed(context.session, event.output),
                }),
                'remember',
              ],
            },
            onError: [
              {
                guard: { type: 'isRefusal', params: ({ event }) => ({ error: event.error }) },
                target: '#session.expired',
              },
              // No answer is no refusal: the token may still be good, and the next call asks again.
              { target: 'fresh' },
            ],
          },
        },
      },
    },

    reset: {
      on: {
        'sign-in.submit': 'loading',
        'sign-out': { target: 'idle', actions: ['dropSession', 'forget', 'openSignIn'] },
      },
    },

    suspended: {
      on: { 'sign-in.again': { target: 'idle', actions: 'dropSession' } },
    },

    expired: {
      initial: 'quiet',
      entry: ['dropSession', 'forget', 'openSignIn'],
      on: { 'sign-in.submit': 'loading' },
      states: {
        quiet: {},
        byServer: { after: { reloadPause: { target: 'quiet', actions: 'reload' } } },
      },
    },
  },
})

function refreshed(session: Session, { exp, ...tokens }: Refreshed): Session {
  return { ...session, ...tokens, user: { ...session.user, exp } }
}
