import { array, string } from 'superstruct'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { calls } from '#machines/contracts/calls/call.ts'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { Session } from '#machines/session/session.ts'
import { createServerClock } from '../effects/clock.ts'
import { createTabLock } from '../effects/tab-lock.ts'
import { noDrafts } from '../layout/testing/no-drafts.ts'
import { type Effects, type Live, startRoot } from './root.ts'
import { createStore } from './store.ts'

const NOW = 1_780_000_000_000

const tokenOf = (name: string, endsAt: number, sub?: string): string =>
  `${name}.${btoa(JSON.stringify({ exp: endsAt / 1000, sub }))}.signature`

const sessionOf = (accessToken: string, endsAt = NOW + 86_400_000): Session => ({
  user: { _id: 'u1', name: 'Bilal', userName: 'b', groupId: 'g1', companyId: 'c1', exp: endsAt / 1000 },
  accessToken,
  refreshToken: 'refresh',
  identityId: 'identity',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
  companyInfo: { groupId: 'g1', companyId: 'c1' },
  isSuperAdminUser: false,
})

const signedInAs = ({ user, identityId, groupInfo, companyInfo, ...tokens }: Session) => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
  expires_in: 3600,
  identityId,
  user,
  groupInfo,
  companyInfo,
  hasThings: true,
})

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const things = () => ({ params: { groupId: 'g1' } })

/** What the pages that were gone to were told, the page one is on, and whether what is typed there can be kept. */
let states: unknown[]
let place: string
let isKept: boolean
let isAway: boolean
let isLeft: boolean
beforeEach(() => {
  states = []
  place = '/users?q=a'
  isKept = true
  isAway = false
  isLeft = false
})
const NOWHERE: Effects['returnPage'] = { keep: () => {}, of: () => undefined, forget: () => {} }

/**
 * A root against a server that knows one good access token. `refresh`: the status it answers to a refresh; `next`: who signs in;
 * `answers`: when it answers what only those signed in may ask.
 */
function started(
  session: Session,
  good = session.accessToken,
  {
    refresh = 200,
    hasThings = true,
    next = session,
    answers = Promise.resolve(),
    loadLive = () => new Promise(() => {}),
    returnPage = NOWHERE,
  }: Partial<Effects> & {
    refresh?: number
    hasThings?: boolean
    next?: Session
    answers?: Promise<void>
  } = {},
) {
  const requests: string[] = []
  const went: string[] = []
  const forgotten: true[] = []
  const clock = createServerClock(
    () => 0,
    () => NOW,
  )
  clock.set({ now: NOW, speed: 1, paused: false })
  const root = startRoot({
    baseUrl: 'http://frostline.example',
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url))
      requests.push(pathname)
      if (pathname === '/api/help' || isAway) throw new TypeError('Failed to fetch')
      if (pathname === '/api/time') return json(200, { now: NOW, simulator: false, timeZone: 'Asia/Karachi' })
      if (pathname === '/api/auth/refresh-token') {
        if (refresh !== 200) return json(refresh, { code: refresh, message: 'Too many requests' })
        good = tokenOf('new', NOW + 3_600_000)
        return json(200, {
          data: { ...session, token: good, expires_in: 3600, exp: NOW / 1000 + 86_400 },
        })
      }
      if (pathname === '/api/auth/login') return json(200, { ...signedInAs(next), hasThings })
      await answers
      const isGood = new Headers(init?.headers).get('authorization') === `Bearer ${good}`
      return isGood ? json(200, []) : json(401, { code: 401, message: 'Unauthorized' })
    },
    storage: {
      remembered: () => session,
      remember: () => {},
      rememberGroup: () => {},
      rememberName: () => {},
      rememberReset: () => {},
      forget: () => forgotten.push(true),
      rememberedReset: () => null,
      onForgottenElsewhere: () => () => {},
      onStoredElsewhere: () => () => {},
    },
    clock,
    toasts: { success: () => {}, error: () => {}, info: () => {}, popup: () => {} },
    preferences: createStore({ theme: 'system' as const, unfolded: {} }),
    director: createStore({ isOpen: false }),
    returnPage,
    goTo: (path, state) => {
      went.push(path)
      states.push(state)
    },
    reload: () => {},
    build: undefined,
    tabs: createTabLock(undefined),
    open: () => {},
    drafts: { ...noDrafts, keep: () => isKept },
    commandKeys: async () => undefined,
    place: () => place,
    isLeft: () => isLeft,
    onReturn: () => {},
    handOff: undefined,
    loadLive,
    download: () => {},
  })
  const count = (path: string) => requests.filter((one) => one === path).length
  return { root, went, forgotten, count }
}

describe('calls with a token about to run out', () => {
  test('wait for one refresh, however many they are', async () => {
    const { root, count } = started(sessionOf(tokenOf('old', NOW + 30_000)))
    await Promise.all([1, 2, 3, 4].map(() => root.http.ask(DEVICE_CALLS.groupThings, things())))
    expect(count('/api/auth/refresh-token')).toBe(1)
    expect(count('/api/groups/g1/things')).toBe(4)
  })

  test('and one that has time left needs none', async () => {
    const { root, count } = started(sessionOf(tokenOf('old', NOW + 3_000_000)))
    await root.http.ask(DEVICE_CALLS.groupThings, things())
    expect(count('/api/auth/refresh-token')).toBe(0)
  })
})

test('tokens the server takes for run out are refreshed once for all, and the calls asked again', async () => {
  const { root, count, went } = started(sessionOf(tokenOf('old', NOW + 3_000_000)), 'another')
  await Promise.all([1, 2, 3].map(() => root.http.ask(DEVICE_CALLS.groupThings, things())))
  expect(count('/api/auth/refresh-token')).toBe(1)
  expect(count('/api/groups/g1/things')).toBe(6)
  expect(went).toEqual([])
})

test('what one user asked for is not asked again as the next', async () => {
  const answers = Promise.withResolvers<void>()
  const next = sessionOf(tokenOf('next', NOW + 3_000_000, 'u2'))
  const { root, count } = started(sessionOf(tokenOf('old', NOW + 3_000_000, 'u1')), next.accessToken, {
    next,
    answers: answers.promise,
  })
  const requested = expect(root.http.ask(DEVICE_CALLS.groupThings, things())).rejects.toThrow('Unauthorized')
  await vi.waitUntil(() => count('/api/groups/g1/things') === 1)
  root.session.send({ type: 'sign-out' })
  root.session.send({ type: 'sign-in.submit', username: 'h', password: 'p' })
  await vi.waitUntil(() => root.session.getSnapshot().matches('authenticated'))
  answers.resolve()
  await requested
  expect(count('/api/groups/g1/things')).toBe(1)
  expect(root.session.getSnapshot().context.session?.accessToken).toBe(next.accessToken)
})

test("past the session's own end nothing is asked any more, and the visitor is outside", async () => {
  const { root, went, forgotten, count } = started(sessionOf(tokenOf('old', NOW + 3_000_000), NOW - 1))
  await expect(root.http.ask(DEVICE_CALLS.groupThings, things())).rejects.toThrow('Unauthorized')
  expect(await root.credentials()).toBeUndefined()
  expect(root.session.getSnapshot().value).toEqual({ expired: 'quiet' })
  expect([went, forgotten]).toEqual([['/login'], [true]])
  expect(count('/api/auth/refresh-token')).toBe(0)
})

test.each([429, 503])('a refresh that is put off with %i ends nobody’s session', async (refresh) => {
  const { root, forgotten } = started(sessionOf(tokenOf('old', NOW + 3_000_000)), 'another', { refresh })
  await expect(root.http.ask(DEVICE_CALLS.groupThings, things())).rejects.toThrow('Unauthorized')
  expect(root.session.getSnapshot().matches('authenticated')).toBe(true)
  expect(forgotten).toEqual([])
})

describe('signing in', () => {
  const superAdmin = `a.${btoa(JSON.stringify({ superAdmin: true, exp: 1_900_000_000 }))}.s`
  test.each([
    { wanted: undefined, leadsTo: '/' },
    { wanted: '/temperature/35?from=1', leadsTo: '/temperature/35?from=1' },
    { wanted: '/?group=g2', leadsTo: '/?group=g2' },
    { wanted: '/vehicle/assignment', leadsTo: '/' },
    { wanted: undefined, hasThings: false, leadsTo: '/vehicle/assignment' },
    { wanted: '/?group=g2', hasThings: false, leadsTo: '/vehicle/assignment' },
    { wanted: '/users', hasThings: false, leadsTo: '/users' },
    { wanted: '/users', token: superAdmin, leadsTo: '/admin/companies' },
  ])('leads to the page that was wanted, if it may: $wanted → $leadsTo', async (at) => {
    const returnPage = { ...NOWHERE, of: (userId: string) => (userId === 'u1' ? at.wanted : '/another') }
    const { root, went } = started(sessionOf(at.token ?? 'access'), undefined, { ...at, returnPage })
    root.session.send({ type: 'sign-out' })
    root.session.send({ type: 'sign-in.submit', username: 'b', password: 'p' })
    await vi.waitUntil(() => root.session.getSnapshot().matches('authenticated'))
    expect(went).toEqual(['/login', at.leadsTo])
  })

  test('after signing out oneself begins at the beginning', () => {
    const forget = vi.fn()
    const { root } = started(sessionOf('access'), undefined, { returnPage: { ...NOWHERE, forget } })
    root.session.send({ type: 'session.refused' })
    expect(forget).not.toHaveBeenCalled()
    const { root: other } = started(sessionOf('access'), undefined, { returnPage: { ...NOWHERE, forget } })
    other.session.send({ type: 'sign-out' })
    expect(forget).toHaveBeenCalledOnce()
  })
})

describe('the fleet of who is signed in', () => {
  afterEach(() => vi.useRealTimers())

  test('does not begin where its part did not arrive: the page comes again once there is a server', async () => {
    const loadLive = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
    const { root, went } = started(sessionOf('access'), 'access', { loadLive })
    await vi.waitUntil(() => went.length > 0)
    const detail = 'Failed to fetch dynamically imported module'
    expect(went).toEqual(['/error'])
    expect(root.live.get()).toBeUndefined()
    expect(root.networkError.get()).toBeUndefined()
    expect(states).toEqual([{ detail, heals: true, from: '/users?q=a' }])
  })

  test('a password still held does not keep a page that has lost a part of itself', async () => {
    isKept = false
    const loadLive = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
    const { root, went } = started(sessionOf('access'), 'access', { loadLive })
    await vi.waitUntil(() => went.length > 0 || root.networkError.get() !== undefined)
    expect([went, root.networkError.get()]).toEqual([['/error'], undefined])
  })

  test('begins once, though they left and came back before it had arrived', async () => {
    const arrives = Promise.withResolvers<Awaited<ReturnType<Effects['loadLive']>>>()
    const begun: Live[] = []
    const { root } = started(sessionOf('access'), 'access', { loadLive: () => arrives.promise })
    root.session.send({ type: 'sign-out' })
    root.session.send({ type: 'sign-in.submit', username: 'b', password: 'p' })
    await vi.waitUntil(() => root.session.getSnapshot().matches('authenticated'))
    arrives.resolve({
      startLive() {
        const live = { stop() {} } as Live
        begun.push(live)
        return live
      },
    })
    await vi.waitUntil(() => root.live.get() !== undefined)
    expect(begun).toEqual([root.live.get()])
  })

  test('stops where its first call finds that the session is over', async () => {
    const stop = vi.fn()
    const loadLive: Effects['loadLive'] = async () => ({
      startLive({ credentials }) {
        void credentials()
        return { stop } as unknown as Live
      },
    })
    const ended = sessionOf(tokenOf('old', NOW + 3_000_000), NOW - 1)
    const { root, went } = started(ended, 'old', { loadLive })
    await vi.waitUntil(() => went.length > 0)
    await vi.waitUntil(() => stop.mock.calls.length > 0 || root.live.get() !== undefined)
    expect([stop.mock.calls.length, root.live.get()]).toEqual([1, undefined])
  })
})

describe('a server that has not answered yet', () => {
  afterEach(() => vi.useRealTimers())

  test('is told to be away, is asked again at once when somebody wants it, and begins when it answers', async () => {
    vi.useFakeTimers()
    isAway = true
    const { root, count } = started(sessionOf('access'))
    await vi.advanceTimersByTimeAsync(0)
    expect(root.absence.get()?.why).toBe('It cannot be reached.')
    expect(root.link.get()).toMatchObject({ state: 'offline', hindrance: 'trying' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(count('/api/time')).toBe(2)
    isAway = false
    root.absence.get()?.askNow()
    await vi.advanceTimersByTimeAsync(0)
    expect(count('/api/time')).toBe(3)
    expect([root.absence.get(), root.link.get().state]).toEqual([undefined, 'catching-up'])
    expect(root.server.get()).toEqual({ simulator: false, timeZone: 'Asia/Karachi' })
  })
})

describe('a call without an answer', () => {
  const detail = 'GET http://frostline.example/api/help: Failed to fetch'

  test('leads to the page that says so, and back to where it was made', async () => {
    const { root, went } = started(sessionOf('access'))
    await expect(root.http.ask(HELP, {})).rejects.toThrow('No answer from the server. Try again in a moment.')
    expect(went).toEqual(['/error'])
    expect(states).toEqual([{ detail, heals: false, from: '/users?q=a' }])
  })

  test('leads nowhere where nobody waits for it', async () => {
    const { root, went } = started(sessionOf('access'))
    await expect(root.http.ask(HELP, {}, { isBackground: true })).rejects.toThrow()
    expect([went, root.networkError.get()]).toEqual([[], undefined])
  })

  test('leads nowhere from the page that says so', async () => {
    place = '/error'
    const { root, went } = started(sessionOf('access'))
    await expect(root.http.ask(HELP, {})).rejects.toThrow()
    expect([went, root.networkError.get()]).toEqual([[], undefined])
  })

  test('leads nowhere from a page that is on its way out: the browser broke it off', async () => {
    isLeft = true
    const { root, went } = started(sessionOf('access'))
    await expect(root.http.ask(HELP, {})).rejects.toThrow()
    expect([went, root.networkError.get()]).toEqual([[], undefined])
  })

  test('leaves a page standing whose contents cannot be kept, and says so over it', async () => {
    isKept = false
    const { root, went } = started(sessionOf('access'))
    await expect(root.http.ask(HELP, {})).rejects.toThrow()
    expect([went, root.networkError.get()]).toEqual([[], { detail, heals: false }])
  })
})

const { help: HELP } = calls({
  help: { method: 'GET', path: '/help', summary: '', access: 'anyone', answer: array(string()) },
})
