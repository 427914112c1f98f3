import { expect, test } from 'vitest'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { given } from '../../../commands/testing/given.ts'
import type { Source } from './letter.ts'
import { letterOf } from './letters.ts'

const AT = Date.parse('2026-11-22T00:20:00+05:00')
const DAY = 86_400_000
const MIDNIGHT = Date.parse('2026-11-22T00:00:00+05:00')
const origin = { at: AT, companyId: 'indus' }

const schedule: NewFact = {
  ...origin,
  type: 'schedule.created',
  data: {
    ...{ scheduleId: 's-1', groupId: 'indus', groups: ['indus'], vehicles: ['350000000000000'] },
    ...{ interval: 'Daily', emails: ['ops@indus.example'], reportTypes: ['POWER_REPORT'] },
  },
}
const completed = (bytes: number): NewFact[] => [
  {
    ...origin,
    type: 'report.requested',
    data: {
      ...{ reportId: 'r-1', groupId: 'indus', kind: 'power', title: 'Power Report', groups: [] },
      ...{ things: ['350000000000000'], from: MIDNIGHT - DAY, to: MIDNIGHT, types: null, minDistance: null },
      ...{ requestedBy: 'Schedule', scheduleId: 's-1', upTo: 1 },
    },
  },
  {
    ...origin,
    type: 'report.completed',
    data: { reportId: 'r-1', files: [{ fileName: 'Power.xlsx', contentType: 'a/b', bytes, sha256: '' }] },
  },
]
const addressed = {
  ...origin,
  type: 'report.addressed' as const,
  data: { reportId: 'r-1', scheduleId: 's-1', to: 'ops@indus.example' },
}

function letter(...before: NewFact[]) {
  const { directory } = given(...twoCompanies, ...before)
  const source: Source = {
    directory,
    log: { readFacts: () => [] },
    links: { tokenOf: String, codeOf: String, hashToken: String },
    mailLinks: { to: (company, address) => `/mail/${company}/${address}` },
    reportLinks: { to: (id, n, expires) => `/files/${id}/${n}/${expires}` },
    reportFile: async (id, n) => new TextEncoder().encode(`${id} ${n}`),
    publicUrl: 'https://portal.example',
  }
  return letterOf({ ...addressed, seq: 99, id: 'f99', v: 1, recordedAt: AT } as Fact, source)
}

test('a report comes with its file, and says of what time it is', async () => {
  const written = letter(schedule, ...completed(1000))
  expect(written).toMatchObject({
    to: { address: 'ops@indus.example' },
    unsubscribe: 'https://portal.example/mail/indus/ops@indus.example',
    subject: 'Power Report, 21-11-2026 to 21-11-2026',
    links: ['https://portal.example/scheduleReport', 'https://portal.example/mail/indus/ops@indus.example'],
    isWithdrawn: false,
  })
  expect(written?.text).toContain('from 21-11-2026 00:00 (Asia/Karachi) to 22-11-2026 00:00')
  const [attached] = written?.attachments ?? []
  expect(attached).toMatchObject({ filename: 'Power.xlsx', contentType: 'a/b' })
  expect(new TextDecoder().decode(await attached?.content())).toBe('r-1 0')
})

test('a version made of later readings is told apart from the one before', () => {
  const [requested, made] = completed(1000) as [NewFact, NewFact]
  const again = { ...requested, data: { ...requested.data, version: 2, firstId: 'r-0' } } as NewFact
  const written = letter(schedule, again, made)
  expect(written?.subject).toBe('Power Report, version 2, 21-11-2026 to 21-11-2026')
  expect(written?.text).toContain('readings came in after version 1 was made')
})

test('one too large for a mail comes as a link that is good for a week, the same whenever it is written', () => {
  // as base64 what is attached still fits into the 10,240,000 bytes that many mail servers take
  const most = 7 * 1024 * 1024
  expect(letter(schedule, ...completed(most))?.attachments).toHaveLength(1)
  expect(((most * 4) / 3) * (78 / 76)).toBeLessThan(10_240_000 - 100_000)
  const large = [schedule, ...completed(most + 1)]
  const written = letter(...large)
  expect(written?.attachments).toBeUndefined()
  expect(written?.links[0]).toBe(`https://portal.example/files/r-1/0/${AT + 7 * DAY}`)
  expect(letter(...large)).toEqual(written)
})

test.each<[string, NewFact]>([
  ['deleted', { ...origin, type: 'schedule.deleted', data: { scheduleId: 's-1' } }],
  [
    'for others now',
    {
      ...origin,
      type: 'schedule.updated',
      data: {
        ...{ scheduleId: 's-1', groups: ['indus'], vehicles: ['350000000000000'] },
        ...{ interval: 'Daily', emails: ['night@indus.example'], reportTypes: ['POWER_REPORT'] },
      },
    },
  ],
  ['of a suspended company', { ...origin, type: 'company.suspended', data: { companyId: 'indus' } }],
])('one whose schedule is %s is withdrawn', (_, since) =>
  expect(letter(schedule, ...completed(1000), since)?.isWithdrawn).toBe(true),
)
