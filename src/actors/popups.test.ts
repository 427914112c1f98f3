import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { Http } from '../effects/http.ts'
import type { Popup } from '../effects/toast.ts'
import type { Change } from '../streams/live-feed.ts'
import type { Liveness } from '../streams/liveness.ts'
import { startNotifications } from './notifications.ts'
import { startPopups } from './popups.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const LIVE: Liveness = { state: 'live', since: null, dataAt: null }
const ALL_ON = { warningPopup: true, buzzer: true, vehicleOffline: true, vehicleOnline: true }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const notificationOf = (seq: number, more: Partial<Notification> = {}): Notification & { seq: number } => ({
  _id: `f${seq}`,
  seq,
  name: 'High temperature',
  type: 'HIGH_TEMPERATURE_DETECTED',
  thing: '356307042000001',
  thingId: '356307042000001',
  thingName: `Reefer ${seq}`,
  plateNumber: 'LEB-1',
  message: `Reefer ${seq}: 9.4 °C, above 8 °C`,
  lat: null,
  lng: null,
  createdAt: new Date(NOW).toISOString(),
  passengerCheck: false,
  comments: [],
  violationId: `v${seq}`,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
  ...more,
})

/** The popups and the buzzer of somebody, against a server that counts `unread` and holds `settings`. */
function started() {
  const server = { settings: { ...ALL_ON }, isDown: false, isListDown: false, takes: 0, unread: 0, seq: 100 }
  const news = {
    notifications$: new Subject<Notification & { seq: number }>(),
    facts$: new Subject<never>(),
    time$: new Subject<never>(),
    liveness$: new BehaviorSubject<Liveness>(LIVE),
    liveFrom$: new BehaviorSubject<number | undefined>(undefined),
    changes$: new Subject<Change>(),
    see: () => {},
  }
  const http = {
    ask: async ({ path }: { path: string }) => {
      if (!path.includes('settings')) {
        const { unread, seq, isListDown } = server
        if (isListDown) throw new Error('no answer')
        return { notifications: [], notificationsCount: 0, hasMore: false, unread, seq }
      }
      if (server.isDown) throw new Error('no answer')
      const settings = { ...server.settings, version: '1' }
      if (server.takes > 0) await new Promise((resolve) => setTimeout(resolve, server.takes))
      return settings
    },
  } as unknown as Http
  const popups: [name: string, popup: Popup][] = []
  const went: string[] = []
  const sound = { buzz: vi.fn() }
  const who = { userId: 'u1', groupId: 'top' }
  const notifications = startNotifications({ http, clock: { now: () => NOW } }, news, who)
  startPopups(
    {
      http,
      sound,
      goTo: (path) => void went.push(path),
      toasts: {
        success: () => {},
        error: () => {},
        info: () => {},
        popup: (name, popup) => void popups.push([name, popup]),
      },
    },
    news,
    { todays: notifications.todays, userId: 'u1' },
  )
  return {
    notifications,
    server,
    news,
    popups,
    went,
    sound,
    texts: () => popups.map(([, { title, detail }]) => `${title} | ${detail}`),
    wait: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

test('one notification pops up with its device, what it is and the way to it', async () => {
  const { news, texts, popups, went, wait } = started()
  news.notifications$.next(notificationOf(1))
  await wait(10)
  expect(texts()).toEqual(['Reefer 1 | High temperature, 9.4 °C, above 8 °C'])
  popups[0]?.[1].action.onPress()
  expect(went[0]).toMatch(/^\/notifications\?date=.*&thing=356307042000001&plate=LEB-1&open=f1$/)
})

test('a burst is one popup that counts, and buzzes', async () => {
  const { news, texts, sound, went, popups, wait } = started()
  for (let seq = 1; seq <= 30; seq++) news.notifications$.next(notificationOf(seq))
  await wait(10)
  expect(texts()).toEqual(['30 notifications | Newest: Reefer 30, High temperature, 9.4 °C, above 8 °C'])
  expect(sound.buzz).toHaveBeenCalled()
  popups[0]?.[1].action.onPress()
  expect(went).toEqual(['/notifications'])
})

test('repeats are silent, and so is what somebody turned off, from when they did', async () => {
  const { news, server, texts, sound, wait } = started()
  news.notifications$.next(notificationOf(1, { isRepeat: true }))
  await wait(10)
  server.settings = { ...ALL_ON, warningPopup: false, buzzer: false }
  news.changes$.next({ type: 'changed', subject: 'settings', ids: ['u1'], seq: 5 })
  await wait(10)
  news.notifications$.next(notificationOf(6))
  await wait(10)
  expect([texts(), sound.buzz.mock.calls]).toEqual([[], []])
})

test('what was turned off while there was no link counts once there is one', async () => {
  const { news, server, texts, wait } = started()
  await wait(10)
  news.liveness$.next({ ...LIVE, state: 'offline' })
  server.settings = { ...ALL_ON, warningPopup: false }
  news.liveness$.next(LIVE)
  await wait(10)
  news.notifications$.next(notificationOf(6))
  await wait(10)
  expect(texts()).toEqual([])
})

test('what could not be learned is asked for again after five seconds', async () => {
  const { news, server, texts, wait } = started()
  await wait(10)
  server.isDown = true
  news.changes$.next({ type: 'changed', subject: 'settings', ids: ['u1'], seq: 5 })
  await wait(10)
  server.isDown = false
  server.settings = { ...ALL_ON, warningPopup: false }
  await wait(5000)
  news.notifications$.next(notificationOf(6))
  await wait(10)
  expect(texts()).toEqual([])
})

test('of two answers the newest counts, in whatever order they come', async () => {
  const { news, server, texts, wait } = started()
  await wait(10)
  const change = { type: 'changed' as const, subject: 'settings' as const, ids: ['u1'] }
  server.takes = 100
  news.changes$.next({ ...change, seq: 5 })
  server.takes = 0
  server.settings = { ...ALL_ON, warningPopup: false }
  news.changes$.next({ ...change, seq: 6 })
  await wait(200)
  news.notifications$.next(notificationOf(7))
  await wait(10)
  expect(texts()).toEqual([])
})

test('the buzzer sounds because the setting is on: nobody is asked', async () => {
  const { news, popups, sound, wait } = started()
  news.notifications$.next(notificationOf(1))
  await wait(10)
  expect(sound.buzz).toHaveBeenCalledOnce()
  expect(popups.map(([name]) => name)).toEqual(['notifications'])
})

test('what was missed for too long is told once, by its number', async () => {
  const { news, server, texts, wait } = started()
  news.liveFrom$.next(90)
  await wait(2000)
  server.unread = 37
  server.seq = 500
  news.liveFrom$.next(500)
  await wait(20)
  expect(texts()).toEqual(['37 notifications | They came while this window was not connected.'])
})

test('what was missed in several cuts before the list came is counted once', async () => {
  const { news, server, texts, wait } = started()
  news.liveFrom$.next(90)
  await wait(2000)
  server.unread = 37
  server.isListDown = true
  for (const seq of [500, 600, 700]) {
    server.isListDown = seq < 700
    server.seq = seq
    news.liveFrom$.next(seq)
    await wait(20)
  }
  expect(texts()).toEqual(['37 notifications | They came while this window was not connected.'])
})

test('what was missed is told also to who had seen all that was counted before', async () => {
  const { news, notifications, server, texts, wait } = started()
  server.unread = 3
  news.liveFrom$.next(90)
  await wait(2000)
  notifications.see()
  server.unread = 1
  server.seq = 500
  news.liveFrom$.next(500)
  await wait(20)
  expect(texts()).toEqual(['1 notification | It came while this window was not connected.'])
})
