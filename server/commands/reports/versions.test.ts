import { expect, test } from 'vitest'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { FILE_KEPT_MS } from '#machines/projections/reports.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { MOST_WAITING } from './request-report.ts'
import { makeVersion, OUTDATED_EVERY, outdateReport } from './versions.ts'

const NOW = Date.parse('2026-11-21T09:00:00Z')
const origin = { at: NOW, companyId: 'indus' }
const NOTHING: Decision = { facts: [] }

const wanted = {
  ...{
    groupId: 'punjab',
    kind: 'speeding' as const,
    title: 'Over-speeding Report',
    things: ['350000000000002'],
  },
  ...{ groups: ['lahore'], from: NOW - 9, to: NOW, types: null, minDistance: null, speed: 80 },
}
const requested = (reportId: string, more = {}): NewFact => ({
  ...origin,
  by: 'u2',
  type: 'report.requested',
  data: { ...wanted, reportId, requestedBy: 'danish Malik', scheduleId: 's-1', upTo: 30, ...more },
})
const file = { fileName: 'a.xlsx', contentType: 'a/b', bytes: 3, sha256: 'ab' }
const made = (reportId: string): NewFact[] => [
  { ...origin, type: 'report.started', data: { reportId } },
  { ...origin, type: 'report.completed', data: { reportId, files: [file] } },
]
const outdated = (reportId: string, readings: number, upTo: number, at = NOW): NewFact => ({
  ...origin,
  at,
  type: 'report.outdated',
  data: { reportId, readings, upTo },
})
const REPORT = [...twoCompanies, requested('r1'), ...made('r1')]

const outdate = (facts: NewFact[], data = {}, at = NOW): Decision =>
  given(...facts).when(outdateReport, {
    ...{ type: 'report.outdate', at, by: null },
    data: { reportId: 'r1', readings: 7, upTo: 40, ...data },
  } as CommandOf<'report.outdate'>)
const make = (facts: NewFact[], topId = 'indus', ofId = 'r1'): Decision =>
  given(...facts).when(
    (directory, command: CommandOf<'report.make-version'>) => makeVersion(directory, command, topId),
    { type: 'report.make-version', at: NOW, by: 'u1', data: { reportId: 'r2', ofId, upTo: 50 } },
  )

test('a report that lacks readings is outdated by so many', () => {
  expect(outdate(REPORT)).toEqual({ facts: [outdated('r1', 7, 40)] })
})

test('more of them are added to those that were told, 15 minutes later at the earliest', () => {
  const past = [...REPORT, outdated('r1', 7, 40)]
  const more = { readings: 2, upTo: 60 }
  expect(outdate(past, more, NOW + OUTDATED_EVERY - 1)).toEqual(NOTHING)
  expect(outdate(past, more, NOW + OUTDATED_EVERY).facts).toEqual([
    outdated('r1', 9, 60, NOW + OUTDATED_EVERY),
  ])
})

test.each<[string, Decision]>([
  ['of no readings', outdate(REPORT, { readings: 0 })],
  ['of what it is made of', outdate(REPORT, { upTo: 30 })],
  ['of what was told', outdate([...REPORT, outdated('r1', 7, 40, 0)])],
  ['of a report nobody asked for', outdate(twoCompanies)],
  ['of one that is not made yet', outdate([...twoCompanies, requested('r1')])],
  ['of one whose files are gone', outdate(REPORT, {}, NOW + FILE_KEPT_MS)],
  [
    'of one there is a newer version of',
    outdate([...REPORT, requested('r2', { version: 2, firstId: 'r1' })]),
  ],
])('%s nothing is said', (_, decision) => expect(decision).toEqual(NOTHING))

test('the next version is the same request, of what the log holds now, by who asks for it', () => {
  const { speed: _, ...data } = { ...wanted, reportId: 'r2', requestedBy: 'ayesha Malik', scheduleId: 's-1' }
  expect(make([...REPORT, outdated('r1', 7, 40)])).toEqual({
    facts: [
      {
        ...{ ...origin, by: 'u1', type: 'report.requested' },
        data: { ...data, speed: 80, upTo: 50, version: 2, firstId: 'r1' },
      },
    ],
  })
})

test('a third version is one of the first report too', () => {
  const second = [requested('r2', { version: 2, firstId: 'r1' }), ...made('r2'), outdated('r2', 1, 60)]
  const facts = [...REPORT, outdated('r1', 7, 40), ...second]
  expect(
    given(...facts).when(
      (directory, command: CommandOf<'report.make-version'>) => makeVersion(directory, command, 'indus'),
      { type: 'report.make-version', at: NOW, by: 'u1', data: { reportId: 'r3', ofId: 'r2', upTo: 70 } },
    ).facts[0]?.data,
  ).toMatchObject({ reportId: 'r3', version: 3, firstId: 'r1' })
})

test('asked for twice it is made once', () =>
  expect(make([...REPORT, outdated('r1', 7, 40), requested('r9', { version: 2, firstId: 'r1' })])).toEqual(
    NOTHING,
  ))

test('one that was cancelled is no version of it: the next is asked for anew', () => {
  const cancelled: NewFact = {
    ...origin,
    type: 'report.cancelled',
    data: { reportId: 'r9', cancelledBy: 'danish Malik' },
  }
  const facts = [...REPORT, outdated('r1', 7, 40), requested('r9', { version: 2, firstId: 'r1' }), cancelled]
  expect(make(facts).facts[0]?.data).toMatchObject({ reportId: 'r2', version: 2, firstId: 'r1' })
  expect(outdate(facts, { upTo: 60 }, NOW + OUTDATED_EVERY).facts).toHaveLength(1)
})

test('a version of a report that holds all there is, is refused', () =>
  expect(make(REPORT).refused?.status).toBe(409))

test.each([
  ['above the one who asks', [...REPORT, outdated('r1', 7, 40)], 'lahore', 'r1'],
  ['of another company', [...REPORT, outdated('r1', 7, 40)], 'karakoram', 'r1'],
  ['nobody asked for', REPORT, 'indus', 'r7'],
])('a report %s is not found', (_, facts, topId, ofId) =>
  expect(make(facts, topId, ofId).refused?.status).toBe(404),
)

test('a company has as many reports waiting as otherwise, and no more', () => {
  const waiting = Array.from({ length: MOST_WAITING }, (_, i) => requested(`w${i}`))
  expect(make([...REPORT, outdated('r1', 7, 40), ...waiting]).refused?.status).toBe(429)
})
