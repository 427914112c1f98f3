import { assign, fromPromise, setup } from 'xstate'
import type { GroupInfo } from '../contracts/entities/group-info.ts'
import {
  isSamePerson as areSamePerson,
  type HandOff,
  isNotFound,
  isRefusal as isRefusalError,
  type NetworkError,
  type Refreshed,
  renewed,
  type Session,
  type SessionContext,
  type SessionEvent,
  type SignIn,
  type SignInAnswer,
} from './session.ts'

/** Who is here: nobody, somebody coming in, somebody signed in, somebody who must wait outside and why. */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as { remembered: Session | null },
  },
  actors: {
    signIn: fromPromise<SignInAnswer, SignIn>(notProvided),
    /** renews the tokens, for all windows of this browser, and keeps them for the next page */
    refresh: fromPromise<Refreshed, { session: Session }>(notProvided),
    /** asks the server who this is */
    checkHandOff: fromPromise<Session, { handOff: HandOff }>(notProvided),
  },
  actions: {
    /** keeps the session for the next page */
    remember: () => {},
    /** keeps what is known of their group, and nothing else: another window may have newer tokens */
    rememberGroup: () => {},
    /** keeps their name, and nothing else, for the same reason */
    rememberName: () => {},
    /** keeps the token that is good for setting a password alone */
    rememberReset: () => {},
    /** clears local storage */
    forget: () => {},
    /** the same, where another window has not put another session there by now */
    forgetEnded: (_, _params: { session: Session | null }) => {},
    /** ends the session on the server, without waiting for its answer */
    signOutAtServer: (_, _params: { session: Session | null }) => {},
    openPortal: (_, _params: { hasThings: boolean }) => {},
    openReset: () => {},
    openSignIn: () => {},
    reload: () => {},
    showMessage: (_, _params: { message: string }) => {},
    showFailure: (_, _params: { error: unknown }) => {},
    /** the page of a network error; what was typed is kept for when one comes back */
    showNetworkError: (_, _params: NetworkError) => {},
    showTimeout: (_, _params: { message: string }) => {},
    takeSession: assign(takeSession),
    takeReset: assign(takeReset),
    takeManager: assign(takeManager),
    takeFailure: assign(takeFailure),
    takeTokens: assign(takeTokens),
    takeGroup: assign(takeGroup),
    takeName: assign(takeName),
    enter: assign(enter),
    setAside: assign(setAside),
    takeUpAgain: assign(takeUpAgain),
    dropSession: assign({ session: null, reset: null, manager: null }),
    dropHandOff: assign({ handOff: null }),
    dropFailure: assign({ failure: null }),
  },
  guards: { isRemembered, isThisSession, isSpoilt, isSamePerson, isRefusal, isAwaited, isKind },
  delays: {
    /** the documents' 55 minutes; the portal shortens it to the token's own life */
    untilRefresh: 55 * 60 * 1000,
    reloadPause: 500,
    handOffPause: 1000,
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    session: input.remembered,
    reset: null,
    manager: null,
    handOff: null,
    before: null,
    failure: null,
  }),
  initial: 'idle',
  on: {
    'hand-off.arrived': [
      {
        guard: { type: 'isSpoilt', params: ({ event }) => event },
        target: '.handOff.refused',
        actions: { type: 'setAside', params: ({ event }) => event },
      },
      { target: '.handOff.checking', actions: { type: 'setAside', params: ({ event }) => event } },
    ],
    // One rule for the calls of all: whoever waits is notified.
    'call.unanswered': {
      guard: { type: 'isAwaited', params: ({ event }) => event },
      actions: {
        type: 'showNetworkError',
        params: ({ event: { detail } }) => ({ detail, heals: false }),
      },
    },
    'call.timed-out': {
      guard: { type: 'isAwaited', params: ({ event }) => event },
      actions: { type: 'showTimeout', params: ({ event }) => event },
    },
    'part.missing': {
      actions: { type: 'showNetworkError', params: ({ event: { detail } }) => ({ detail, heals: true }) },
    },
  },
  states: {
    idle: {
      always: { guard: 'isRemembered', target: 'authenticated' },
      on: {
        'sign-in.submit': 'loading',
        'reset.resumed': { target: 'reset', actions: { type: 'takeReset', params: ({ event }) => event } },
        'session.stored-elsewhere': { actions: 'reload' },
      },
    },

    loading: {
      entry: 'dropFailure',
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
              {
                type: 'takeSession',
                params: ({ event }) => ({
                  session: event.output.kind === 'signed-in' ? event.output.session : null,
                }),
              },
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
              {
                type: 'takeReset',
                params: ({ event }) => ({
                  token: event.output.kind === 'reset-required' ? event.output.reset.token : null,
                }),
              },
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
            actions: {
              type: 'takeManager',
              params: ({ event }) => ({
                manager: event.output.kind === 'suspended' ? event.output.manager : null,
              }),
            },
          },
        ],
        onError: {
          target: 'idle',
          actions: [
            {
              type: 'takeFailure',
              params: ({ event: { error } }) => ({ failure: isNotFound(error) ? error : null }),
            },
            { type: 'showFailure', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },

    authenticated: {
      initial: 'fresh',
      on: {
        'sign-out': {
          target: 'idle',
          actions: [
            { type: 'signOutAtServer', params: ({ context }) => ({ session: context.session }) },
            'dropSession',
            'forget',
            'openSignIn',
          ],
        },
        'sign-out.here': {
          target: 'idle',
          actions: [
            { type: 'signOutAtServer', params: ({ context }) => ({ session: context.session }) },
            'dropSession',
            'forget',
          ],
        },
        // What only those signed in see sends them to /login; a page for everybody stays.
        'session.left-elsewhere': { target: 'idle', actions: 'dropSession' },
        'session.stored-elsewhere': [
          {
            guard: { type: 'isSamePerson', params: ({ event }) => event },
            target: '.fresh',
            reenter: true,
            actions: { type: 'takeSession', params: ({ event }) => event },
          },
          { actions: 'reload' },
        ],
        'group.told': { actions: [{ type: 'takeGroup', params: ({ event }) => event }, 'rememberGroup'] },
        'user.told': { actions: [{ type: 'takeName', params: ({ event }) => event }, 'rememberName'] },
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
              actions: { type: 'takeTokens', params: ({ event }) => event.output },
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
        'reset.done': { target: 'idle', actions: ['dropSession', 'forget', 'openSignIn'] },
        'session.stored-elsewhere': { actions: 'reload' },
      },
    },

    suspended: {
      on: {
        'sign-in.again': { target: 'idle', actions: 'dropSession' },
        'session.stored-elsewhere': { actions: 'reload' },
      },
    },

    /** an administrator enters as a group */
    handOff: {
      initial: 'checking',
      states: {
        checking: {
          invoke: {
            id: 'checkHandOff',
            src: 'checkHandOff',
            input: ({ context }) => ({ handOff: context.handOff as HandOff }),
            onDone: {
              target: 'entering',
              actions: [
                // Their own session, or whose it was, is of no use to anybody now.
                { type: 'signOutAtServer', params: ({ context }) => ({ session: context.before }) },
                { type: 'enter', params: ({ event }) => ({ session: event.output }) },
                'remember',
              ],
            },
            onError: {
              target: 'refused',
              actions: { type: 'takeFailure', params: ({ event }) => ({ failure: event.error }) },
            },
          },
        },
        entering: {
          after: {
            handOffPause: {
              target: '#session.authenticated',
              actions: { type: 'openPortal', params: { hasThings: true } },
            },
          },
        },
        /** whoever was signed in before still is */
        refused: {
          entry: 'dropHandOff',
          on: {
            'sign-in.again': {
              target: '#session.idle',
              actions: ['takeUpAgain', 'openSignIn'],
            },
          },
        },
      },
    },

    expired: {
      initial: 'quiet',
      entry: [
        { type: 'forgetEnded', params: ({ context }) => ({ session: context.session }) },
        'dropSession',
        'openSignIn',
      ],
      on: { 'sign-in.submit': 'loading', 'session.stored-elsewhere': { actions: 'reload' } },
      states: {
        quiet: {},
        byServer: { after: { reloadPause: { target: 'quiet', actions: 'reload' } } },
      },
    },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('provided by the portal'))
}

type Args = { context: SessionContext }

function isRemembered({ context: { session } }: Args): boolean {
  return session !== null
}

function isThisSession(
  { context: { session } }: Args,
  named: { refreshToken: string | null; identityId: string },
): boolean {
  return (
    session !== null &&
    (named.refreshToken === session.refreshToken || named.identityId === session.identityId)
  )
}

function isSpoilt(_: unknown, { handOff }: { handOff: HandOff | null }): boolean {
  return handOff === null
}

function isSamePerson({ context }: Args, { session }: { session: Session }): boolean {
  return context.session !== null && areSamePerson(context.session, session)
}

function isRefusal(_: unknown, { error }: { error: unknown }): boolean {
  return isRefusalError(error)
}

/** The visitor made the call, or the page needs it. What runs behind a page that stands disturbs nobody. */
function isAwaited(_: unknown, { isBackground }: { isBackground: boolean }): boolean {
  return !isBackground
}

/** The kind of the answer decides where it leads. */
function isKind(_: unknown, { answer, kind }: { answer: SignInAnswer; kind: SignInAnswer['kind'] }): boolean {
  return answer.kind === kind
}

function takeSession(_: unknown, { session }: { session: Session | null }): Partial<SessionContext> {
  return { session }
}

function takeReset(_: unknown, { token }: { token: string | null }): Partial<SessionContext> {
  return { reset: token }
}

function takeManager(_: unknown, { manager }: Pick<SessionContext, 'manager'>): Partial<SessionContext> {
  return { manager }
}

function takeFailure(_: unknown, { failure }: { failure: unknown }): Partial<SessionContext> {
  return { failure }
}

function takeTokens({ context: { session } }: Args, tokens: Refreshed): Partial<SessionContext> {
  return { session: session && renewed(session, tokens) }
}

function takeGroup(
  { context: { session } }: Args,
  { name, groupImage }: Pick<GroupInfo, 'name' | 'groupImage'>,
): Partial<SessionContext> {
  return { session: session && { ...session, groupInfo: { ...session.groupInfo, name, groupImage } } }
}

function takeName({ context: { session } }: Args, { name }: { name: string }): Partial<SessionContext> {
  return { session: session && { ...session, user: { ...session.user, name } } }
}

function enter(_: unknown, { session }: { session: Session }): Partial<SessionContext> {
  return { session, before: null, handOff: null }
}

function setAside({ context }: Args, { handOff }: { handOff: HandOff | null }): Partial<SessionContext> {
  return { handOff, before: context.session, session: null, failure: null }
}

function takeUpAgain({ context: { before } }: Args): Partial<SessionContext> {
  return { session: before, before: null }
}
