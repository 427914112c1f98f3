import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { sessionMachine } from './session.machine.ts'
import { answers, handedOver, handOff, session } from './session.samples.ts'
import type { Refreshed, Session, SignInAnswer } from './session.ts'

/** A session whose server answers when the test says so, with a record of what it did outside. */
function started(remembered: Session | null = null) {
  const did: string[] = []
  const waiting = {
    signIn: [] as Answering<SignInAnswer>[],
    refresh: [] as Answering<Refreshed>[],
    checkHandOff: [] as Answering<Session>[],
  }
  const clock = new SimulatedClock()
  const note = (what: string) => () => void did.push(what)
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        signIn: fromPromise(() => pending(waiting.signIn)),
        refresh: fromPromise(() => pending(waiting.refresh)),
        checkHandOff: fromPromise(() => pending(waiting.checkHandOff)),
      },
      actions: {
        remember: note('remember'),
        rememberGroup: note('remember group'),
        rememberName: note('remember name'),
        rememberReset: note('remember reset'),
        forget: note('forget'),
        forgetEnded: note('forget'),
        signOutAtServer: (_, { session }) => void did.push(`tell server ${session?.refreshToken}`),
        openPortal: (_, { hasThings }) => void did.push(hasThings ? 'open /' : 'open /vehicle/assignment'),
        openReset: note('open /user/reset'),
        openSignIn: note('open /login'),
        reload: note('reload'),
        showMessage: (_, { message }) => void did.push(message),
        showFailure: (_, { error }) => void did.push(String(error)),
      },
    }),
    { input: { remembered }, clock },
  )
  actor.start()
  return { actor, did, waiting, clock, state: () => actor.getSnapshot().value }
}

type Answering<T> = { resolve: (answer: T) => void; reject: (error: unknown) => void }

function pending<T>(waiting: Answering<T>[]): Promise<T> {
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
}

const submit = { type: 'sign-in.submit', username: 'operator@indus.example', password: 'x' } as const
const settled = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)))

describe('signing in', () => {
  test('with devices opens the portal and remembers the session', async () => {
    const { actor, did, waiting, state } = started()
    actor.send(submit)
    expect(state()).toBe('loading')
    waiting.signIn[0]?.resolve(answers.signedIn)
    await settled()
    expect(state()).toEqual({ authenticated: 'fresh' })
    expect(actor.getSnapshot().context.session).toEqual(session)
    expect(did).toEqual(['remember', 'open /'])
  })

  test('without devices goes to the assignment page', async () => {
    const { actor, did, waiting } = started()
    actor.send(submit)
    waiting.signIn[0]?.resolve({ ...answers.signedIn, hasThings: false })
    await settled()
    expect(did).toContain('open /vehicle/assignment')
  })

  test('twice before the answer asks once', () => {
    const { actor, waiting } = started()
    actor.send(submit)
    actor.send(submit)
    expect(waiting.signIn).toHaveLength(1)
  })

  test('refused shows why and waits for another try', async () => {
    const { actor, did, waiting, state } = started()
    actor.send(submit)
    waiting.signIn[0]?.reject('Invalid credentials')
    await settled()
    expect(state()).toBe('idle')
    expect(did).toEqual(['Invalid credentials'])
  })

  test('of a suspended company shows its manager and stores nothing', async () => {
    const { actor, did, waiting, state } = started()
    actor.send(submit)
    waiting.signIn[0]?.resolve(answers.suspended)
    await settled()
    expect(state()).toBe('suspended')
    expect(actor.getSnapshot().context.manager).toEqual(answers.suspended.manager)
    expect(did).toEqual([])
  })

  test('with a forced reset says so and goes there', async () => {
    const { actor, did, waiting, state } = started()
    actor.send(submit)
    waiting.signIn[0]?.resolve(answers.resetRequired)
    await settled()
    expect(state()).toBe('reset')
    expect(did).toEqual(['remember reset', 'Please reset your password', 'open /user/reset'])
  })
})

describe('staying in', () => {
  test('another name or picture of their group is known and kept, without touching the tokens', () => {
    const { actor, did } = started(session)
    actor.send({ type: 'group.told', name: 'Indus', groupImage: '/api/images/a' })
    expect(actor.getSnapshot().context.session).toEqual({
      ...session,
      groupInfo: { depthLevel: 1, name: 'Indus', groupImage: '/api/images/a' },
    })
    expect(did).toEqual(['remember group'])
  })

  test('another name of their own is known and kept, without touching the tokens', () => {
    const { actor, did } = started(session)
    actor.send({ type: 'user.told', name: 'Bilal Ahmed Khan' })
    expect(actor.getSnapshot().context.session).toEqual({
      ...session,
      user: { ...session.user, name: 'Bilal Ahmed Khan' },
    })
    expect(did).toEqual(['remember name'])
  })

  test('the token is refreshed after 55 minutes, once however many ask', async () => {
    const { actor, waiting, clock, state } = started(session)
    clock.increment(55 * 60 * 1000)
    actor.send({ type: 'refresh.due' })
    actor.send({ type: 'refresh.due' })
    expect(state()).toEqual({ authenticated: 'refreshing' })
    expect(waiting.refresh).toHaveLength(1)
    waiting.refresh[0]?.resolve({
      accessToken: 'access-2',
      refreshToken: 'refresh-1',
      identityId: 'session-1',
      exp: 1_900_000_000,
      companyInfo: session.companyInfo,
    })
    await settled()
    expect(state()).toEqual({ authenticated: 'fresh' })
    expect(actor.getSnapshot().context.session).toMatchObject({
      accessToken: 'access-2',
      user: { exp: 1_900_000_000 },
    })
  })

  test('a refresh without an answer keeps the session', async () => {
    const { actor, waiting, state } = started(session)
    actor.send({ type: 'refresh.due' })
    waiting.refresh[0]?.reject(new Error('no network'))
    await settled()
    expect(state()).toEqual({ authenticated: 'fresh' })
  })
})

describe('leaving', () => {
  test('a 401 logs out once', () => {
    const { actor, did, state } = started(session)
    actor.send({ type: 'session.refused' })
    actor.send({ type: 'session.refused' })
    expect(state()).toEqual({ expired: 'quiet' })
    expect(did).toEqual(['forget', 'open /login'])
  })

  test('logging out tells the server which session and forgets it here', () => {
    const { actor, did, state } = started(session)
    actor.send({ type: 'sign-out' })
    expect(state()).toBe('idle')
    expect(did).toEqual(['tell server refresh-1', 'forget', 'open /login'])
  })

  test('the server ending this session reloads after half a second', () => {
    const { actor, did, clock } = started(session)
    actor.send({ type: 'session.ended-by-server', refreshToken: 'refresh-1', identityId: 'session-1' })
    clock.increment(499)
    expect(did).toEqual(['forget', 'open /login'])
    clock.increment(1)
    expect(did.at(-1)).toBe('reload')
  })

  test('the server may name this session by its identity alone', () => {
    const { actor, state } = started(session)
    actor.send({ type: 'session.ended-by-server', refreshToken: null, identityId: 'session-1' })
    expect(state()).toEqual({ expired: 'byServer' })
  })

  test('the server ending another session does nothing here', () => {
    const { actor, did, state } = started(session)
    actor.send({ type: 'session.ended-by-server', refreshToken: 'refresh-9', identityId: 'session-9' })
    expect(state()).toEqual({ authenticated: 'fresh' })
    expect(did).toEqual([])
  })
})

describe('several windows of one browser', () => {
  test('what another window renewed is taken over, in place of asking', async () => {
    const { actor, waiting, state } = started(session)
    actor.send({ type: 'refresh.due' })
    actor.send({ type: 'session.stored-elsewhere', session: { ...session, accessToken: 'access-2' } })
    expect(state()).toEqual({ authenticated: 'fresh' })
    waiting.refresh[0]?.resolve({
      accessToken: 'late',
      refreshToken: 'late',
      identityId: 'session-1',
      exp: 1,
      companyInfo: session.companyInfo,
    })
    await settled()
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2')
  })

  test('the next refresh counts from then', () => {
    const { actor, waiting, clock } = started(session)
    clock.increment(50 * 60 * 1000)
    actor.send({ type: 'session.stored-elsewhere', session: { ...session, accessToken: 'access-2' } })
    clock.increment(50 * 60 * 1000)
    expect(waiting.refresh).toHaveLength(0)
    clock.increment(5 * 60 * 1000)
    expect(waiting.refresh).toHaveLength(1)
  })

  test.each([
    ['another user', { ...session, user: { ...session.user, _id: 'user-other' } }],
    ['the same user in another group', { ...session, user: { ...session.user, groupId: 'lahore' } }],
    ['an administrator', handedOver],
  ])('%s signing in reloads this one', (_, other) => {
    const { actor, did } = started(session)
    actor.send({ type: 'session.stored-elsewhere', session: other })
    expect(did).toEqual(['reload'])
  })

  test('somebody signing in elsewhere lets in who waits outside', () => {
    const { actor, did } = started()
    actor.send({ type: 'session.stored-elsewhere', session })
    expect(did).toEqual(['reload'])
  })

  test('leaving in one leaves the page of the other to its guard', () => {
    const { actor, did, state } = started(session)
    actor.send({ type: 'session.left-elsewhere' })
    expect([state(), did]).toEqual(['idle', []])
  })
})

test('logging out of a page for everybody stays there', () => {
  const { actor, did, state } = started(session)
  actor.send({ type: 'sign-out.here' })
  expect([state(), did]).toEqual(['idle', ['tell server refresh-1', 'forget']])
})

describe('a forced reset', () => {
  test('goes on after a reload, and leads to the sign-in form when it is done', () => {
    const { actor, did, state } = started()
    actor.send({ type: 'reset.resumed', token: 'reset-1' })
    expect([state(), actor.getSnapshot().context.reset]).toEqual(['reset', 'reset-1'])
    actor.send({ type: 'reset.done' })
    expect([state(), actor.getSnapshot().context.reset]).toEqual(['idle', null])
    expect(did).toEqual(['forget', 'open /login'])
  })

  test('is nothing to who is signed in', () => {
    const { actor, state } = started(session)
    actor.send({ type: 'reset.resumed', token: 'reset-1' })
    expect(state()).toEqual({ authenticated: 'fresh' })
  })
})

describe('a hand-off', () => {
  test('is checked, kept, and leads inside after a second', async () => {
    const { actor, did, waiting, clock, state } = started(session)
    actor.send({ type: 'hand-off.arrived', handOff })
    expect(state()).toEqual({ handOff: 'checking' })
    expect(actor.getSnapshot().context.session).toBeNull()
    waiting.checkHandOff[0]?.resolve(handedOver)
    await settled()
    expect(did).toEqual(['tell server refresh-1', 'remember'])
    clock.increment(999)
    expect(state()).toEqual({ handOff: 'entering' })
    clock.increment(1)
    expect(state()).toEqual({ authenticated: 'fresh' })
    expect(did.at(-1)).toBe('open /')
    expect(actor.getSnapshot().context.session).toEqual(handedOver)
  })

  test('the server does not know leaves everything as it was', async () => {
    const { actor, did, waiting, state } = started(session)
    actor.send({ type: 'hand-off.arrived', handOff })
    waiting.checkHandOff[0]?.reject(new Error('Please login first'))
    await settled()
    expect(state()).toEqual({ handOff: 'refused' })
    expect(did).toEqual([])
    actor.send({ type: 'sign-in.again' })
    expect(state()).toEqual({ authenticated: 'fresh' })
    expect(actor.getSnapshot().context.session).toEqual(session)
  })

  test('with an incomplete address is refused without asking', () => {
    const { actor, waiting, state } = started()
    actor.send({ type: 'hand-off.arrived', handOff: null })
    expect([state(), waiting.checkHandOff]).toEqual([{ handOff: 'refused' }, []])
    actor.send({ type: 'sign-in.again' })
    expect(state()).toBe('idle')
  })
})
