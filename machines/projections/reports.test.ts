import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from './directory.ts'
import { FILE_KEPT_MS, hasFiles, inLine } from './reports.ts'

const origin = { at: 1000, companyId: 'indus' }

/** The directory after these facts, numbered from 1. */
function folded(...facts: NewFact[]): Directory {
  const directory = emptyDirectory()
  facts.forEach((fact, i) => {
    evolve(directory, { ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at } as Fact)
  })
  return directory
}

const group = (groupId: string, parentId: string | null): NewFact => ({
  ...origin,
  type: 'group.created',
  data: {
    ...{ groupId, companyId: 'indus', parentId, name: groupId, description: '' },
    ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
    ...{ lowHumidityThreshold: 20, highHumidityThreshold: 80 },
  },
})
const device = (imei: string, no: number): NewFact =>
  ({
    ...origin,
    type: 'device.registered',
    data: { imei, no, companyId: 'indus', groupId: 'punjab' },
  }) as unknown as NewFact
const requested = (reportId: string, groupId = 'punjab'): NewFact => ({
  ...origin,
  type: 'report.requested',
  by: 'u1',
  data: {
    ...{ reportId, groupId, kind: 'power', title: 'Power Report', things: [], groups: [groupId] },
    ...{
      from: 0,
      to: 1000,
      types: null,
      minDistance: null,
      requestedBy: 'Ayesha',
      scheduleId: null,
      upTo: 3,
    },
  },
})
const started = (reportId: string): NewFact => ({ ...origin, type: 'report.started', data: { reportId } })
const failed = (reportId: string): NewFact => ({
  ...origin,
  type: 'report.failed',
  data: { reportId, reason: 'The disk is full' },
})
const retried = (reportId: string): NewFact => ({
  ...origin,
  type: 'report.retried',
  data: { reportId, upTo: 9 },
})
const cancelled = (reportId: string, at = 1000): NewFact => ({
  ...origin,
  at,
  type: 'report.cancelled',
  data: { reportId, cancelledBy: 'Ayesha' },
})
const files = [{ fileName: 'a.xlsx', contentType: 'a/b', bytes: 3, sha256: 'ab' }]
const completed = (reportId: string): NewFact => ({
  ...origin,
  type: 'report.completed',
  data: { reportId, files },
})

describe('a report', () => {
  test('waits, is made and has its files for ninety days', () => {
    expect(folded(requested('r1')).reports.get('r1')).toMatchObject({
      ...{ status: 'requested', by: 'u1', companyId: 'indus', requestedAt: 1000, queued: 1, files: [] },
    })
    expect(folded(requested('r1'), started('r1')).reports.get('r1')?.status).toBe('pending')
    const report = folded(requested('r1'), started('r1'), completed('r1')).reports.get('r1')
    expect(report).toMatchObject({ status: 'completed', files, completedAt: 1000 })
    if (report === undefined) return
    expect([0, FILE_KEPT_MS - 1, FILE_KEPT_MS].map((later) => hasFiles(report, 1000 + later))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('that failed says why, until somebody retries: then it waits behind those there are', () => {
    const facts = [requested('r1'), requested('r2'), started('r1'), failed('r1')]
    expect(folded(...facts).reports.get('r1')).toMatchObject({ status: 'failed', reason: 'The disk is full' })
    const { reports } = folded(...facts, retried('r1'))
    expect(reports.get('r1')).toMatchObject({ status: 'requested', reason: null, upTo: 9 })
    expect(inLine(reports, 1000).map(({ reportId }) => reportId)).toEqual(['r2', 'r1'])
  })

  test('that is cancelled says by whom and waits no more; what was made of it counts as time spent', () => {
    const waited = folded(requested('r1'), requested('r2'), cancelled('r1', 5000)).reports
    expect(waited.get('r1')).toMatchObject({ status: 'cancelled', cancelledBy: 'Ayesha', took: 0 })
    expect(inLine(waited, 5000).map(({ reportId }) => reportId)).toEqual(['r2'])
    const begun = folded(requested('r1'), started('r1'), cancelled('r1', 5000)).reports.get('r1')
    expect(begun).toMatchObject({ status: 'cancelled', took: 4000, endedAt: 5000 })
  })

  test('that is being made is first in line; what is finished is not in it', () => {
    const { reports } = folded(
      ...[requested('r1'), requested('r2'), requested('r3'), requested('r4')],
      ...[started('r2'), completed('r2'), started('r4')],
    )
    expect(inLine(reports, 1000).map(({ reportId }) => reportId)).toEqual(['r4', 'r1', 'r3'])
  })
})

describe('whose turn it is', () => {
  const MINUTE = 60_000
  const MONTH = 31 * 86_400_000
  type Wish = { id: string; company?: string; by?: string; range?: number; at?: number }
  const wished = ({ id, company = 'indus', by = 'u1', range = 1000, at = 0 }: Wish): NewFact => {
    const fact = requested(id)
    return { ...fact, at, companyId: company, by, data: { ...fact.data, to: range } } as NewFact
  }
  const made = (reportId: string, at: number, ms: number): NewFact[] => [
    { ...origin, at, type: 'report.started', data: { reportId } },
    { ...origin, at: at + ms, type: 'report.completed', data: { reportId, files } },
  ]
  const line = (now: number, ...facts: NewFact[]) =>
    inLine(folded(...facts).reports, now).map(({ reportId }) => reportId)

  test('companies take turns, and people in them', () => {
    const [a, b, c] = [
      ['a1', 'a2', 'a3'].map((id) => wished({ id })),
      ['b1', 'b2'].map((id) => wished({ id, by: 'u2' })),
      ['c1', 'c2'].map((id) => wished({ id, company: 'karakoram', by: 'u3' })),
    ]
    expect(line(0, ...a, ...b, ...c)).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'b2', 'a3'])
  })

  test('a small one of a company is not behind sixty month-long ones of another', () => {
    const many = Array.from({ length: 60 }, (_, i) => wished({ id: `a${i}`, range: MONTH }))
    const small = wished({ id: 'small', company: 'karakoram' })
    expect(line(0, ...many, small)[0]).toBe('small')
    expect(line(0, ...many, started('a7'), small).slice(0, 2)).toEqual(['a7', 'small'])
  })

  test('a large one is not behind small ones for ever', () => {
    const large = wished({ id: 'large', range: MONTH })
    const small = wished({ id: 'small', company: 'karakoram', at: 5 * MINUTE })
    expect(line(9 * MINUTE, large, small)).toEqual(['small', 'large'])
    expect(line(10 * MINUTE, large, small)).toEqual(['large', 'small'])
  })

  test('the company for which less time was spent in the last hour comes first', () => {
    const facts = [
      ...[wished({ id: 'a0' }), wished({ id: 'c0', company: 'karakoram' })],
      ...[...made('a0', 0, 50_000), ...made('c0', 50_000, 20_000)],
      ...[wished({ id: 'a1' }), wished({ id: 'c1', company: 'karakoram' })],
    ]
    expect(line(MINUTE * 2, ...facts)).toEqual(['c1', 'a1'])
    expect(line(MINUTE * 90, ...facts)).toEqual(['a1', 'c1'])
  })

  test('nobody is left out: all that waits is in line once', () => {
    const wish = fc.record({
      company: fc.constantFrom('indus', 'karakoram', 'thar'),
      by: fc.constantFrom('u1', 'u2'),
      range: fc.constantFrom(1000, MONTH),
      at: fc.nat(20 * MINUTE),
    })
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), fc.nat(30 * MINUTE), (wishes, now) => {
        const facts = wishes.map((each, i) => wished({ ...each, id: `r${i}` }))
        expect(line(now, ...facts).sort()).toEqual(wishes.map((_, i) => `r${i}`).sort())
      }),
    )
  })
})

const schedule: NewFact = {
  ...origin,
  type: 'schedule.created',
  data: {
    ...{
      scheduleId: 's1',
      groupId: 'punjab',
      groups: ['punjab'],
      vehicles: [],
      interval: 'Daily',
      speed: 80,
    },
    ...{ emails: ['a@indus.example'], reportTypes: ['POWER_REPORT'] },
  },
}
const ran = (to: number): NewFact => ({
  ...origin,
  type: 'schedule.ran',
  data: { scheduleId: 's1', from: 0, to, reportIds: [] },
})
const updated = (interval: 'Daily' | 'Weekly', at: number): NewFact => ({
  ...origin,
  at,
  type: 'schedule.updated',
  data: {
    ...{ scheduleId: 's1', groups: ['punjab'], vehicles: [], interval },
    ...{ emails: ['b@indus.example'], reportTypes: ['POWER_REPORT'] },
  },
})

describe('a schedule', () => {
  const of = (...facts: NewFact[]) => folded(...facts).schedules.get('s1')

  test('remembers up to where it was run', () => {
    expect(of(schedule)?.ranTo).toBe(1000)
    expect(of(schedule, ran(5000), ran(3000))?.ranTo).toBe(5000)
  })

  test('that is changed is as it is now; another interval begins with the change', () => {
    expect(of(schedule, ran(5000), updated('Daily', 7000))).toMatchObject({
      ...{ emails: ['b@indus.example'], ranTo: 5000, groupId: 'punjab', createdAt: 1000 },
    })
    expect(of(schedule, ran(5000), updated('Daily', 7000))).not.toHaveProperty('speed')
    expect(of(schedule, ran(5000), updated('Weekly', 7000))?.ranTo).toBe(7000)
  })

  test('that is deleted is gone', () =>
    expect(of(schedule, { ...origin, type: 'schedule.deleted', data: { scheduleId: 's1' } })).toBeUndefined())
})

test('reports of a schedule, and versions of one, keep one list of the devices they are all of', () => {
  const of = (reportId: string, things: string[], more: object = { scheduleId: 's1' }): NewFact => {
    const fact = requested(reportId) as NewFact & { data: object }
    return { ...fact, data: { ...fact.data, things, ...more } } as NewFact
  }
  const { reports, newestReports } = folded(
    ...[schedule, device('1', 0), device('2', 1)],
    ...[of('r1', ['1', '2']), of('r2', ['1', '2']), of('r3', ['1']), of('r4', ['1', '2'])],
    of('r5', ['1', '2'], { scheduleId: null, firstId: 'r1' }),
    { ...origin, type: 'schedule.deleted', data: { scheduleId: 's1' } },
  )
  const [r1, r2, r3, r4, r5] = [...reports.values()].map(({ things, devices }) => ({ things, devices }))
  expect([r1, r3, r4]).toEqual([
    { things: ['1', '2'], devices: [0, 1] },
    { things: ['1'], devices: [0] },
    { things: ['1', '2'], devices: [0, 1] },
  ])
  for (const same of [r2, r5]) {
    expect(same?.things).toBe(r1?.things)
    expect(same?.devices).toBe(r1?.devices)
  }
  expect(newestReports.size).toBe(0)
})

test('reports that are picked by hand keep one list of the devices that several are of', () => {
  const of = (reportId: string, things: string[], companyId = 'indus'): NewFact => {
    const fact = requested(reportId) as NewFact & { data: object }
    return { ...fact, companyId, data: { ...fact.data, things, scheduleId: null } } as NewFact
  }
  const { reports } = folded(
    ...[device('1', 0), device('2', 1)],
    ...[of('r1', ['1', '2']), of('r2', ['1']), of('r3', ['1', '2']), of('r4', ['2', '1'])],
    of('r5', ['2', '1'], 'karakoram'),
  )
  const [r1, r2, r3, r4, r5] = [...reports.values()].map(({ things, devices }) => ({ things, devices }))
  expect([r3?.things, r3?.devices]).toEqual([
    ['1', '2'],
    [0, 1],
  ])
  expect(r3?.things).toBe(r1?.things)
  expect(r3?.devices).toBe(r1?.devices)
  expect([r2, r4]).toEqual([
    { things: ['1'], devices: [0] },
    { things: ['2', '1'], devices: [1, 0] },
  ])
  expect(r5?.things).not.toBe(r4?.things)
})

test('what belongs to a deleted group belongs to the group above', () => {
  const { reports, schedules } = folded(
    ...[group('indus', null), group('punjab', 'indus'), requested('r1'), schedule],
    { ...origin, type: 'group.deleted', data: { groupId: 'punjab' } },
  )
  expect([reports.get('r1')?.groupId, schedules.get('s1')?.groupId]).toEqual(['indus', 'indus'])
})
