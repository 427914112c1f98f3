import fc from 'fast-check'
import { BehaviorSubject } from 'rxjs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import type { LiveSocketOptions } from '../effects/live-socket.ts'
import type { NotificationsOptions } from '../effects/notifications-socket.ts'
import { createFleet } from '../read-model/fleet.ts'
import {
  frameOf,
  imeiOf,
  type PlainDevice,
  plainDevice,
  snapshotOf,
} from '../read-model/testing/make-fleet.ts'
import { type Change, startLiveFeed } from './live-feed.ts'
import type { Liveness } from './liveness.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A server that the test drives by hand: a log of changes to six devices, and links that carry what it says. */
function fakeServer() {
  const devices = new Map([0, 1, 2, 3, 4, 5].map((deviceNo) => [deviceNo, plainDevice(deviceNo)]))
  const changedAt = new Map<number, number>()
  const state = { seq: 10, now: 1000 }
  const since = (after: number) =>
    [...devices.values()].filter(({ no: deviceNo }) => (changedAt.get(deviceNo) ?? 0) > after)
  return {
    state,
    devices,
    since,
    change(deviceNo: number, values: Partial<PlainDevice>) {
      state.seq++
      changedAt.set(deviceNo, state.seq)
      devices.set(deviceNo, { ...(devices.get(deviceNo) as PlainDevice), at: 1000 + state.seq, ...values })
    },
  }
}

type Wires = Pick<LiveSocketOptions, 'onFrame' | 'onMessage' | 'onClose'>
type NotificationWires = Omit<NotificationsOptions, 'baseUrl' | 'credentials'>

function start({ isPartMissing = false } = {}) {
  vi.useFakeTimers()
  const server = fakeServer()
  const fleet = createFleet(() => {})
  const network$ = new BehaviorSubject(true)
  const fetches: { answer(): void; fail(): void }[] = []
  const links: { wires: Wires; sentTo: number; isOpen: boolean; resumes: number[] }[] = []
  const notifications: NotificationWires[] = []
  const retry = vi.fn()
  const seen: Liveness[] = []
  const feed = startLiveFeed({
    inspect: () => {},
    fleet,
    fetchFleet: () =>
      new Promise((resolve, reject) => {
        const made = snapshotOf(server.state.seq, [...server.devices.values()])
        fetches.push({
          answer: () => resolve({ ...made, head: { ...made.head, now: server.state.now } }),
          fail: () => reject(new Error('no answer')),
        })
      }),
    openLive(wires) {
      const link = { wires, sentTo: 0, isOpen: true, resumes: [] as number[] }
      links.push(link)
      return {
        resume: (after) => link.isOpen && link.resumes.push(after),
        close: () => {
          link.isOpen = false
        },
      }
    },
    async openNotifications(wires) {
      notifications.push(wires)
      if (isPartMissing) throw new TypeError('Failed to fetch dynamically imported module')
      wires.onLink(undefined)
      return { see: () => {}, retry, close: () => {} }
    },
    now: () => server.state.now,
    monotonic: () => 0,
    network$,
  })
  feed.liveness$.subscribe((liveness) => seen.push(liveness))
  const link = () => links.at(-1) as (typeof links)[number]
  return {
    server,
    fleet,
    feed,
    network$,
    fetches,
    links,
    link,
    notifications,
    retry,
    seen,
    state: () => seen.at(-1)?.state,
    settled: () => vi.advanceTimersByTimeAsync(0),
    async answer() {
      fetches.at(-1)?.answer()
      await vi.advanceTimersByTimeAsync(0)
    },
    welcome() {
      const { seq, now } = server.state
      link().sentTo = seq
      link().wires.onMessage({ type: 'welcome', seq, now })
    },
    /** what the server answers to `resume` */
    resumed() {
      const after = link().resumes.at(-1) as number
      link().sentTo = server.state.seq
      link().wires.onFrame({ ...frameOf(after, server.state.seq, server.since(after)), resumed: true })
    },
    /** the next frame of a link that keeps up */
    frame() {
      const { seq } = server.state
      const from = link().sentTo
      link().sentTo = seq
      link().wires.onFrame(frameOf(from, seq, server.since(from)))
    },
    age() {
      const { seq, now } = server.state
      link().wires.onMessage({
        type: 'age',
        now,
        prevSeq: link().sentTo,
        seq: link().sentTo,
        speed: 1,
        paused: false,
      })
      return seq
    },
    cut: () => link().wires.onClose(1006, ''),
    shows: () =>
      [...server.devices.keys()].map((deviceNo) => fleet.columns.temperature[fleet.rowOf(deviceNo)]),
    truth: () => [...server.devices.values()].map((d) => d.temperature),
  }
}

describe('the live feed', () => {
  test('is live once the fleet is there and all since has been told', async () => {
    const s = start()
    expect(s.state()).toBe('catching-up')
    s.welcome()
    await s.answer()
    s.server.change(0, { temperature: 7 })
    expect(s.link().resumes).toEqual([10])
    s.resumed()
    expect(s.state()).toBe('live')
    expect(s.shows()).toEqual(s.truth())
    s.feed.stop()
  })

  test('says since when it is offline, and comes back with what was missed', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    s.server.state.now = 5000
    s.cut()
    expect(s.seen.at(-1)).toMatchObject({ state: 'offline', since: 5000 })
    s.server.change(3, { temperature: -9 })
    await vi.advanceTimersByTimeAsync(250)
    s.welcome()
    expect(s.state()).toBe('catching-up')
    s.resumed()
    expect(s.state()).toBe('live')
    expect(s.shows()).toEqual(s.truth())
    expect(s.fetches).toHaveLength(1)
    s.feed.stop()
  })

  test('is not offline for a token that ran out, and says since when where no other is let in', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    s.server.state.now = 5000
    s.link().wires.onClose(LIVE_CLOSE.refused, 'token ran out')
    expect(s.seen.at(-1)).toMatchObject({ state: 'catching-up', since: null })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(s.seen.at(-1)).toMatchObject({ state: 'offline', since: 5000 })
    s.feed.stop()
  })

  test('says what keeps it from being live, and tries again what failed alone', async () => {
    const s = start()
    const hindrance = () => s.seen.at(-1)?.hindrance
    s.welcome()
    expect(hindrance()).toBeUndefined()
    s.fetches.at(-1)?.fail()
    await s.settled()
    expect(hindrance()).toBe('no-answer')
    s.feed.retry()
    expect(hindrance()).toBeUndefined()
    expect([s.fetches.length, s.links.length]).toEqual([2, 1])

    s.cut()
    expect(hindrance()).toBe('waiting')
    s.feed.retry()
    expect([hindrance(), s.links.length]).toEqual(['trying', 2])
    s.network$.next(false)
    expect(hindrance()).toBe('no-network')
    s.feed.retry()
    expect(s.links.length).toBe(2)
  })

  test.each(['crowded', 'no-answer'] as const)(
    'is not live while no notifications come, %s, and tries those too',
    async (why) => {
      const s = start()
      s.welcome()
      await s.answer()
      s.resumed()
      const wires = s.notifications[0] as NotificationWires
      wires.onLink(why)
      await vi.advanceTimersByTimeAsync(9_999)
      expect(s.state(), 'most come back by themselves').toBe('live')
      await vi.advanceTimersByTimeAsync(1)
      expect(s.seen.at(-1)).toMatchObject({ state: 'catching-up', hindrance: why })
      s.feed.retry()
      await s.settled()
      expect(s.retry).toHaveBeenCalledOnce()
      wires.onLink(undefined)
      expect(s.seen.at(-1)).toMatchObject({ state: 'live', hindrance: undefined })
      s.cut()
      await vi.advanceTimersByTimeAsync(250)
      s.welcome()
      await s.settled()
      expect(s.retry, 'as soon as the server is back').toHaveBeenCalledTimes(2)
      s.feed.stop()
    },
  )

  test('is not live where the part that makes notifications did not arrive, and asks for it as the link is back', async () => {
    const s = start({ isPartMissing: true })
    s.welcome()
    await s.answer()
    s.resumed()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(s.seen.at(-1)).toMatchObject({ state: 'catching-up', hindrance: 'no-answer' })
    expect(s.notifications).toHaveLength(1)
    s.cut()
    await vi.advanceTimersByTimeAsync(250)
    s.welcome()
    expect(s.notifications).toHaveLength(2)
    s.feed.stop()
  })

  test('whatever is cut, lost or told twice, what is shown ends as what the server knows', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ no: fc.nat(5), temperature: fc.integer({ min: -99, max: 99 }) }) },
      {
        weight: 5,
        arbitrary: fc.constantFrom('frame', 'lose a frame', 'cut', 'age', 'snapshot', 'answer', 'network'),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const s = start()
        const hello = async () => {
          while (!s.link().isOpen) await vi.advanceTimersByTimeAsync(250)
          s.welcome()
          if (s.link().resumes.length > 0) s.resumed()
        }
        s.welcome()
        for (const one of steps) {
          if (typeof one === 'object') s.server.change(one.no, { temperature: one.temperature })
          else if (one === 'frame') s.frame()
          else if (one === 'lose a frame') s.link().sentTo = s.server.state.seq
          else if (one === 'age') s.age()
          else if (one === 'snapshot') s.link().wires.onMessage({ type: 'snapshot' })
          else if (one === 'answer') await s.answer()
          else if (one === 'network') {
            s.network$.next(false)
            s.network$.next(true)
            await hello()
          } else {
            s.cut()
            await hello()
          }
        }
        s.server.change(0, { temperature: 1 })
        await s.answer()
        for (let turn = 0; turn < 3; turn++) {
          const before = s.link().resumes.length
          s.frame()
          s.age()
          if (s.link().resumes.length > before || s.state() !== 'live') s.resumed()
        }
        expect(s.shows()).toEqual(s.truth())
        expect(s.fleet.seq).toBe(s.server.state.seq)
        expect(s.state()).toBe('live')
        s.feed.stop()
      }),
    )
  })

  test('finds a gap and asks for it', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    s.server.change(1, { temperature: 3 })
    s.link().sentTo = s.server.state.seq
    s.server.change(2, { temperature: 4 })
    s.frame()
    expect([s.state(), s.link().resumes]).toEqual(['catching-up', [10, 10]])
    s.resumed()
    expect(s.shows()).toEqual(s.truth())
    expect(s.state()).toBe('live')
    s.feed.stop()
  })

  test('fetches anew when what the visitor sees has changed, unless the fleet knows that already', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    s.link().wires.onMessage({ type: 'scope', seq: 10 })
    expect(s.fetches).toHaveLength(1)
    s.link().wires.onMessage({ type: 'scope', seq: 12 })
    expect(s.fetches).toHaveLength(2)
    await s.answer()
    // That one was made before the change: another is fetched.
    expect(s.fetches).toHaveLength(3)
    s.server.state.seq = 12
    s.fetches.length = 0
    s.feed.stop()
  })

  test.each([
    { anew: 'stays behind', code: 1006, waits: 5000 },
    { anew: 'says that it begins anew', code: LIVE_CLOSE.moved, waits: 0 },
  ])('begins anew with a server that $anew', async ({ code, waits }) => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    s.link().wires.onClose(code, '')
    s.server.state.seq = 3
    s.server.devices.set(0, plainDevice(0, { temperature: 77 }))
    await vi.advanceTimersByTimeAsync(250)
    s.welcome()
    await vi.advanceTimersByTimeAsync(waits)
    expect(s.fleet.columns.size).toBe(0)
    await s.answer()
    s.resumed()
    expect(s.shows()).toEqual(s.truth())
    expect(s.state()).toBe('live')
    s.feed.stop()
  })

  test('begins anew with a server whose new log is as far as the one before', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    const mark = { seq: 10, recordedAt: 1000 }
    s.notifications[0]?.onFacts({ prevSeq: 10, seq: 10, facts: [], mark })
    s.notifications[0]?.onNotification({ seq: 11 } as never)
    expect(s.notifications[0]?.mark()).toEqual(mark)
    s.cut()
    s.server.state.seq = 12
    s.server.devices.set(0, plainDevice(0, { temperature: 77 }))
    await vi.advanceTimersByTimeAsync(250)
    s.welcome()
    s.resumed()
    const told: number[] = []
    s.feed.notifications$.subscribe(({ seq }) => told.push(seq))
    s.notifications[0]?.onSnapshot({ seq: 12, snapshot: true, isAnew: true })
    expect([s.notifications[0]?.mark(), s.fleet.columns.size]).toEqual([undefined, 0])
    await s.answer()
    s.resumed()
    expect(s.shows()).toEqual(s.truth())
    expect(s.state()).toBe('live')
    s.notifications[0]?.onNotification({ seq: 9 } as never)
    expect(told).toEqual([9])
    s.feed.stop()
  })

  test('knows up to where it was told of changes, of the log there is', async () => {
    const s = start()
    expect(s.feed.position).toBeUndefined()
    s.welcome()
    await s.answer()
    s.resumed()
    expect(s.feed.position).toBe(10)
    let atOnce: number | undefined
    s.feed.changes$.subscribe(() => {
      atOnce = s.feed.position
    })
    s.link().wires.onMessage({ type: 'changed', subject: 'groups', ids: ['lahore'], seq: 14 })
    expect(atOnce).toBe(14)
    s.notifications[0]?.onFacts({ prevSeq: 10, seq: 16, facts: [] })
    expect(s.feed.position, 'nothing that was told').toBe(14)
    s.notifications[0]?.onSnapshot({ seq: 3, snapshot: true, isAnew: true })
    expect(s.feed.position).toBe(3)
    s.feed.stop()
  })

  test.each(['frame', 'age'] as const)(
    'keeps the fleet with a node that is behind the one before, and goes on as its %s has caught up',
    async (said) => {
      const s = start()
      s.welcome()
      await s.answer()
      s.resumed()
      s.link().wires.onClose(LIVE_CLOSE.refused, 'token ran out')
      s.server.state.seq = 5
      await s.settled()
      s.welcome()
      s[said]()
      await vi.advanceTimersByTimeAsync(4000)
      expect([s.fleet.columns.size, s.state()]).toEqual([6, 'catching-up'])
      s.server.state.seq = 10
      s.server.change(1, { temperature: 88 })
      if (said === 'age') s.link().sentTo = s.server.state.seq
      s[said]()
      s.resumed()
      expect(s.state()).toBe('live')
      expect(s.shows()).toEqual(s.truth())
      await vi.advanceTimersByTimeAsync(60_000)
      expect([s.fleet.columns.size, s.fetches.length]).toEqual([6, 1])
      s.feed.stop()
    },
  )

  test('tells facts once, from the first fleet on, and puts names into it', async () => {
    const s = start()
    s.welcome()
    expect(s.notifications).toHaveLength(0)
    await s.answer()
    const facts: number[] = []
    s.feed.facts$.subscribe((fact) => facts.push(fact.seq))
    const wires = s.notifications[0] as NotificationWires
    expect(wires.after()).toBe(10)
    const rename = (seq: number, name: string) =>
      ({
        seq,
        id: `f${seq}`,
        v: 1,
        at: 0,
        recordedAt: 0,
        companyId: 'c',
        type: 'device.updated',
        data: { imei: imeiOf(0), name },
      }) as const satisfies Fact
    wires.onFacts({ prevSeq: 10, seq: 12, facts: [rename(11, 'A'), rename(12, 'B')] })
    wires.onFacts({ prevSeq: 10, seq: 13, facts: [rename(11, 'A'), rename(12, 'B'), rename(13, 'C')] })
    expect(facts).toEqual([11, 12, 13])
    expect(s.fleet.names.of(0, 'name')).toBe('C')
    expect(wires.after()).toBe(13)
    wires.onSnapshot({ seq: 40, snapshot: true })
    expect([wires.after(), s.fetches.length]).toEqual([40, 2])
    s.feed.stop()
  })

  test('tells each notification once, and from where on nothing is left out', async () => {
    const s = start()
    const from: (number | undefined)[] = []
    const sentTo: number[] = []
    s.feed.liveFrom$.subscribe((seq) => from.push(seq))
    s.feed.notifications$.subscribe(({ seq }) => sentTo.push(seq))
    s.welcome()
    await s.answer()
    const wires = s.notifications[0] as (typeof s.notifications)[number]
    const notify = (seq: number) =>
      wires.onNotification({ seq } as Parameters<typeof wires.onNotification>[0])
    for (const seq of [11, 13, 11, 12, 13, 14]) notify(seq)
    expect(sentTo).toEqual([11, 13, 14])
    wires.onFacts({ prevSeq: 10, seq: 14, facts: [] })
    expect(from).toEqual([undefined, 10])
    wires.onFacts({ prevSeq: 20, seq: 21, facts: [] })
    wires.onSnapshot({ seq: 40, snapshot: true })
    expect(from).toEqual([undefined, 10, 20, 40])
    // The fleet that is on its way is of before 40: it is fetched once more.
    s.server.state.seq = 40
    await s.answer()
    await s.answer()
    s.server.state.seq = 3
    s.link().wires.onClose(LIVE_CLOSE.moved, '')
    await vi.advanceTimersByTimeAsync(250)
    s.welcome()
    await s.answer()
    notify(4)
    expect([from.slice(4), sentTo.at(-1)]).toEqual([[undefined, 3], 4])
    s.feed.stop()
  })

  test('tells the time of the server and how old the data is', async () => {
    const s = start()
    const times: number[] = []
    s.feed.time$.subscribe(({ now }) => times.push(now))
    s.welcome()
    await s.answer()
    s.resumed()
    s.server.state.now = 9000
    s.age()
    expect(times).toEqual([9000])
    expect(s.seen.at(-1)).toEqual({ state: 'live', since: null, dataAt: 9000 })
    s.feed.stop()
  })

  test('passes on that groups, users or settings are others now, and stays live', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.resumed()
    const sentTo: unknown[] = []
    s.feed.changes$.subscribe((change) => sentTo.push(change))
    const change: Change = { type: 'changed', subject: 'groups', ids: ['lahore'], seq: 10 }
    s.link().wires.onMessage(change)
    expect([sentTo, s.state()]).toEqual([[change], 'live'])
    s.feed.stop()
  })

  test('stops: closes its link and tries no more', async () => {
    const s = start()
    s.welcome()
    await s.answer()
    s.feed.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([s.links.length, s.link().isOpen]).toEqual([1, false])
  })
})

describe('a window older than the server', () => {
  test.each(['live', 'notifications'])('is told over %s, and tries nothing more', async (wire) => {
    const it = start()
    await it.answer()
    it.welcome()
    if (wire === 'live') it.link().wires.onClose(LIVE_CLOSE.outdated, 'outdated')
    else it.notifications[0]?.onOutdated()
    expect(it.seen.at(-1)).toMatchObject({ state: 'offline', hindrance: 'outdated' })
    it.network$.next(false)
    it.network$.next(true)
    it.feed.retry()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([it.links.length, it.fetches.length]).toEqual([1, 1])
    expect(it.seen.at(-1)).toMatchObject({ state: 'offline', hindrance: 'outdated' })
  })
})
