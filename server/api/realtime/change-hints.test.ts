import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { LiveMessage } from '#machines/contracts/live-messages.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { createLiveHub, HUB_LIMITS, type Outlet } from './live-hub.ts'
import { followScopes } from './scopes.ts'
import { memoryStore } from './testing/memory-store.ts'
import { device, group, imeiOf, START } from './testing/test-app.ts'

type Changed = Extract<LiveMessage, { type: 'changed' }>

const person = (userId: string, companyId: string, groupId: string): NewFact => ({
  type: 'user.created',
  at: START,
  companyId,
  data: {
    userId,
    companyId,
    groupId,
    firstName: userId,
    lastName: '',
    userName: userId,
    email: `${userId}@${companyId}.example`,
    phone: '',
    type: 'Manager',
    role: 'user',
  },
})

/** indus › punjab › lahore and indus › sindh, beside it karakoram; a device and a user in each of punjab, lahore and sindh. */
const COMPANY = [
  group('indus', 'indus', null),
  group('indus', 'punjab', 'indus'),
  group('indus', 'lahore', 'punjab'),
  group('indus', 'sindh', 'indus'),
  group('karakoram', 'karakoram', null),
  ...['punjab', 'lahore', 'sindh'].flatMap((groupId, no) => [
    device('indus', groupId, no),
    person(`u-${groupId}`, 'indus', groupId),
  ]),
]

let stop = () => {}
afterEach(() => stop())

function setUp() {
  const { store, add } = memoryStore()
  add(COMPANY)
  const readModels = startProjecting(store)
  const hub = createLiveHub({
    clock: { now: () => START },
    readModels,
    log: store.log,
    scopes: followScopes(readModels),
    pace: () => ({ speed: 1, paused: false }),
    limits: HUB_LIMITS,
  })
  stop = () => {
    hub.stop()
    readModels.stop()
  }
  return {
    hub,
    add: (...facts: NewFact[]) => add(facts),
    join(groupId: string, companyId = 'indus') {
      const link = { waiting: 0, heard: [] as Changed[] }
      const outlet: Outlet = {
        send: (message) => {
          if (!(message instanceof Uint8Array) && message.type === 'changed') link.heard.push(message)
        },
        waiting: () => link.waiting,
        drop: () => {},
      }
      const visitor = { userId: 'x', sessionId: 'x', companyId, groupId, expiresAt: Infinity }
      hub.join(outlet, visitor, undefined)
      return Object.assign(link, {
        /** what was told since last asked: `subject: ids` */
        subjects: () =>
          link.heard.splice(0).map(({ subject, ids }) => `${subject}: ${[...ids].sort().join(' ')}`),
      })
    },
  }
}
const about = { at: START, companyId: 'indus' }
const renamed = (groupId: string): NewFact => ({
  ...about,
  type: 'group.updated',
  data: { groupId, name: 'x' },
})
const moved = (no: number, groupId: string): NewFact => ({
  ...about,
  type: 'device.updated',
  data: { imei: imeiOf(no), groupId },
})

test('who sees a changed group is told, with those above it that they see; others are not', () => {
  const { add, join } = setUp()
  const [top, punjab, sindh] = [join('indus'), join('punjab'), join('sindh')]
  const karakoram = join('karakoram', 'karakoram')
  add(renamed('lahore'))
  expect(top.subjects()).toEqual(['groups: indus lahore punjab'])
  expect(punjab.subjects()).toEqual(['groups: lahore punjab'])
  expect([sindh.subjects(), karakoram.subjects()]).toEqual([[], []])
})

test('a device that changes groups is told to both sides, each of their own', () => {
  const { add, join } = setUp()
  const [top, punjab, sindh] = [join('indus'), join('punjab'), join('sindh')]
  add(moved(1, 'sindh'))
  expect(top.subjects()).toEqual(['groups: indus lahore punjab sindh'])
  expect(punjab.subjects()).toEqual(['groups: lahore punjab'])
  expect(sindh.subjects()).toEqual(['groups: sindh'])
})

test('a user who moves or goes is told where they were and where they are', () => {
  const { add, join } = setUp()
  const [punjab, sindh] = [join('punjab'), join('sindh')]
  add({ ...about, type: 'user.updated', data: { userId: 'u-lahore', groupId: 'sindh' } })
  expect(punjab.subjects()).toEqual(['users: u-lahore', 'groups: lahore punjab'])
  expect(sindh.subjects()).toEqual(['users: u-lahore', 'groups: sindh'])
  add({ ...about, type: 'user.deleted', data: { userId: 'u-lahore' } })
  expect(punjab.subjects()).toEqual([])
  expect(sindh.subjects()).toEqual(['users: u-lahore', 'groups: sindh'])
})

test('a group that is deleted is told to those who saw it, and what comes later is not', () => {
  const { add, join } = setUp()
  const [punjab, lahore] = [join('punjab'), join('lahore')]
  add(moved(1, 'punjab'), { ...about, type: 'group.deleted', data: { groupId: 'lahore' } })
  expect(punjab.subjects().join()).toContain('lahore')
  lahore.subjects()
  add(renamed('punjab'))
  expect([punjab.subjects(), lahore.subjects()]).toEqual([['groups: punjab'], []])
})

test('a report that comes on is told to who has it in their log, also what is in no record; a schedule to its company', () => {
  const { hub, add, join } = setUp()
  const [top, punjab, sindh] = [join('indus'), join('punjab'), join('sindh')]
  const data = {
    ...{ reportId: 'r1', groupId: 'punjab', title: 'Power Report', things: [], groups: ['punjab'] },
    ...{ from: 0, to: 1, types: null, minDistance: null, requestedBy: 'x', scheduleId: null, upTo: 1 },
  }
  add({ ...about, type: 'report.requested', data: { ...data, kind: 'power' } })
  add({ ...about, type: 'report.started', data: { reportId: 'r1' } })
  hub.hint([{ subject: 'reports', id: 'r1', groups: ['punjab'] }])
  expect(top.subjects()).toEqual(['reports: r1', 'reports: r1', 'reports: r1'])
  expect([punjab.subjects().length, sindh.subjects()]).toEqual([3, []])
  add({ ...about, type: 'schedule.deleted', data: { scheduleId: 's1' } })
  expect([punjab.subjects(), sindh.subjects()]).toEqual([['schedules: s1'], ['schedules: s1']])
})

test("a company's settings are told to all of the company", () => {
  const { add, join } = setUp()
  const [lahore, karakoram] = [join('lahore'), join('karakoram', 'karakoram')]
  const setting = { harshAcceleration: true, harshBrake: true, overSpeeding: true, sharpTurn: false }
  add({ ...about, type: 'company.driving-score-set', data: { companyId: 'indus', ...setting } })
  expect([lahore.subjects(), karakoram.subjects()]).toEqual([['settings: indus'], []])
})

test('of very many it is told that they are many', () => {
  const { add, join } = setUp()
  const top = join('indus')
  add(...Array.from({ length: 60 }, (_, i) => group('indus', `g${i}`, 'sindh')))
  expect(top.subjects()).toEqual(['groups: '])
})

test('who takes nothing is told once they do', () => {
  const { add, join, hub } = setUp()
  const top = join('indus')
  top.waiting = HUB_LIMITS.waiting + 1
  add(renamed('sindh'))
  add(renamed('lahore'))
  hub.sendAges()
  expect(top.subjects()).toEqual([])
  top.waiting = 0
  hub.sendAges()
  hub.sendAges()
  expect(top.subjects()).toEqual(['groups: indus lahore punjab sindh'])
})

test('whatever moves where, nobody is told the id of a group they do not see', () => {
  const groups = ['indus', 'punjab', 'lahore', 'sindh'] as const
  const step = fc.oneof(
    fc.tuple(fc.nat(2), fc.constantFrom(...groups)).map(([no, to]) => moved(no, to)),
    fc.constantFrom(...groups).map(renamed),
    fc.tuple(fc.constantFrom('punjab', 'lahore', 'sindh'), fc.constantFrom(...groups)).map(
      ([at, groupId]): NewFact => ({
        ...about,
        type: 'user.updated',
        data: { userId: `u-${at}`, groupId },
      }),
    ),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { add, join } = setUp()
      const sindh = join('sindh')
      for (const one of steps) add(one)
      const ids = sindh.heard.filter(({ subject }) => subject === 'groups').flatMap(({ ids }) => ids)
      expect(new Set(ids).isSubsetOf(new Set(['sindh']))).toBe(true)
      stop()
    }),
  )
})

test('everybody of a company that moves to another time zone is told, and nobody of another', () => {
  const { add, join } = setUp()
  const [top, lahore, karakoram] = [join('indus'), join('lahore'), join('karakoram', 'karakoram')]
  const changed = (data: object): NewFact => ({
    ...about,
    type: 'company.settings-changed',
    data: { companyId: 'indus', ...data },
  })
  add(changed({ name: 'Indus' }))
  expect([top.subjects(), lahore.subjects()]).toEqual([[], []])
  add(changed({ timeZone: 'Europe/London' }))
  expect([top.subjects(), lahore.subjects()]).toEqual([['companies: indus'], ['companies: indus']])
  expect(karakoram.subjects()).toEqual([])
})
