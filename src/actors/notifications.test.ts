import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Http } from '../effects/http.ts'
import type { Liveness } from '../streams/liveness.ts'
import { type NotificationNews, startNotifications } from './notifications.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const LIVE: Liveness = { state: 'live', since: null, dataAt: NOW }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The bell of somebody, against a server that does not answer until `answers` is set. */
function started() {
  const server = { answers: false, requests: 0 }
  const liveness$ = new BehaviorSubject(LIVE)
  const news = {
    notifications$: new Subject(),
    facts$: new Subject(),
    time$: new Subject(),
    liveness$,
    liveFrom$: new BehaviorSubject(undefined),
    see: () => {},
  } as unknown as NotificationNews
  const http = {
    ask: async () => {
      server.requests++
      if (!server.answers) throw new Error('no answer')
      return { notifications: [], notificationsCount: 0, hasMore: false, unread: 0, seq: 100 }
    },
  } as unknown as Http
  const who = { userId: 'u1', groupId: 'top' }
  const { todays, stop } = startNotifications({ http, clock: { now: () => NOW } }, news, who, {
    firstLoad: 0,
  })
  return { server, liveness$, todays, stop, wait: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

test('a list that did not come is asked for again each five seconds, however often the link says how old its data is', async () => {
  const { server, liveness$, stop, wait } = started()
  for (let second = 1; second <= 12; second++) {
    await wait(1000)
    liveness$.next({ ...LIVE, dataAt: NOW + second * 1000 })
  }
  expect(server.requests).toBe(3)
  stop()
})

test('it comes though time stands still and the link says nothing', async () => {
  const { server, todays, stop, wait } = started()
  await wait(1000)
  server.answers = true
  await wait(5000)
  expect(todays.getSnapshot().value).toBe('ready')
  stop()
})

test('without a link it is not asked for, and at once when there is one', async () => {
  const { server, liveness$, todays, stop, wait } = started()
  await wait(1000)
  liveness$.next({ ...LIVE, state: 'offline' })
  server.answers = true
  await wait(20_000)
  expect(server.requests).toBe(1)
  liveness$.next(LIVE)
  await wait(10)
  expect(todays.getSnapshot().value).toBe('ready')
  stop()
})
