import { afterEach, expect, test, vi } from 'vitest'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { Session } from '#machines/session/session.ts'
import { createServerClock } from '../effects/clock.ts'
import { createSessionStorage } from '../effects/storage.ts'
import { createTabLock } from '../effects/tab-lock.ts'
import { noDrafts } from '../layout/testing/no-drafts.ts'
import { type Root, startRoot } from './root.ts'
import { createStore } from './store.ts'

const NOW = 1_780_000_000_000

const tokenOf = (name: string, endsAt: number): string =>
  `${name}.${btoa(JSON.stringify({ exp: endsAt / 1000 }))}.signature`

const session: Session = {
  user: { _id: 'u1', name: 'Bilal', userName: 'b', groupId: 'g1', companyId: 'c1', exp: NOW / 1000 + 86_400 },
  accessToken: tokenOf('old', NOW + 30_000),
  refreshToken: 'refresh-1',
  identityId: 's-1',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
  companyInfo: { groupId: 'g1', companyId: 'c1' },
  isSuperAdminUser: false,
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const roots: Root[] = []
afterEach(() => {
  for (const { session: actor } of roots.splice(0)) actor.stop()
})

/** A browser whose windows share storage, and a server that spends a refresh token with each rotation. */
function openedBrowser({ isSecure = true } = {}) {
  const stored = new Map<string, string>()
  const windows: { target: EventTarget; reloads: number; went: string[] }[] = []
  const requests: URLSearchParams[] = []
  let good = 'refresh-1'
  let round = 1
  const { user, groupInfo, companyInfo } = session
  const place = { user, groupInfo, companyInfo }

  async function answer(input: string | URL | Request): Promise<Response> {
    const { pathname, searchParams } = new URL(String(input))
    if (pathname === '/api/time') return json(200, { now: NOW, simulator: false, timeZone: 'Asia/Karachi' })
    if (pathname !== '/api/auth/refresh-token') return json(200, [])
    requests.push(searchParams)
    if (searchParams.get('token') !== good) return json(401, { code: 401, message: 'Session expired' })
    if (searchParams.get('rotate') === 'true') good = `refresh-${++round}`
    return json(200, {
      data: {
        token: tokenOf(`new-${round}`, NOW + 3_600_000),
        identityId: 's-1',
        ...(searchParams.get('rotate') === 'true' && { refreshToken: good }),
        expires_in: 3600,
        exp: NOW / 1000 + 86_400,
        ...place,
      },
    })
  }

  function openWindow(): Root {
    const target = new EventTarget()
    const mine = { target, reloads: 0, went: [] as string[] }
    windows.push(mine)
    const notify = (key: string | null, newValue: string | null) => {
      for (const other of windows)
        if (other !== mine) other.target.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
    }
    const local = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem(key: string, value: string) {
        stored.set(key, value)
        notify(key, value)
      },
      clear() {
        stored.clear()
        notify(null, null)
      },
    } as Storage
    const clock = createServerClock(
      () => 0,
      () => NOW,
    )
    clock.set({ now: NOW, speed: 1, paused: false })
    const root = startRoot({
      baseUrl: 'http://frostline.example',
      fetch: answer,
      storage: createSessionStorage(local, target as Window),
      tabs: createTabLock(isSecure ? navigator.locks : undefined),
      clock,
      toasts: { success: () => {}, error: () => {}, info: () => {}, popup: () => {} },
      preferences: createStore({ theme: 'system' as const, unfolded: {} }),
      director: createStore({ isOpen: false }),
      returnPage: { keep: () => {}, of: () => undefined, forget: () => {} },
      goTo: (path) => mine.went.push(path),
      build: undefined,
      reload: () => {
        mine.reloads++
      },
      open: () => {},
      drafts: noDrafts,
      commandKeys: async () => undefined,
      place: () => '/',

      isLeft: () => false,
      onReturn: (listener) => target.addEventListener('focus', listener),
      handOff: undefined,
      loadLive: () => new Promise(() => {}),
      download: () => {},
    })
    roots.push(root)
    return root
  }

  createSessionStorage(
    { setItem: (key: string, value: string) => stored.set(key, value) } as unknown as Storage,
    new EventTarget() as Window,
  ).remember(session)
  /** as a manager does in a portal elsewhere */
  function move(): void {
    place.user = { ...user, groupId: 'g2' }
    place.groupInfo = { depthLevel: 2, groupImage: null, name: 'Lahore' }
    place.companyInfo = { groupId: 'g2', companyId: 'c1' }
  }
  return { openWindow, windows, requests, stored, move }
}

const refreshTokenOf = (root: Root) => root.session.getSnapshot().context.session?.refreshToken
const ask = (root: Root) => root.http.ask(DEVICE_CALLS.groupThings, { params: { groupId: 'g1' } })

test('of several windows one asks for new tokens, and the others take them over', async () => {
  const { openWindow, requests } = openedBrowser()
  const [a, b, c] = [openWindow(), openWindow(), openWindow()]
  await Promise.all([a, b, c, a, b, c].map(ask))
  expect(requests.map((query) => query.get('rotate'))).toEqual(['true'])
  expect([a, b, c].map(refreshTokenOf)).toEqual(['refresh-2', 'refresh-2', 'refresh-2'])
})

test('a window that slept through a renewal takes what is stored rather than a spent token', async () => {
  const { openWindow, windows, requests } = openedBrowser()
  const [awake, asleep] = [openWindow(), openWindow()]
  const events = vi.spyOn(windows[1]?.target as EventTarget, 'dispatchEvent').mockReturnValue(true)
  await ask(awake)
  events.mockRestore()
  expect(refreshTokenOf(asleep)).toBe('refresh-1')
  await ask(asleep)
  expect(requests).toHaveLength(1)
  expect(refreshTokenOf(asleep)).toBe('refresh-2')
})

const nameOf = (stored: Map<string, string>): string => JSON.parse(stored.get('user') ?? '{}').name

test('who gives themselves another name in a window that slept through a renewal stays signed in', async () => {
  const { openWindow, windows, stored } = openedBrowser()
  const [awake, asleep] = [openWindow(), openWindow()]
  const events = vi.spyOn(windows[1]?.target as EventTarget, 'dispatchEvent').mockReturnValue(true)
  await ask(awake)
  events.mockRestore()
  asleep.session.send({ type: 'user.told', name: 'Bilal Ahmed' })
  expect([stored.get('refreshToken'), nameOf(stored)]).toEqual(['refresh-2', 'Bilal Ahmed'])
})

test('a name that is told while tokens are renewed is not stored over', async () => {
  const { openWindow, stored, requests } = openedBrowser()
  const root = openWindow()
  const pending = ask(root)
  await vi.waitUntil(() => requests.length === 1)
  root.session.send({ type: 'user.told', name: 'Bilal Ahmed' })
  await pending
  expect([stored.get('refreshToken'), nameOf(stored)]).toEqual(['refresh-2', 'Bilal Ahmed'])
})

test('whoever was moved to another group begins anew there, in all windows', async () => {
  const { openWindow, windows, stored, move } = openedBrowser()
  const [a] = [openWindow(), openWindow()]
  move()
  await ask(a)
  expect(windows.map(({ reloads }) => reloads)).toEqual([1, 1])
  const { session: after } = openWindow()
  expect(after.getSnapshot().context.session).toMatchObject({
    user: { groupId: 'g2', companyId: 'c1' },
    ...{ groupInfo: { depthLevel: 2, name: 'Lahore' }, companyInfo: { groupId: 'g2' } },
    refreshToken: 'refresh-2',
  })
  expect(stored.get('user')).toContain('g2')
})

test('where windows cannot wait for each other none spends the token of the others', async () => {
  const { openWindow, requests } = openedBrowser({ isSecure: false })
  const [a, b] = [openWindow(), openWindow()]
  await Promise.all([a, b].map(ask))
  expect(requests.every((query) => query.get('rotate') === null)).toBe(true)
  expect([a, b].every(({ session: actor }) => actor.getSnapshot().matches('authenticated'))).toBe(true)
})

test('who logs out while tokens are renewed stays out, in all windows', async () => {
  const { openWindow, stored } = openedBrowser()
  const [a, b] = [openWindow(), openWindow()]
  const pending = ask(a).catch(() => {})
  a.session.send({ type: 'sign-out' })
  await pending
  await ask(b).catch(() => {})
  expect([...stored]).toEqual([])
  expect([a, b].map(({ session: actor }) => actor.getSnapshot().value)).toEqual(['idle', 'idle'])
})

test('somebody else signing in in one window reloads the other', () => {
  const { openWindow, windows, stored } = openedBrowser()
  openWindow()
  const { target } = windows[0] as (typeof windows)[number]
  const user = JSON.stringify({ ...session.user, _id: 'u2', accessToken: 'x' })
  stored.set('user', user)
  target.dispatchEvent(Object.assign(new Event('storage'), { key: 'user', newValue: user }))
  expect(windows[0]?.reloads).toBe(1)
})

test.each([
  { what: 'is not kept', whose: 'its own', identityId: 's-1', isLeft: false },
  { what: 'is kept', whose: 'that of who entered in another window', identityId: 's-2', isLeft: true },
])('when a session ends, $whose $what in storage', ({ identityId, isLeft }) => {
  const { openWindow, stored } = openedBrowser()
  const root = openWindow()
  // The word of the server comes before that of the other window.
  stored.set('identityId', identityId)
  root.session.send({ type: 'session.ended-by-server', refreshToken: 'refresh-1', identityId: 's-1' })
  expect(root.session.getSnapshot().matches('expired')).toBe(true)
  expect(stored.has('user')).toBe(isLeft)
})

test('looking at a window again renews what ran low meanwhile', async () => {
  const { openWindow, windows, requests } = openedBrowser()
  openWindow()
  expect(requests).toHaveLength(0)
  windows[0]?.target.dispatchEvent(new Event('focus'))
  await vi.waitUntil(() => requests.length === 1)
})

test('a forced reset goes on after a reload', () => {
  const { openWindow, stored } = openedBrowser()
  stored.clear()
  stored.set('token', 'reset-1')
  const { session: actor } = openWindow()
  expect(actor.getSnapshot().value).toBe('reset')
  expect(actor.getSnapshot().context.reset).toBe('reset-1')
})
