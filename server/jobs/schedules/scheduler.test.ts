import { Cron } from 'croner'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createExecute } from '../../commands/execute.ts'
import { twoCompanies } from '../../commands/testing/company-facts.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { device } from '../../testing/facts.ts'
import { startScheduler } from './scheduler.ts'

const at = (text: string) => Date.parse(text)
const MINUTE = 60_000
const DAY = 86_400_000
/** Indus is in Karachi, five hours ahead of UTC all year. */
const START = at('2026-11-21T09:00:00+05:00')

const imeis = (...numbers: number[]) => numbers.map((no) => `35000000000000${no}`)

const schedule = (
  scheduleId: string,
  interval: 'Daily' | 'Weekly' | 'Monthly' | 'TenDays',
  fields = {},
): NewFact => ({
  type: 'schedule.created',
  at: START,
  companyId: 'indus',
  data: {
    ...{ scheduleId, groupId: 'indus', groups: ['indus'], vehicles: ['350000000000000', '350000000000001'] },
    ...{ interval, emails: ['ops@indus.example'], reportTypes: ['POWER_REPORT'] },
    ...fields,
  },
})

const inZone = (timeZone: string): NewFact => ({
  type: 'company.settings-changed',
  at: START,
  companyId: 'indus',
  data: { companyId: 'indus', timeZone },
})

async function openSchedules(...facts: NewFact[]) {
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const readModels = startProjecting(store)
  const run = createExecute({ log: store.log, readModels, clock })
  /** schedules that cannot be run, and why */
  const broken = new Map<string, Error>()
  const warnings: string[] = []
  const execute: typeof run = (stream, command, decide) => {
    const error = broken.get((command.data as { scheduleId: string }).scheduleId)
    return error === undefined ? run(stream, command, decide) : Promise.reject(error)
  }
  const start = () =>
    startScheduler({ readModels, execute, clock, warn: (message) => warnings.push(message) })
  const append = async (...more: NewFact[]) => {
    const { facts: stored } = await store.log.append('test', more)
    await readModels.settled(stored.at(-1)?.seq ?? 0)
  }
  await append(...twoCompanies, ...facts)
  let scheduler = start()
  onTestFinished(async () => {
    await scheduler.stop()
    await store.close()
    expect(warnings).toEqual([])
  })
  return {
    append,
    broken,
    warnings,
    /** turns the clock and waits until all that is due is run */
    async goTo(instant: number) {
      clock.at = instant
      await scheduler.settled()
    },
    async restart() {
      await scheduler.stop()
      scheduler = start()
      await scheduler.settled()
    },
    /** `s1 2026-11-20T19:00:00.000Z`: of whom, and when the period ended */
    ran: () =>
      store.log
        .readFacts(0, { types: ['schedule.ran'] })
        .flatMap(({ type, data }) =>
          type === 'schedule.ran' ? [`${data.scheduleId} ${new Date(data.to).toISOString()}`] : [],
        ),
    requested: () =>
      store.log
        .readFacts(0, { types: ['report.requested'], limit: 10_000 })
        .flatMap((fact) => (fact.type === 'report.requested' ? [fact.data] : [])),
  }
}

test('a day is reported a quarter of an hour after its midnight, in the zone of the company', async () => {
  const { goTo, requested } = await openSchedules(schedule('s1', 'Daily'))
  const midnight = at('2026-11-22T00:00:00+05:00')
  await goTo(midnight + 15 * MINUTE - 1)
  expect(requested()).toEqual([])
  await goTo(midnight + 15 * MINUTE)
  expect(requested()).toMatchObject([
    {
      groupId: 'indus',
      kind: 'power',
      title: 'Power Report',
      things: ['350000000000000', '350000000000001'],
      from: midnight - DAY,
      to: midnight,
      scheduleId: 's1',
    },
  ])
})

test('a clock that leaps a month finds each period run once, oldest first, also by a server that starts anew', async () => {
  const { goTo, restart, ran, requested } = await openSchedules(
    schedule('daily', 'Daily'),
    schedule('weekly', 'Weekly'),
    schedule('monthly', 'Monthly'),
    schedule('ten', 'TenDays'),
  )
  await goTo(START + 31 * DAY)
  await restart()
  await goTo(START + 31 * DAY + MINUTE)
  const all = ran()
  const of = (name: string) => all.filter((line) => line.startsWith(name)).map((line) => line.split(' ')[1])
  expect(of('daily')).toHaveLength(31)
  expect(of('weekly')).toHaveLength(5)
  expect(of('monthly')).toEqual(['2026-11-30T19:00:00.000Z'])
  expect(of('ten')).toEqual([
    '2026-11-30T19:00:00.000Z',
    '2026-12-10T19:00:00.000Z',
    '2026-12-20T19:00:00.000Z',
  ])
  expect(new Set(all).size).toBe(all.length)
  const ends = all.map((line) => line.split(' ')[1])
  expect(ends).toEqual(ends.toSorted())
  expect(requested().map(({ reportId }) => reportId)).toHaveLength(all.length)
})

test('one that is changed goes on with what it is now; one that is deleted is over', async () => {
  const { goTo, append, ran, requested } = await openSchedules(
    schedule('s1', 'Daily'),
    schedule('s2', 'Daily'),
  )
  await goTo(START + DAY)
  const { data } = schedule('s1', 'Weekly', {
    reportTypes: ['POWER_REPORT', 'distanceReport'],
  }) as NewFact & {
    type: 'schedule.created'
  }
  const { groupId: _, ...changed } = data
  await append(
    { type: 'schedule.updated', at: START + DAY, companyId: 'indus', data: changed },
    { type: 'schedule.deleted', at: START + DAY, companyId: 'indus', data: { scheduleId: 's2' } },
  )
  await goTo(START + 9 * DAY)
  expect(ran()).toEqual([
    's1 2026-11-21T19:00:00.000Z',
    's2 2026-11-21T19:00:00.000Z',
    's1 2026-11-22T19:00:00.000Z',
    's1 2026-11-29T19:00:00.000Z',
  ])
  expect(requested().filter(({ kind }) => kind === 'distance')).toHaveLength(2)
})

test('a company that moves to another time zone has its day end by the new one from then on', async () => {
  const { goTo, append, ran } = await openSchedules(inZone('UTC'), schedule('s1', 'Daily'))
  await goTo(START)
  await append(inZone('Asia/Karachi'))
  await goTo(at('2026-11-21T19:16:00Z'))
  expect(ran()).toEqual(['s1 2026-11-21T19:00:00.000Z'])
})

test('a company that moves west has no period again that it had, and one that moves back leaves none out', async () => {
  const { goTo, append, ran } = await openSchedules(
    schedule('daily', 'Daily'),
    schedule('weekly', 'Weekly'),
    schedule('monthly', 'Monthly'),
  )
  await goTo(at('2026-12-15T12:00:00+05:00'))
  const before = ran()
  await append(inZone('Europe/London'))
  await goTo(at('2026-12-15T23:00:00Z'))
  expect(ran()).toEqual(before)
  await goTo(at('2027-01-01T00:14:00Z'))
  const december = ran()
  await append(inZone('Asia/Karachi'))
  await goTo(at('2027-01-01T00:14:01Z'))
  expect(ran().slice(december.length)).toEqual([
    'daily 2026-12-31T19:00:00.000Z',
    'monthly 2026-12-31T19:00:00.000Z',
  ])
  await append(inZone('America/New_York'))
  await goTo(at('2027-01-01T12:00:00Z'))
  expect(ran()).toHaveLength(december.length + 2)
})

test('vehicles that left are left out; without any, and while the company is suspended, the period passes', async () => {
  const { goTo, append, requested } = await openSchedules(
    schedule('s1', 'Daily', { groupId: 'punjab', vehicles: ['350000000000001', '350000000000003'] }),
    schedule('s2', 'Daily', { groupId: 'sindh', vehicles: ['350000000000001'] }),
  )
  await goTo(START + DAY)
  expect(requested()).toMatchObject([{ scheduleId: 's1', things: ['350000000000001'] }])
  await append({
    type: 'company.suspended',
    at: START + DAY,
    companyId: 'indus',
    data: { companyId: 'indus' },
  })
  await goTo(START + 3 * DAY)
  await append({
    type: 'company.resumed',
    at: START + 3 * DAY,
    companyId: 'indus',
    data: { companyId: 'indus' },
  })
  await goTo(START + 4 * DAY)
  expect(requested().map(({ to }) => new Date(to).toISOString())).toEqual([
    '2026-11-21T19:00:00.000Z',
    '2026-11-24T19:00:00.000Z',
  ])
})

test('one that cannot be run holds up no other, and is run a minute later, each of its periods once and in order', async () => {
  const { goTo, broken, warnings, ran } = await openSchedules(
    schedule('s1', 'Daily'),
    schedule('s2', 'Daily'),
  )
  broken.set('s1', new RangeError('no such thing'))
  const days = ['2026-11-21T19:00:00.000Z', '2026-11-22T19:00:00.000Z']
  await goTo(START + 2 * DAY)
  expect(ran()).toEqual(days.map((day) => `s2 ${day}`))
  expect(warnings.splice(0)).toEqual([
    'schedule s1 cannot be run, retrying in a minute: RangeError: no such thing',
  ])
  broken.clear()
  await goTo(START + 2 * DAY + MINUTE - 1)
  expect(ran()).toHaveLength(2)
  await goTo(START + 2 * DAY + MINUTE)
  expect(ran().slice(2)).toEqual(days.map((day) => `s1 ${day}`))
})

test('one of a company whose time zone is none any more holds up no other', async () => {
  const other: NewFact = { ...schedule('s2', 'Daily', { groupId: 'karakoram' }), companyId: 'karakoram' }
  const { goTo, warnings, ran } = await openSchedules(inZone('Asia/Nowhere'), schedule('s1', 'Daily'), other)
  await goTo(START + DAY)
  expect(ran()).toEqual(['s2 2026-11-21T19:00:00.000Z'])
  // an interval that looks at the clock may have met it before the clock was turned
  expect(warnings.splice(0)[0]).toMatch(/^schedule s1 cannot be run, retrying in a minute: /)
})

test('many are run without reckoning the periods of all after each', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `s${i}`)
  const { goTo, ran } = await openSchedules(...names.map((name) => schedule(name, 'Daily')))
  const reckoned = vi.spyOn(Cron.prototype, 'nextRun')
  onTestFinished(() => reckoned.mockRestore())
  await goTo(START + DAY)
  expect(ran()).toHaveLength(40)
  // two ends of each, and the beginning of the period that is run, which is looked for from a month before
  expect(reckoned.mock.calls.length).toBeLessThan(40 * 60)
})

describe('all vehicles', () => {
  const everything = { groups: [], vehicles: [], allGroups: true, allVehicles: true }
  const added = (no: number, groupId: string, fields = {}): NewFact =>
    device(no, `35000000000000${no}`, 'indus', groupId, fields)

  test('are those there are at each run, also one that was added after the schedule was saved', async () => {
    const { goTo, append, requested } = await openSchedules(
      schedule('s1', 'Daily', everything),
      schedule('s2', 'Daily', { ...everything, groups: ['punjab'], allGroups: undefined }),
      schedule('s3', 'Daily', { ...everything, groupId: 'sindh' }),
    )
    const since = (seen: number) =>
      Object.fromEntries(
        requested()
          .slice(seen)
          .map(({ scheduleId, things }) => [scheduleId, things]),
      )
    await goTo(START + DAY)
    // 1 and 3 are warehouses
    expect(since(0)).toEqual({ s1: imeis(0, 2), s2: imeis(2) })
    await append(added(5, 'lahore', { type: 'vehicle' }), added(6, 'sindh', { type: 'warehouse' }), {
      type: 'device.updated',
      at: START + DAY,
      companyId: 'indus',
      data: { imei: '350000000000002', groupId: 'sindh' },
    })
    await goTo(START + 2 * DAY)
    expect(since(2)).toEqual({ s1: imeis(0, 2, 5), s2: imeis(5), s3: imeis(2) })
  })

  test('of a group that was deleted are none', async () => {
    const { goTo, append, requested, ran } = await openSchedules(
      schedule('s1', 'Daily', { ...everything, groups: ['sindh'], allGroups: undefined }),
    )
    await append({ type: 'group.deleted', at: START, companyId: 'indus', data: { groupId: 'sindh' } })
    await goTo(START + DAY)
    expect(ran()).toHaveLength(1)
    expect(requested()).toEqual([])
  })
})

test('each report is asked for with what its type has beyond its vehicles', async () => {
  const { goTo, requested } = await openSchedules(
    schedule('s1', 'Daily', {
      reportTypes: ['OverSpeedingVehiclesReport', 'vehicleTravelReport', 'StoppageReport'],
      ...{ speed: 95, startTime: '08:00', endTime: '17:30' },
    }),
  )
  await goTo(START + DAY)
  expect(
    requested().map(({ kind, speed, startTime, endTime, minDistance }) => [
      kind,
      speed,
      startTime,
      endTime,
      minDistance,
    ]),
  ).toEqual([
    ['speeding', 95, undefined, undefined, null],
    ['travel', undefined, '08:00', '17:30', 25],
    ['stoppage', undefined, undefined, undefined, null],
  ])
})
