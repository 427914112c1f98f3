import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Incident } from '../contracts/entities/incidents.ts'
import type { Fact, FactData, FactOf, NewFact } from '../contracts/facts.ts'
import { incidentOf } from './incidents.ts'
import { beginShift, evolveShift, MOST_LISTED, type Shift, summaryOf } from './shift.ts'

const START = 1_800_000_000_000
const MINUTE = 60_000
const HOT = 'HIGH_TEMPERATURE_DETECTED' as const
const imeiOf = (no: number): string => String(350_000_000_000_000 + no)
const at = (minutes: number): number => START + minutes * MINUTE
const iso = (minutes: number): string => new Date(at(minutes)).toISOString()

let seq = 0
function stored(fact: Pick<NewFact, 'type' | 'at' | 'data'>): Fact {
  seq++
  return { ...fact, companyId: 'c', by: 'u1', seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as Fact
}

const openedBy = (no: number, minutes: number, name = `v${no}`) =>
  stored({
    type: 'violation.opened',
    at: at(minutes),
    data: {
      violationId: name,
      imei: imeiOf(no),
      type: HOT,
      threshold: 8,
      delaySeconds: 60,
      clearMargin: 0.5,
      since: at(minutes - 1),
      value: 9,
      lat: null,
      lng: null,
      readings: [],
    },
  }) as FactOf<'violation.opened'>
const cleared = (no: number, minutes: number, name = `v${no}`) =>
  stored({
    type: 'violation.cleared',
    at: at(minutes),
    data: {
      violationId: name,
      imei: imeiOf(no),
      type: HOT,
      value: 7,
      worst: 10,
      durationSeconds: 60,
      reason: 'back-inside',
    },
  })
const episode = (minutes: number, end: number | null) => ({
  since: at(minutes - 1),
  openedAt: at(minutes),
  clearedAt: end === null ? null : at(end),
  threshold: 8,
  worst: 10,
})
const revised = (
  no: number,
  minutes: number,
  after: FactData<'violation.revised'>['after'],
  name = `v${no}`,
) =>
  stored({
    type: 'violation.revised',
    at: at(minutes),
    data: {
      violationId: name,
      imei: imeiOf(no),
      type: HOT,
      before: episode(0, null),
      after,
      receivedFrom: at(minutes),
      receivedTo: at(minutes),
      readingsLate: 1,
    },
  })
const foundLate = (no: number, minutes: number, clearedAt: number) =>
  stored({
    type: 'violation.found-late',
    at: at(minutes),
    data: {
      ...episode(minutes, clearedAt),
      violationId: `v${no}`,
      imei: imeiOf(no),
      type: HOT,
      delaySeconds: 60,
      clearMargin: 0.5,
      value: 9,
      lat: null,
      lng: null,
      receivedFrom: at(30),
      receivedTo: at(30),
      readingsLate: 4,
    } as unknown as FactData<'violation.found-late'>,
  })
const status = (no: number, minutes: number, from: string, to: string) =>
  stored({
    type: 'device-status.changed',
    at: at(minutes),
    data: { imei: imeiOf(no), from, to } as FactData<'device-status.changed'>,
  })

const NO_LOADS = { loads: 0, atRisk: 0, exhausted: 0, decided: 0 }
const isOf = (no: number, one: Incident | undefined): boolean => one?.imei === imeiOf(no)
function since(lasting: readonly Incident[], facts: readonly Fact[]): Shift {
  const shift = beginShift(lasting)
  for (const fact of facts) evolveShift(shift, fact)
  return shift
}
const summary = (lasting: readonly Incident[], facts: readonly Fact[]) => summaryOf(since(lasting, facts), [])

test('what came up since is told with what became of it, what lasted before and is over apart from it', () => {
  const before = [incidentOf(openedBy(1, -60)), incidentOf(openedBy(2, -50))]
  const { opened, ended, counts } = summary(before, [
    openedBy(3, 5),
    openedBy(4, 10),
    cleared(1, 15),
    cleared(3, 20),
  ])
  expect(opened.map(({ imei, clearedAt }) => [imei, clearedAt])).toEqual([
    [imeiOf(4), null],
    [imeiOf(3), iso(20)],
  ])
  expect(ended.map(({ imei, clearedAt }) => [imei, clearedAt])).toEqual([[imeiOf(1), iso(15)]])
  expect(counts).toEqual({
    opened: 2,
    stillOpen: 1,
    lost: 0,
    stillLost: 0,
    ended: 1,
    actions: 0,
    ...NO_LOADS,
  })
})

test('devices that were lost count apart, and one that was lost before and is back has ended', () => {
  const gone = since([], [status(1, -60, 'online', 'offline')]).incidents.open
  const { opened, ended, counts } = summary(
    [...gone.values()],
    [
      status(2, 5, 'online', 'offline'),
      status(3, 6, 'online', 'disconnected'),
      status(3, 9, 'disconnected', 'online'),
      status(1, 10, 'offline', 'online'),
      status(1, 20, 'online', 'offline'),
    ],
  )
  expect(counts).toMatchObject({ opened: 0, lost: 3, stillLost: 2, ended: 1 })
  expect(ended.map(({ imei }) => imei)).toEqual([imeiOf(1)])
  expect(opened.filter(({ clearedAt }) => clearedAt === null).map(({ imei }) => imei)).toEqual([
    imeiOf(1),
    imeiOf(2),
  ])
})

test('late readings: what they find is news, what they take back never was, and is said of what was open', () => {
  const { opened, counts, actions } = summary(
    [incidentOf(openedBy(1, -60))],
    [foundLate(2, -300, -200), openedBy(3, 5), revised(3, 20, null), revised(1, 25, null)],
  )
  expect(opened.map(({ imei, clearedAt }) => [imei, clearedAt])).toEqual([[imeiOf(2), iso(-200)]])
  expect(counts).toMatchObject({ opened: 1, stillOpen: 0, ended: 0, actions: 1 })
  expect(actions).toMatchObject([{ action: 'taken-back', userName: null, imei: imeiOf(1), at: iso(25) }])
})

test('one that late readings end earlier has ended, and one that they reopen lasts', () => {
  const { ended, opened } = summary(
    [incidentOf(openedBy(1, -60))],
    [revised(1, 10, episode(-60, -30)), openedBy(2, 5), cleared(2, 8), revised(2, 12, episode(5, null))],
  )
  expect(ended.map(({ imei, clearedAt }) => [imei, clearedAt])).toEqual([[imeiOf(1), iso(-30)]])
  expect(opened).toMatchObject([{ imei: imeiOf(2), clearedAt: null }])
})

test('what people did is told newest first, with their words; what ends by itself is nobody’s doing', () => {
  const about = { imei: imeiOf(1), type: HOT, userName: 'Danish Malik' }
  const named = { ...about, violationId: 'v1', notificationId: 'f1' }
  const { actions, opened } = summary(
    [],
    [
      openedBy(1, 1),
      stored({ type: 'violation.taken', at: at(2), data: named }),
      stored({
        type: 'violation.acknowledged',
        at: at(3),
        data: { ...named, reason: 'Doors open', comment: '' },
      }),
      stored({ type: 'violation.shelved', at: at(4), data: { ...about, until: at(60), reason: 'Washing' } }),
      stored({ type: 'violation.unshelved', at: at(60), data: { imei: imeiOf(1), type: HOT, opened: null } }),
    ],
  )
  expect(actions.map(({ action, text, at }) => [action, text, at])).toEqual([
    ['shelved', 'Washing', iso(4)],
    ['acknowledged', 'Doors open', iso(3)],
    ['taken', '', iso(2)],
  ])
  expect(opened[0]?.acknowledged).toMatchObject({ userName: 'Danish Malik', reason: 'Doors open' })
})

test('of a flood what lasts is listed first, and all are counted', () => {
  const facts: Fact[] = [openedBy(0, 0)]
  for (let no = 1; no <= MOST_LISTED + 50; no++) facts.push(openedBy(no, no), cleared(no, no + 1))
  const { opened, counts } = summary([], facts)
  expect(opened).toHaveLength(MOST_LISTED)
  expect(opened.some((one) => isOf(0, one))).toBe(true)
  expect(counts).toMatchObject({ opened: MOST_LISTED + 51, stillOpen: 1 })
})

test('over more than a day nothing that is over is let go of, whatever the order it came in', () => {
  const days = fc.array(fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 9_000 })), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(days, (spells) => {
      const facts = spells.flatMap(([from, length], i) => [
        openedBy(i % 7, from, `v${i}`),
        cleared(i % 7, from + length, `v${i}`),
      ])
      expect(summary([], facts).counts).toMatchObject({ opened: spells.length, stillOpen: 0 })
    }),
    { numRuns: 30 },
  )
})
