import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { MOST_LOST } from '#machines/projections/lost-devices.ts'
import type { Http } from '../effects/http.ts'
import { clock, deskWith, incident, lostDevice } from '../layout/incidents/testing.ts'
import type { Liveness } from '../streams/liveness.ts'
import { type DeskNews, startDesk } from './desk.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const statusChanged = (seq: number, from: 'online' | 'offline', to: 'online' | 'offline'): Fact => ({
  seq,
  id: `f${seq}`,
  v: 1,
  type: 'device-status.changed',
  at: clock.now(),
  recordedAt: clock.now(),
  companyId: 'c',
  data: { imei: '359999999999999', from, to },
})

/** A desk that is answered with so many devices that are lost and not listed, the first time; with none after that. */
async function deskWhere(moreLost: number, listed = 1) {
  const open = Array.from({ length: listed }, (_, i) => lostDevice(i + 1))
  const answers = [
    deskWith({ open, moreLost, seq: 1 } as object),
    deskWith({ open: [lostDevice(1)], seq: 9 } as object),
  ]
  let requests = 0
  const http = { ask: async () => answers[Math.min(requests++, 1)] } as unknown as Http
  const facts$ = new Subject<Fact>()
  const news = { facts$, liveFrom$: new BehaviorSubject(1), liveness$: new Subject() } as unknown as DeskNews
  const desk = startDesk({ http, clock }, news, { groupId: 'top' })
  await vi.advanceTimersByTimeAsync(0)
  return { desk, hear: (fact: Fact) => facts$.next(fact), requested: () => requests }
}

test('while more devices are lost than are listed, they are asked for again once something of them changed', async () => {
  const { desk, hear, requested } = await deskWhere(3)
  expect(desk.known.get()).toMatchObject({ open: [{ imei: lostDevice(1).imei }], moreLost: 3 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(1)
  for (let seq = 2; seq < 9; seq++) hear(statusChanged(seq, 'offline', 'online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(2)
  expect(desk.known.get()).toMatchObject({ moreLost: 0 })
  desk.stop()
})

test('how many are lost is known at once, and the list of the newest is asked for again later', async () => {
  const { desk, hear, requested } = await deskWhere(3, MOST_LOST)
  for (let seq = 2; seq < 4; seq++) hear(statusChanged(seq, 'offline', 'online'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(desk.known.get()?.open).toHaveLength(MOST_LOST)
  expect(desk.known.get()?.moreLost).toBe(1)
  expect(requested()).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(requested()).toBe(2)
  desk.stop()
})

test('where all are listed, what is heard is enough', async () => {
  const { desk, hear, requested } = await deskWhere(0)
  hear(statusChanged(2, 'online', 'offline'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(1)
  expect(desk.known.get()?.open.map(({ violationId }) => violationId)).toEqual(['lost-f1', 'lost-f2'])
  hear(statusChanged(3, 'offline', 'online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(desk.known.get()).toMatchObject({
    open: [{ violationId: 'lost-f1' }],
    over: [{ violationId: 'lost-f2' }],
  })
  desk.stop()
})

test('a storm is shown twice a second, its first and its last fact too', async () => {
  const { desk, hear } = await deskWhere(0)
  let shown = 0
  desk.known.subscribe(() => shown++)
  for (let seq = 2; seq < 202; seq++) {
    hear(statusChanged(seq, seq % 2 === 0 ? 'online' : 'offline', seq % 2 === 0 ? 'offline' : 'online'))
    await vi.advanceTimersByTimeAsync(25)
    if (seq === 10) expect(shown).toBe(1)
  }
  await vi.advanceTimersByTimeAsync(500)
  expect(desk.known.get()?.over).toHaveLength(100)
  expect(shown).toBeLessThanOrEqual(12)
  desk.stop()
})

/** A desk whose calls the test answers; the link is live. */
function deskAnswered() {
  const answers: ((known: object | Error) => void)[] = []
  const http = {
    ask: () =>
      new Promise((resolve, reject) => {
        answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
      }),
  } as unknown as Http
  const liveFrom$ = new BehaviorSubject<number | undefined>(0)
  const liveness$ = new BehaviorSubject<Liveness>(LIVE)
  const facts$ = new Subject<Fact>()
  const desk = startDesk({ http, clock }, { facts$, liveFrom$, liveness$ }, { groupId: 'top' })
  return {
    desk,
    liveFrom$,
    liveness$,
    hear: (fact: Fact) => facts$.next(fact),
    requested: () => answers.length,
    async answer(known: object | Error) {
      answers.at(-1)?.(known)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}
const LIVE: Liveness = { state: 'live', since: null, dataAt: null }
const UNAVAILABLE = new Error('503')

test('what could not be answered is asked for again while the link stays live', async () => {
  const { desk, requested, answer } = deskAnswered()
  await answer(UNAVAILABLE)
  expect(requested()).toBe(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(requested()).toBe(2)
  await answer(deskWith({ open: [lostDevice(1)] }))
  expect(desk.known.get()?.open).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(2)
  desk.stop()
})

test('what came in a gap is asked for until it is answered', async () => {
  const { desk, liveFrom$, answer } = deskAnswered()
  await answer(deskWith({}))
  expect(desk.known.get()?.open).toHaveLength(0)
  liveFrom$.next(40)
  await answer(UNAVAILABLE)
  await vi.advanceTimersByTimeAsync(5_000)
  await answer({ ...deskWith({ open: [lostDevice(1)] }), seq: 40 })
  expect(desk.known.get()?.open).toHaveLength(1)
  desk.stop()
})

test('an answer of a node that is behind what is known is passed over, and asked for again', async () => {
  const { desk, liveFrom$, hear, requested, answer } = deskAnswered()
  await answer(deskWith({}))
  hear(statusChanged(997, 'online', 'offline'))
  liveFrom$.next(1000)
  await answer({ ...deskWith({}), seq: 995 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(desk.known.get()?.open.map(({ violationId }) => violationId)).toEqual(['lost-f997'])
  expect(requested()).toBe(3)
  hear(statusChanged(1001, 'online', 'offline'))
  await answer({ ...deskWith({ open: [lostDevice(1)] }), seq: 1000 })
  expect(desk.known.get()?.open.map(({ violationId }) => violationId)).toEqual(['lost-f1', 'lost-f1001'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(3)
  desk.stop()
})

test('of a log that has begun anew what it says counts', async () => {
  const { desk, liveFrom$, requested, answer } = deskAnswered()
  liveFrom$.next(1000)
  await answer({ ...deskWith({}), seq: 1000 })
  liveFrom$.next(undefined)
  liveFrom$.next(3)
  await answer({ ...deskWith({ open: [lostDevice(1)] }), seq: 3 })
  expect(desk.known.get()?.open).toHaveLength(1)
  expect(requested()).toBe(3)
  desk.stop()
})

test('without a link it is not asked for again before that is back', async () => {
  const { desk, liveness$, requested, answer } = deskAnswered()
  liveness$.next({ ...LIVE, state: 'offline' })
  await answer(UNAVAILABLE)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested()).toBe(1)
  liveness$.next(LIVE)
  expect(requested()).toBe(2)
  desk.stop()
})

test('a comment on what is known no more is not taken for posted', async () => {
  const { desk, answer } = deskAnswered()
  await answer(deskWith({}))
  const comment = { kind: 'comment', ids: ['v1'], text: 'The driver was called', minutes: 0 } as const
  await expect(desk.act(comment)).rejects.toThrow('It is no longer listed')
  desk.stop()
})

test('of several it says which were not done', async () => {
  const { desk, answer } = deskAnswered()
  await answer(deskWith({ open: [incident(1), incident(2), incident(3)] }))
  const ids = ['v1', 'v2', 'v3']
  const acting = desk.act({ kind: 'comment', ids, text: 'The driver was called', minutes: 0 })
  const refused = expect(acting).rejects.toMatchObject({
    message: expect.stringMatching(/^1 of 3 were not done: /),
    ids: ['v2'],
  })
  for (const each of [{}, UNAVAILABLE, {}]) await answer(each)
  await refused
  desk.stop()
})

test('of several that are acknowledged none is any more once whoever did so has signed out', async () => {
  const { desk, requested, answer } = deskAnswered()
  await answer(deskWith({ open: [incident(1), incident(2)] }))
  const acting = desk.act({ kind: 'acknowledge', ids: ['v1', 'v2'], text: 'Seen', minutes: 0 })
  const ended = expect(acting).rejects.toThrow()
  expect(requested()).toBe(2)
  desk.stop()
  await answer({})
  expect(requested()).toBe(2)
  await ended
})
