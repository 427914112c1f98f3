import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { createSchedule, deleteSchedule, MOST_SCHEDULES, runSchedule, updateSchedule } from './schedules.ts'

/** vehicles at the top, in `lahore` and of another company, and a warehouse in `punjab` */
const TOP = '350000000000000'
const WAREHOUSE = '350000000000001'
const LAHORE = '350000000000002'
const KARAKORAM = '350000000000004'
/** Somebody of Indus has set a password: its domain is theirs. */
const COMPANIES: NewFact[] = [
  ...twoCompanies,
  { type: 'user.password-set', at: 0, companyId: 'indus', data: { userId: 'u1', hash: '$argon2id$' } },
]
const NOTHING: Decision = { facts: [] }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const origin = { at: 9, companyId: 'indus', by: 'u2' }

const form = {
  groups: ['lahore'],
  vehicles: [LAHORE],
  interval: 'Daily',
  emails: ['ops@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
type Form = Partial<Omit<CommandData<'schedule.update'>, 'scheduleId' | 'ifVersion'>>

const create = (
  changes: Form & { groupId?: string } = {},
  scope = 'punjab',
  past = given(...COMPANIES),
): Decision =>
  past.when((directory, it: CommandOf<'schedule.create'>) => createSchedule(directory, it, scope), {
    type: 'schedule.create',
    at: 9,
    by: 'u2',
    data: { scheduleId: 's1', groupId: 'punjab', ...form, ...changes },
  })
const update = (past: ReturnType<typeof given>, changes: Form, scope = 'punjab', scheduleId = 's1') =>
  past.when((directory, it: CommandOf<'schedule.update'>) => updateSchedule(directory, it, scope), {
    type: 'schedule.update',
    at: 9,
    by: 'u2',
    data: { scheduleId, ifVersion: null, ...form, ...changes },
  })
const remove = (past: ReturnType<typeof given>, scope: string, scheduleId = 's1') =>
  past.when((directory, it: CommandOf<'schedule.delete'>) => deleteSchedule(directory, it, scope), {
    type: 'schedule.delete',
    at: 9,
    by: 'u2',
    data: { scheduleId },
  })
const created = (changes: Form = {}) => given(...COMPANIES, ...create(changes).facts)

const named = (fact: NewFact, scheduleId: string): NewFact =>
  ({ ...fact, data: { ...fact.data, scheduleId } }) as NewFact

describe('making a schedule', () => {
  test('keeps each group, vehicle, address and type once', () => {
    const twice = {
      groups: ['lahore', 'lahore'],
      vehicles: [LAHORE, LAHORE],
      emails: [' ops@indus.example', 'ops@indus.example ', 'Ops@INDUS.example'],
      reportTypes: ['POWER_REPORT', 'POWER_REPORT'],
    }
    expect(create(twice)).toEqual({
      facts: [
        { ...origin, type: 'schedule.created', data: { scheduleId: 's1', groupId: 'punjab', ...form } },
      ],
    })
  })

  test('of all groups and vehicles names none of them', () => {
    expect(create({ allGroups: true, allVehicles: true }).facts[0]?.data).toMatchObject({
      ...{ allGroups: true, groups: [], allVehicles: true, vehicles: [] },
    })
  })

  test('keeps what its types ask for, and nothing else that was sent', () => {
    const sent = {
      ...{ speed: 90, vehicleTravelDistance: 5, startTime: '08:00', endTime: '18:00' },
      ...{ sourceGeofenceId: 'g1', performanceGeoFence: ['g1'], performanceRouteFence: ['g2'] },
    }
    expect(create(sent).facts).toEqual(create().facts)
    const speeding = { ...form, reportTypes: ['OverSpeedingVehiclesReport'] }
    expect(create({ ...speeding, ...sent }).facts).toEqual(create({ ...speeding, speed: 90 }).facts)
    expect(update(created(), sent).facts).toEqual(update(created(), {}).facts)
  })

  test('a company has so many at most, and may make one where it deletes one; another company still may', () => {
    const past = given(...COMPANIES)
    for (let i = 0; i < MOST_SCHEDULES; i++)
      past.store({ facts: create().facts.map((fact) => named(fact, `s${i}`)) })
    expect(create({}, 'punjab', past)).toMatchObject({ facts: [], refused: { status: 409 } })
    expect(create({}, 'punjab', past).refused?.message).toContain('delete one')
    expect(update(past, { interval: 'Weekly' }).facts).toHaveLength(1)
    const others = { groupId: 'karakoram', groups: ['karakoram'], vehicles: [KARAKORAM] }
    expect(create(others, 'karakoram', past).facts[0]?.type).toBe('schedule.created')
    past.store(remove(past, 'punjab', 's7'))
    expect(create({}, 'punjab', past).facts).toHaveLength(1)
  })

  test('tells all that is missing, the first thing as the message', () => {
    const { facts, refused } = create({ emails: [], reportTypes: [] })
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, message: 'Please enter at least one email.' })
    expect(refused?.extra?.errors).toMatchObject([{ path: 'emails' }, { path: 'reportTypes' }])
  })

  test.each([
    ['in a group above', { groupId: 'indus' }],
    ['in a group nobody has', { groupId: 'nowhere' }],
    ['of a sister group', { groups: ['lahore', 'sindh'] }],
    ['of a group nobody has', { groups: ['nowhere'] }],
    ['of a vehicle above', { vehicles: [TOP] }],
    ['of a vehicle of another company', { vehicles: [LAHORE, KARAKORAM] }],
  ])('%s is not found from punjab', (_, changes) => {
    expect(create(changes)).toEqual(NOT_FOUND)
  })
})

describe('changing and deleting a schedule', () => {
  test('changes it as a whole, by the rules of a new one', () => {
    expect(update(created(), { interval: 'Weekly' })).toEqual({
      facts: [
        { ...origin, type: 'schedule.updated', data: { scheduleId: 's1', ...form, interval: 'Weekly' } },
      ],
    })
    expect(update(created(), { interval: 'Hourly' }).refused?.status).toBe(422)
    expect(update(created(), { vehicles: [TOP] })).toEqual(NOT_FOUND)
  })

  const gone = (type: 'device.retired' | 'group.deleted', data: object): NewFact =>
    ({ ...origin, type, data }) as NewFact
  const RETIRED = gone('device.retired', { no: 2, imei: LAHORE })
  const movedTo = (groupId: string): NewFact => ({
    ...origin,
    type: 'device.updated',
    data: { imei: LAHORE, groupId },
  })
  const afterwards = (facts: NewFact[], changes: Form = {}) => {
    const past = created(changes)
    past.store({ facts })
    return past
  }
  const has = (data: object) => ({ facts: [{ type: 'schedule.updated', data }] })

  test.each<[string, NewFact[], Form]>([
    ['a vehicle that is retired', [RETIRED], { vehicles: [] }],
    ['a vehicle out of scope', [movedTo('sindh')], { vehicles: [] }],
    [
      'a group that is deleted',
      [movedTo('punjab'), gone('group.deleted', { groupId: 'lahore' })],
      { groups: [] },
    ],
  ])('leaves out %s since, and asks for no other', (_, facts, left) => {
    const past = afterwards(facts)
    for (const sent of [{}, left]) expect(update(past, sent)).toMatchObject(has({ ...form, ...left }))
    past.store(update(past, { interval: 'Weekly' }))
    expect(update(past, { ...left, interval: 'Monthly' })).toMatchObject(
      has({ interval: 'Monthly', ...left }),
    )
  })

  test.each([
    ['a group', { groups: ['lahore', 'sindh'] }, 'groups'],
    ['a vehicle', { vehicles: [LAHORE, TOP] }, 'vehicles'],
  ])('%s of elsewhere is refused in words, also to who sees it from above', (_, changes, path) => {
    const { facts, refused } = update(created(), changes, 'indus')
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, extra: { errors: [{ path }] } })
    expect(refused?.message).toContain('This is a schedule of punjab')
    expect(create(changes, 'indus').refused).toMatchObject({ status: 422 })
    expect(update(created(), { interval: 'Weekly' }, 'indus').facts).toHaveLength(1)
  })

  test('goes on with what is left; that may not be taken away, and others must be there', () => {
    const past = afterwards([RETIRED], { groups: ['punjab'], vehicles: [LAHORE, WAREHOUSE] })
    const groups = ['punjab']
    expect(update(past, { groups, vehicles: [LAHORE, WAREHOUSE] })).toMatchObject(
      has({ vehicles: [WAREHOUSE] }),
    )
    expect(update(past, { groups, vehicles: [] }).refused).toMatchObject({ status: 422 })
    expect(update(past, { groups: [], vehicles: [WAREHOUSE] }).refused).toMatchObject({ status: 422 })
    expect(update(past, { groups, vehicles: [WAREHOUSE, TOP] })).toEqual(NOT_FOUND)
    expect(update(afterwards([RETIRED], { allVehicles: true }), {})).toEqual(NOT_FOUND)
    expect(update(created({ allGroups: true }), { groups: [] }).refused).toMatchObject({ status: 422 })
  })

  test('deletes it once', () => {
    const past = created()
    expect(remove(past, 'punjab')).toEqual({
      facts: [{ ...origin, type: 'schedule.deleted', data: { scheduleId: 's1' } }],
    })
    past.store(remove(past, 'punjab'))
    expect(remove(past, 'punjab')).toEqual(NOT_FOUND)
  })

  test.each(['sindh', 'lahore', 'karakoram'])('is not found from %s', (scope) => {
    expect(update(created(), {}, scope)).toEqual(NOT_FOUND)
    expect(remove(created(), scope)).toEqual(NOT_FOUND)
  })
})

describe('running a schedule', () => {
  const run = (
    past: ReturnType<typeof given>,
    { from = 0, to = 100, reportIds = ['r1', 'r2', 'r3'] } = {},
  ): Decision =>
    past.when<CommandOf<'schedule.run'>>(runSchedule, {
      type: 'schedule.run',
      at: 9,
      by: null,
      data: { scheduleId: 's1', from, to, reportIds, upTo: 30 },
    })
  const requestsOf = ({ facts }: Decision) =>
    facts.flatMap((fact) => (fact.type === 'report.requested' ? [fact.data] : []))
  const thingsOf = (decision: Decision) => requestsOf(decision)[0]?.things.toSorted()
  const moved = (imei: string, groupId: string): NewFact => ({
    ...origin,
    type: 'device.updated',
    data: { imei, groupId },
  })

  test('requests a report of each type over its vehicles, with what the type needs', () => {
    const reportTypes = ['POWER_REPORT', 'OverSpeedingVehiclesReport', 'vehicleTravelReport']
    const travel = { vehicleTravelDistance: 5, startTime: '08:00', endTime: '18:00' }
    const decision = run(created({ reportTypes, speed: 90, ...travel }))
    const from = { at: 9, companyId: 'indus' }
    expect(decision.facts[0]).toEqual({
      ...from,
      type: 'schedule.ran',
      data: { scheduleId: 's1', from: 0, to: 100, reportIds: ['r1', 'r2', 'r3'] },
    })
    const common = {
      ...{ groupId: 'punjab', things: [LAHORE], groups: [], from: 0, to: 100, types: null },
      ...{ minDistance: null, requestedBy: 'Schedule', scheduleId: 's1', upTo: 30 },
    }
    expect(requestsOf(decision)).toEqual([
      { ...common, reportId: 'r1', kind: 'power', title: 'Power Report' },
      { ...common, reportId: 'r2', kind: 'speeding', title: 'Over-speeding Vehicles Report', speed: 90 },
      {
        ...common,
        ...{ reportId: 'r3', kind: 'travel', title: 'Vehicle Travel Report' },
        ...{ minDistance: 5, startTime: '08:00', endTime: '18:00' },
      },
    ])
  })

  test('of all vehicles takes those of its groups as they are now, and no warehouse', () => {
    const all = created({ allGroups: true, allVehicles: true })
    expect(thingsOf(run(all))).toEqual([LAHORE])
    all.store({ facts: [moved(TOP, 'punjab')] })
    expect(thingsOf(run(all))).toEqual([TOP, LAHORE])
    expect(all.directory.numbers.has(WAREHOUSE)).toBe(true)
    expect(thingsOf(run(created({ groups: ['lahore'], allVehicles: true })))).toEqual([LAHORE])
  })

  test('never takes more since its group was deleted: of all groups it has none, of vehicles picked those', () => {
    const deleted: NewFact[] = [
      { ...origin, type: 'group.updated', data: { groupId: 'lahore', parentId: 'indus' } },
      { ...origin, type: 'group.deleted', data: { groupId: 'punjab' } },
    ]
    const all = created({ allGroups: true, allVehicles: true })
    const picked = created({ allGroups: true })
    for (const past of [all, picked]) past.store({ facts: deleted })
    expect(requestsOf(run(all))).toEqual([])
    expect(thingsOf(run(picked))).toEqual([LAHORE])
    expect(update(all, { groups: [], allVehicles: true, interval: 'Weekly' }, 'indus').facts).toHaveLength(1)
    all.store(update(all, { allGroups: true, allVehicles: true }, 'indus'))
    expect(thingsOf(run(all))).toEqual([TOP, LAHORE])
  })

  test('leaves out a vehicle that was moved elsewhere; with none left no report is requested', () => {
    const past = created()
    past.store({ facts: [moved(LAHORE, 'sindh')] })
    const { facts } = run(past)
    expect(facts).toMatchObject([{ type: 'schedule.ran', data: { reportIds: [] } }])
  })

  test('requests nothing for a company that is suspended', () => {
    const past = created()
    past.store({ facts: [{ ...origin, type: 'company.suspended', data: { companyId: 'indus' } }] })
    expect(run(past).facts).toMatchObject([{ type: 'schedule.ran', data: { reportIds: [] } }])
  })

  test('of one there is not is nothing', () => {
    expect(run(given(...COMPANIES))).toEqual(NOTHING)
  })

  test('no period is run twice, whoever comes how often', () => {
    const periods = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 50 })), { maxLength: 20 })
    fc.assert(
      fc.property(periods, (spans) => {
        const past = created()
        const ends: number[] = []
        for (const [from, length] of spans) {
          const decision = run(past, { from, to: from + length })
          for (const fact of decision.facts) if (fact.type === 'schedule.ran') ends.push(fact.data.to)
          past.store(decision)
          expect(run(past, { from, to: from + length })).toEqual(NOTHING)
        }
        expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b))
        expect(ranTo(past.directory)).toBe(Math.max(9, ...spans.map(([from, length]) => from + length)))
      }),
    )
  })
})

const ranTo = ({ schedules }: Directory) => schedules.get('s1')?.ranTo
