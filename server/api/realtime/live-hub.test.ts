import { describe, expect, test, vi } from 'vitest'
import { decodeLiveFrame } from '#machines/contracts/live-frame.ts'
import type { LiveMessage } from '#machines/contracts/live-messages.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { createLiveHub, HUB_LIMITS, type Outlet } from './live-hub.ts'
import { followScopes } from './scopes.ts'
import { memoryStore } from './testing/memory-store.ts'
import { device, group, START } from './testing/test-app.ts'

function setUp(limits = HUB_LIMITS) {
  const { store, add, addReadings } = memoryStore()
  add([group('indus', 'indus', null), ...[0, 1, 2].map((no) => device('indus', 'indus', no))])
  const readModels = startProjecting(store)
  const hub = createLiveHub({
    clock: { now: () => START },
    readModels,
    log: store.log,
    scopes: followScopes(readModels),
    pace: () => ({ speed: 1, paused: false }),
    limits,
  })
  let at = 0
  return {
    hub,
    log: store.log,
    readModels,
    read(...numbers: number[]) {
      const columns = createReadings(numbers.length)
      at++
      for (const no of numbers) pushReading(columns, { device: no, at: START + at, temperature: at })
      addReadings(columns)
    },
    join(userId: string) {
      const link = { waiting: 0, dropped: false, sent: [] as (Uint8Array | LiveMessage)[] }
      const outlet: Outlet = {
        send: (message) => link.sent.push(message),
        waiting: () => link.waiting,
        drop: () => {
          link.dropped = true
        },
      }
      const visitor = { userId, sessionId: userId, companyId: 'indus', groupId: 'indus' }
      const member = hub.join(outlet, { ...visitor, expiresAt: Number.POSITIVE_INFINITY }, undefined)
      return Object.assign(link, { member })
    },
  }
}

const frames = (link: { sent: (Uint8Array | LiveMessage)[] }) =>
  link.sent.flatMap((m) => (m instanceof Uint8Array ? [decodeLiveFrame(m.slice().buffer)] : []))
const devices = (link: { sent: (Uint8Array | LiveMessage)[] }) => frames(link).map((f) => [...f.device])

describe('the live hub', () => {
  test('encodes one frame for all who see the same', () => {
    const { hub, read, join } = setUp()
    const [a, b] = [join('a'), join('b')]
    read(0)
    hub.turn(0)
    expect(frames(a)).toHaveLength(1)
    expect(a.sent.at(-1)).toBe(b.sent.at(-1))
  })

  test('sends nothing where nothing changed, and says how far it is all the same', () => {
    const { hub, readModels, join } = setUp()
    const a = join('a')
    hub.turn(0)
    hub.sendAges()
    expect(frames(a)).toEqual([])
    expect(a.sent.at(-1)).toMatchObject({ type: 'age', seq: readModels.seq })
  })

  test('a frame is not due before its time: the time for few rows is shorter than for many', () => {
    const { hub, read, join } = setUp()
    const a = join('a')
    hub.turn(0)
    read(0)
    hub.turn(HUB_LIMITS.fewEvery - 1)
    expect(frames(a)).toEqual([])
    hub.turn(HUB_LIMITS.fewEvery)
    expect(frames(a)).toHaveLength(1)
  })

  test('passes over a link that is behind; its next frame covers what it missed, and joins on', () => {
    const { hub, read, join } = setUp()
    const [quick, slow] = [join('quick'), join('slow')]
    read(0)
    hub.turn(0)
    slow.waiting = HUB_LIMITS.waiting + 1
    read(1)
    hub.turn(1000)
    read(2)
    hub.turn(2000)
    hub.sendAges()
    slow.waiting = 0
    read(0)
    hub.turn(3000)
    expect(devices(quick)).toEqual([[0], [1], [2], [0]])
    expect(devices(slow)).toEqual([[0], [0, 1, 2]])
    const [first, second] = frames(slow)
    expect(second?.prevSeq).toBe(first?.seq)
    expect(slow.dropped).toBe(false)
    read(1)
    hub.turn(4000)
    expect(slow.sent.at(-1)).toBe(quick.sent.at(-1))
  })

  test('queues nothing for a link that asks again and again and takes nothing', () => {
    const { hub, readModels, read, join } = setUp()
    const greedy = join('greedy')
    const after = readModels.seq
    read(0)
    hub.turn(0)
    const sent = greedy.sent.length
    greedy.waiting = HUB_LIMITS.waiting + 1
    for (let n = 0; n < 100; n++) hub.resume(greedy.member, after)
    expect(greedy.sent).toHaveLength(sent)
    greedy.waiting = 0
    hub.turn(1000)
    expect(frames(greedy).at(-1)).toMatchObject({ prevSeq: after, seq: readModels.seq })
    expect(devices(greedy).at(-1)).toEqual([0])
  })

  test('looks once into the log however often a link asks within a turn, for the newest it asked', () => {
    const { hub, log, readModels, read, join } = setUp()
    const greedy = join('greedy')
    const after = readModels.seq
    read(0)
    const looks = vi.spyOn(log, 'readFacts')
    for (let n = 0; n < 1000; n++) hub.resume(greedy.member, n === 999 ? after : 0)
    expect(looks).not.toHaveBeenCalled()
    hub.turn(0)
    hub.turn(1)
    expect(looks).toHaveBeenCalledTimes(1)
    expect(frames(greedy).filter(({ resumed }) => resumed)).toMatchObject([{ prevSeq: after }])
  })

  test('answers in turn those who ask, as many as a turn has time for', () => {
    const { hub, readModels, join } = setUp({ ...HUB_LIMITS, answering: 0 })
    const links = [join('a'), join('b'), join('c')]
    const answered = () => links.map((link) => frames(link).length)
    const ask = () => links.forEach(({ member }) => void hub.resume(member, readModels.seq))
    ask()
    hub.turn(0)
    expect(answered()).toEqual([1, 0, 0])
    ask()
    hub.turn(1)
    hub.turn(2)
    expect(answered()).toEqual([1, 1, 1])
  })

  test('drops a link that takes nothing for too long, and no sooner', () => {
    const { hub, read, join } = setUp()
    const stuck = join('stuck')
    stuck.waiting = HUB_LIMITS.waiting + 1
    const patience = HUB_LIMITS.stuck + stuck.waiting / HUB_LIMITS.slowest
    read(0)
    hub.turn(0)
    hub.turn(patience)
    expect(stuck.dropped).toBe(false)
    hub.turn(patience + 1000)
    expect(stuck.dropped).toBe(true)
  })
})
