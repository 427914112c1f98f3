import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import type { MadeFile } from '#machines/contracts/entities/reports.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { MOST_A_DAY, MOST_NAMED_A_DAY, MOST_WAITING, requestReport, sameAs } from './request-report.ts'
import { cancelReport, completeReport, failReport, retryReport, startReport } from './work-on-report.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-21T09:00:00Z')
const LAHORE = '350000000000002'
const KARAKORAM = '350000000000004'
/** Somebody of Indus has set a password: its domain is theirs. */
const COMPANIES: NewFact[] = [
  ...twoCompanies,
  { type: 'user.password-set', at: 0, companyId: 'indus', data: { userId: 'u1', hash: '$argon2id$' } },
]
const NOTHING: Decision = { facts: [] }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const NOT_FAILED = {
  facts: [],
  refused: { status: 409, message: 'Only a report that failed can be made again' },
}
const origin = { at: NOW, companyId: 'indus' }
type Past = ReturnType<typeof given>

const requested: CommandData<'report.request'> = {
  ...{ reportId: 'r1', groupId: 'punjab', reportType: 'powerReport', things: [LAHORE], groups: ['lahore'] },
  ...{ from: NOW - 5 * HOUR, to: NOW - HOUR, types: null, minDistance: null, geofences: [], upTo: 30 },
}
const command = (
  changes: Partial<CommandData<'report.request'>> = {},
  { at = NOW, by = 'u2' } = {},
): CommandOf<'report.request'> => ({ type: 'report.request', at, by, data: { ...requested, ...changes } })

const request = (past: Past, wanted: CommandOf<'report.request'>, scope = 'punjab') =>
  past.when((directory, it: CommandOf<'report.request'>) => requestReport(directory, it, scope), wanted)
const recorded: FactData<'report.requested'> = {
  ...{ reportId: 'r1', groupId: 'punjab', kind: 'power', title: 'Power Report', things: [], groups: [] },
  ...{ from: NOW - 5 * HOUR, to: NOW - HOUR, types: null, minDistance: null },
  ...{ requestedBy: 'Danish Malik', scheduleId: null, upTo: 30 },
}
const inLine = () => {
  const past = given(...COMPANIES)
  past.store(request(past, command()))
  return past
}

describe('requesting a report', () => {
  const when = (changes: Partial<CommandData<'report.request'>>) =>
    request(given(...COMPANIES), command(changes))

  test('puts it in line, with the name of who wants it and each device and group once', () => {
    expect(when({ things: [LAHORE, LAHORE], groups: ['lahore', 'lahore'] })).toEqual({
      facts: [
        {
          ...{ ...origin, by: 'u2', type: 'report.requested' },
          data: {
            ...{ reportId: 'r1', groupId: 'punjab', kind: 'power', title: 'Power Report' },
            ...{ things: [LAHORE], groups: ['lahore'], types: null, minDistance: null },
            // both ends of a range are part of it
            ...{ from: NOW - 5 * HOUR, to: NOW - HOUR + 1 },
            ...{ requestedBy: 'danish Malik', scheduleId: null, upTo: 30 },
          },
        },
      ],
    })
  })

  test('of violations has each type once, and sent again with one twice it is the same', () => {
    const past = given(...COMPANIES)
    const [LOW, HIGH] = ['LOW_TEMPERATURE_DETECTED', 'HIGH_TEMPERATURE_DETECTED'] as const
    const wanted = command({ reportType: 'eventReport', types: [LOW, HIGH, LOW] })
    const decision = request(past, wanted)
    expect(decision.facts[0]?.data).toMatchObject({ types: [LOW, HIGH] })
    past.store(decision)
    expect(sameAs(past.directory, wanted)?.reportId).toBe('r1')
  })

  test('a proof is of one device', () => {
    const proof = { reportType: 'proofReport', groups: [] }
    expect(when({ ...proof, things: [LAHORE, LAHORE] }).facts).toHaveLength(1)
    for (const more of [{ groups: ['lahore'] }, { things: [LAHORE, '350000000000001'] }])
      expect(when({ ...proof, ...more })).toMatchObject({
        facts: [],
        refused: { status: 422, extra: { path: 'things' } },
      })
  })

  test('by somebody of long names has as much of them as the record takes', () => {
    const [firstName, lastName] = ['A'.repeat(100), 'B'.repeat(100)]
    const named: NewFact = { ...origin, type: 'user.updated', data: { userId: 'u2', firstName, lastName } }
    const { facts } = request(given(...COMPANIES, named), command())
    expect(facts[0]?.data).toMatchObject({ requestedBy: `${firstName} ${'B'.repeat(98)}…` })
  })

  test('of a range that is not over ends now', () => {
    expect(when({ to: NOW + HOUR }).facts[0]?.data).toMatchObject({ to: NOW })
  })

  test('of a travel or a speed takes the standard where none is given', () => {
    expect(when({ reportType: 'vehicleTravelReport' }).facts[0]?.data).toMatchObject({ minDistance: 25 })
    expect(when({ reportType: 'OverSpeedingVehiclesReport' }).facts[0]?.data).toHaveProperty('speed')
    expect(when({}).facts[0]?.data).not.toHaveProperty('speed')
  })

  test.each([
    ['nothing picked', { things: [], groups: [] }, 'things'],
    ['a range that is to come', { from: NOW + 1, to: NOW + HOUR }, 'from'],
    ['a range of more than a month', { from: NOW - 40 * 24 * HOUR }, 'to'],
    ['a type that cannot be made', { reportType: 'GeoFenceReport' }, 'reportType'],
  ])('with %s is refused at its field', (_, changes, path) => {
    const { facts, refused } = when(changes)
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, extra: { path } })
  })

  test.each([
    ['in the log of a group above', { groupId: 'indus' }],
    ['in the log of a group nobody has', { groupId: 'nowhere' }],
    ['of a sister group', { groups: ['sindh'] }],
    ['of a device of another company', { things: [LAHORE, KARAKORAM] }],
    ['of a device nobody has', { things: ['359999999999999'] }],
  ])('%s is not found from punjab', (_, changes) => {
    expect(when(changes)).toEqual(NOT_FOUND)
  })
})

describe('requesting the same report again', () => {
  const again = command({ reportId: 'r2' }, { at: NOW + 10_000 })
  const start: NewFact = { ...origin, type: 'report.started', data: { reportId: 'r1' } }

  test('within ten seconds answers the one in line', () => {
    const past = inLine()
    expect(request(past, again)).toEqual(NOTHING)
    expect(sameAs(past.directory, again)?.reportId).toBe('r1')
    past.store({ facts: [start] })
    expect(request(past, again)).toEqual(NOTHING)
  })

  test.each([
    ['later', command({ reportId: 'r2' }, { at: NOW + 10_001 })],
    ['by somebody else', command({ reportId: 'r2' }, { by: 'u1' })],
    ['of another range', command({ reportId: 'r2', to: NOW - HOUR - 1 })],
    ['of other devices', command({ reportId: 'r2', things: [] })],
    ['of another type', command({ reportId: 'r2', reportType: 'distanceReport' })],
  ])('%s makes another', (_, wanted) => {
    expect(request(inLine(), wanted).facts).toHaveLength(1)
  })

  test('when it is made, or has failed, makes another', () => {
    for (const end of [complete(), fail()]) {
      const past = inLine()
      past.store({ facts: [start] })
      past.store(end(past))
      expect(request(past, again).facts).toHaveLength(1)
    }
  })
})

test('a company has a hundred reports waiting, and no more; another still may', () => {
  const past = inLine()
  for (let i = 2; i <= MOST_WAITING; i++)
    past.store(request(past, command({ reportId: `r${i}`, from: NOW - (5 + i) * HOUR })))
  const refused = request(past, command({ reportId: 'late', from: NOW - 500 * HOUR }))
  expect(refused).toMatchObject({ facts: [], refused: { status: 429 } })
  expect(refused.refused?.message).toContain('100 reports of your company wait')
  past.store(start('r7')(past))
  past.store(complete('r7')(past))
  expect(request(past, command({ reportId: 'late', from: NOW - 500 * HOUR })).facts).toHaveLength(1)
})

test('people of a company request so many within 24 hours, whatever became of them; another company still may', () => {
  const past = inLine()
  for (let i = 2; i <= MOST_A_DAY; i++) {
    past.store(request(past, command({ reportId: `r${i}`, from: NOW - 5 * HOUR - i * 1000 })))
    past.store(cancel('punjab', `r${i}`)(past))
  }
  const next = (at: number) => request(past, command({ reportId: 'late', from: NOW - 400 * HOUR }, { at }))
  expect(next(NOW + HOUR)).toMatchObject({ facts: [], refused: { status: 429 } })
  expect(next(NOW + HOUR).refused?.message).toContain('requested 1,000 reports within 24 hours')
  const theirs = { groupId: 'karakoram', things: [KARAKORAM], groups: [] }
  expect(
    request(past, command({ reportId: 'theirs', ...theirs }, { by: 'u3' }), 'karakoram').facts,
  ).toHaveLength(1)
  expect(next(NOW + 24 * HOUR).facts).toHaveLength(1)
})

test('people of a company name so many devices one by one within 24 hours, and groups without end', () => {
  const past = inLine()
  const things = Array.from({ length: MOST_NAMED_A_DAY - 1 }, () => LAHORE)
  past.store({
    facts: [
      { ...origin, by: 'u2', type: 'report.requested', data: { ...recorded, reportId: 'large', things } },
    ],
  })
  const next = (things: string[], at = NOW + HOUR) =>
    request(past, command({ reportId: 'late', things, from: NOW - 400 * HOUR }, { at }))
  expect(next([LAHORE])).toMatchObject({ facts: [], refused: { status: 429 } })
  expect(next([LAHORE]).refused?.message).toContain('named 1,000,000 devices one by one')
  expect(next([]).facts).toHaveLength(1)
  expect(next([LAHORE], NOW + 24 * HOUR).facts).toHaveLength(1)
})

test('one that failed is not made again while a hundred wait', () => {
  const past = inLine()
  past.store(start()(past))
  past.store(fail()(past))
  for (let i = 2; i <= MOST_WAITING; i++)
    past.store(request(past, command({ reportId: `r${i}`, from: NOW - (5 + i) * HOUR })))
  expect(retry()(past).facts).toHaveLength(1)
  past.store(request(past, command({ reportId: 'last', from: NOW - 500 * HOUR })))
  expect(retry()(past)).toMatchObject({ facts: [], refused: { status: 429 } })
})

const FILES: MadeFile[] = [{ fileName: 'Power.xlsx', contentType: 'text/plain', bytes: 1, sha256: 'a' }]
const start =
  (reportId = 'r1') =>
  (past: Past) =>
    past.when<CommandOf<'report.start'>>(startReport, {
      ...{ type: 'report.start', at: NOW, by: null, data: { reportId } },
    })
const complete =
  (reportId = 'r1') =>
  (past: Past) =>
    past.when<CommandOf<'report.complete'>>(completeReport, {
      ...{ type: 'report.complete', at: NOW, by: null, data: { reportId, files: FILES } },
    })
const fail =
  (reportId = 'r1', reason = 'The disk is full') =>
  (past: Past) =>
    past.when<CommandOf<'report.fail'>>(failReport, {
      ...{ type: 'report.fail', at: NOW, by: null, data: { reportId, reason } },
    })
const retry =
  (scope = 'punjab', reportId = 'r1') =>
  (past: Past) =>
    past.when((directory, it: CommandOf<'report.retry'>) => retryReport(directory, it, scope), {
      ...{ type: 'report.retry', at: NOW, by: 'u2', data: { reportId, upTo: 50 } },
    })

const cancel =
  (scope = 'punjab', reportId = 'r1') =>
  (past: Past) =>
    past.when((directory, it: CommandOf<'report.cancel'>) => cancelReport(directory, it, scope), {
      ...{ type: 'report.cancel', at: NOW, by: 'u2', data: { reportId } },
    })

describe('working on a report', () => {
  const started = () => {
    const past = inLine()
    past.store(start()(past))
    return past
  }
  const failed = () => {
    const past = started()
    past.store(fail()(past))
    return past
  }

  test('begins it, and again where it was cut off', () => {
    const fact = { ...origin, type: 'report.started', data: { reportId: 'r1' } }
    expect(start()(inLine())).toEqual({ facts: [fact] })
    expect(start()(started())).toEqual({ facts: [fact] })
  })

  test('completes it with its files', () => {
    expect(complete()(started())).toEqual({
      facts: [
        {
          ...origin,
          type: 'report.completed',
          data: { reportId: 'r1', files: FILES, title: 'Power Report', timeZone: 'Asia/Karachi' },
        },
      ],
    })
  })

  test('of a schedule addresses its file to each, while there is that schedule', () => {
    const schedule: NewFact = {
      ...origin,
      type: 'schedule.created',
      data: {
        ...{ scheduleId: 's1', groupId: 'punjab', groups: ['punjab'], vehicles: [LAHORE], interval: 'Daily' },
        ...{ emails: ['a@indus.example', 'b@indus.example'], reportTypes: ['POWER_REPORT'] },
      },
    }
    const ordered = request(given(...COMPANIES), command()).facts.map(
      (fact) => ({ ...fact, data: { ...fact.data, scheduleId: 's1' } }) as NewFact,
    )
    const past = given(...COMPANIES, schedule, ...ordered)
    past.store(start()(past))
    expect(complete()(past).facts.slice(1)).toEqual(
      ['a@indus.example', 'b@indus.example'].map((to) => ({
        ...{ ...origin, type: 'report.addressed', data: { reportId: 'r1', scheduleId: 's1', to } },
      })),
    )
    past.store({ facts: [{ ...origin, type: 'schedule.deleted', data: { scheduleId: 's1' } }] })
    expect(complete()(past).facts).toHaveLength(1)
  })

  test('that fails says why, and the log keeps it until it is begun anew', () => {
    const past = started()
    expect(fail()(past)).toEqual({
      facts: [{ ...origin, type: 'report.failed', data: { reportId: 'r1', reason: 'The disk is full' } }],
    })
    expect(failed().directory.reports.get('r1')).toMatchObject({
      status: 'failed',
      reason: 'The disk is full',
    })
  })

  test('that failed is made again for who sees its group', () => {
    expect(retry()(failed())).toEqual({
      facts: [{ ...origin, by: 'u2', type: 'report.retried', data: { reportId: 'r1', upTo: 50 } }],
    })
    expect(retry('sindh')(failed())).toEqual(NOT_FOUND)
    expect(retry('punjab', 'r9')(failed())).toEqual(NOT_FOUND)
  })

  test.each([
    ['in line', inLine],
    ['begun', started],
  ])('that is %s cannot be made again', (_, past) => {
    expect(retry()(past())).toEqual(NOT_FAILED)
  })

  const cancelled = () => {
    const past = started()
    past.store(cancel()(past))
    return past
  }
  const completed = () => {
    const past = started()
    past.store(complete()(past))
    return past
  }

  test.each([
    ['in line', inLine],
    ['begun', started],
  ])('that is %s is cancelled by who sees its group, with their name', (_, past) => {
    expect(cancel()(past())).toEqual({
      facts: [
        {
          ...{ ...origin, by: 'u2', type: 'report.cancelled' },
          data: { reportId: 'r1', cancelledBy: 'danish Malik' },
        },
      ],
    })
    expect(cancel('sindh')(past())).toEqual(NOT_FOUND)
    expect(cancel('punjab', 'r9')(past())).toEqual(NOT_FOUND)
  })

  test.each([
    ['completed', completed, 'The report is completed already'],
    ['failed', failed, 'The report has failed already'],
    ['cancelled', cancelled, 'The report was cancelled by danish Malik already'],
  ])('that is %s is not cancelled, and how it ended is said', (_, past, message) => {
    expect(cancel()(past())).toEqual({ facts: [], refused: { status: 409, message } })
  })

  test('that is cancelled is neither begun, completed nor made again, and nobody is mailed', () => {
    for (const step of [start(), complete(), fail()]) expect(step(cancelled()).facts).toEqual([])
    expect(retry()(cancelled())).toEqual(NOT_FAILED)
  })

  test('that there is not is not found', () => {
    for (const step of [start('r9'), fail('r9')]) expect(step(inLine())).toEqual(NOT_FOUND)
    expect(complete('r9')(inLine()).facts).toEqual([])
  })

  test('whatever happens when, it is completed at most once, by who began it, and nothing comes after', () => {
    const steps = fc.array(fc.constantFrom(start(), complete(), fail(), retry(), cancel()), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (taken) => {
        const past = inLine()
        let isBegun = false
        let isOver = false
        for (const step of taken) {
          const { facts } = step(past)
          past.store({ facts })
          expect(facts.length).toBeLessThanOrEqual(isOver ? 0 : 1)
          const type = facts[0]?.type
          const isEnd = type === 'report.completed' || type === 'report.failed'
          if (isEnd) expect(isBegun).toBe(true)
          if (type === 'report.started') isBegun = true
          if (isEnd) isBegun = false
          if (type === 'report.completed' || type === 'report.cancelled') isOver = true
        }
      }),
    )
  })
})
