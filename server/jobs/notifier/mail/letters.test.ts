import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { anyText } from '#machines/testing/any-text.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { given } from '../../../commands/testing/given.ts'
import { checkFact } from '../../../store/fact-rows.ts'
import { company } from '../../../testing/facts.ts'
import { alerted, exhausted, foundLate, loadOpened } from '../alerts/testing/alerted.ts'
import type { Source } from './letter.ts'
import { letterOf } from './letters.ts'
import { mailChannel } from './mailer.ts'
import { durationInWords, instantInWords } from './time-in-words.ts'
import { outboxTransport } from './transport.ts'

const AT = Date.parse('2026-06-15T04:00:00Z')
const HOUR = 3_600_000

const issued = (purpose: 'activation' | 'password', change = {}): NewFact => ({
  type: 'link.issued',
  at: AT,
  companyId: 'indus',
  data: {
    linkId: 'l-1',
    userId: 'u1',
    purpose,
    tokenHash: 'hash of token-of-l-1',
    codeHash: purpose === 'password' ? 'c' : null,
    expiresAt: AT + (purpose === 'password' ? 1 : 24) * HOUR,
    ...change,
  },
})
const stored = (fact: NewFact): Fact => ({ ...fact, seq: 99, id: 'f99', v: 1, recordedAt: fact.at }) as Fact

const sourceOf = (directory: Source['directory'], log: Source['log'] = { readFacts: () => [] }): Source => ({
  directory,
  links: {
    tokenOf: (linkId) => `token-of-${linkId}`,
    codeOf: () => '042137',
    hashToken: (token) => `hash of ${token}`,
  },
  log,
  reportLinks: { to: (id, n) => `/api/reports/files/${id}?file=${n}` },
  mailLinks: { to: (company, address) => `/mail/${company}/${address}` },
  reportFile: async () => undefined,
  publicUrl: 'https://portal.example',
})

/** The letter of a fact in a server where all these things happened. */
const letter = (fact: NewFact, ...before: NewFact[]) =>
  letterOf(stored(fact), sourceOf(given(...twoCompanies, fact, ...before).directory))

const renamed = (firstName: string): NewFact => ({
  type: 'user.updated',
  at: AT,
  companyId: 'indus',
  data: { userId: 'u1', firstName },
})

test.each(['activation', 'password'] as const)('a printed %s link is mailed to nobody', (purpose) => {
  expect(letter(issued(purpose))).toBeDefined()
  expect(letter(issued(purpose, { isPrinted: true }))).toBeUndefined()
})

describe('activation', () => {
  const written = letter(issued('activation'))

  test('says to whom, where, for how long and in whose time', () => {
    expect(written).toMatchObject({
      to: { name: 'ayesha Malik', address: 'ayesha@indus.example' },
      subject: 'Activate your Frostline account',
      links: ['https://portal.example/user/activate/token-of-l-1'],
      goodUntil: AT + 24 * HOUR,
      isWithdrawn: false,
    })
    for (const part of [
      'Hello ayesha,',
      'at indus.',
      'Your user name is ayesha.',
      'https://portal.example/user/activate/token-of-l-1',
      'for 24 hours: until 16-06-2026 09:00 (Asia/Karachi)',
      'do nothing',
    ])
      expect(written?.text).toContain(part)
    expect(written?.html).toContain('href="https://portal.example/user/activate/token-of-l-1"')
  })

  test('is the same whenever it is written', () => {
    expect(letter(issued('activation'))).toEqual(written)
  })
})

describe('password', () => {
  test('carries link and code, and where to give it', () => {
    const written = letter(issued('password'))
    expect(written?.links).toEqual([
      'https://portal.example/set-password/u1/token-of-l-1',
      'https://portal.example/confirm-code/ayesha',
    ])
    expect(written?.text).toContain('042137')
    expect(written?.html).toContain('042137')
    expect(written?.text).toContain('for 1 hour: until 15-06-2026 10:00 (Asia/Karachi)')
  })

  test('names no code where there is none', () => {
    const written = letter(issued('password', { codeHash: null }))
    expect(written?.text).not.toContain('042137')
    expect(written?.links).toHaveLength(1)
  })
})

describe('every letter', () => {
  test.each(['activation', 'password'] as const)('%s loads nothing from anywhere', (purpose) => {
    const html = letter(issued(purpose))?.html ?? ''
    expect(html).not.toMatch(/<(img|link|script|iframe|style|object)|src=|url\(|@import/i)
    expect(html).toContain('<html lang="en">')
    for (const [, href] of html.matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^https:\/\/portal\.example\//)
  })

  test('shows a name as it is, and as nothing else', () => {
    const written = letter(issued('activation'), renamed(`<a href="https://evil.example">O'Neil & Co</a>`))
    expect(written?.html).not.toContain('<a href="https://evil.example">')
    expect(written?.html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;O&#39;Neil &amp; Co')
  })

  test('keeps a name on its line', () => {
    const written = letter(issued('activation'), renamed('Eve\r\n\r\nPay here:\u2028now'))
    expect(written?.text).toContain('Hello Eve Pay here: now,\n')
  })

  test.each([
    ['used', 'link.used'],
    ['ended', 'link.expired'],
  ] as const)('is withdrawn once its link is %s', (_, type) => {
    const ended: NewFact = { type, at: AT, companyId: 'indus', data: { linkId: 'l-1', userId: 'u1' } }
    expect(letter(issued('password'), ended)?.isWithdrawn).toBe(true)
  })

  test('an activation is withdrawn once there is a password', () => {
    const set: NewFact = {
      type: 'user.password-set',
      at: AT,
      companyId: 'indus',
      data: { userId: 'u1', hash: '$argon2id$' },
    }
    expect(letter(issued('activation'), set)?.isWithdrawn).toBe(true)
    expect(letter(issued('password'), set)?.isWithdrawn).toBe(false)
  })

  test('is written to nobody who is gone', () => {
    const gone: NewFact = { type: 'user.deleted', at: AT, companyId: 'indus', data: { userId: 'u1' } }
    expect(letter(issued('password'), gone)).toBeUndefined()
  })

  test('is not written where the key is another since: its link would open nothing', () => {
    expect(letter(issued('password', { tokenHash: 'of another key' }))).toBeUndefined()
  })

  test('tells of nothing else', () => {
    expect(letter(renamed('Ayesha'))).toBeUndefined()
  })
})

describe('whatever things are called, however long the record is', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
  const seq = fc.oneof(fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER))
  const name = anyText({ minLength: 1, maxLength: 200 }).map((text) => text.slice(0, 200).toWellFormed())

  /** What the record is told of the letter of a fact, as it takes it. */
  function recorded(fact: Fact, source: Source) {
    const channel = mailChannel(source, outboxTransport)
    const message = channel.messageOf(fact)
    if (message === undefined) throw new Error(`${fact.type} has no letter`)
    const of = (ending: ReturnType<typeof channel.sent>) =>
      checkFact({ ...ending, at: AT, companyId: fact.companyId } as NewFact, 'told').fact
    return [of(channel.sent(fact, message)), of(channel.failed(fact, message, 'refused'))]
  }

  test('each letter can be told of, by a name that no other has', () => {
    fc.assert(
      fc.property(fc.record({ called: name, reportId: id, scheduleId: id, seq }), (drawn) => {
        const { called, reportId, scheduleId } = drawn
        const named = alerted('email', [loadOpened(2, called), foundLate(2)], renamedAll(called))
        const load = alerted('email', [loadOpened(2, called), exhausted(2)], renamedAll(called))
        for (const { alert, directory, log } of [named, load]) recorded(alert, sourceOf(directory, log))
        const facts = [
          issued('activation'),
          issued('password'),
          addressed(reportId, scheduleId),
          requested(scheduleId),
          requested(),
          headAddressed(drawn.seq),
        ]
        const { directory } = given(
          ...twoCompanies,
          company(COMPANY, { name: called }),
          ...renamedAll(called),
          ...reported(reportId, scheduleId),
          issued('password'),
        )
        for (const fact of facts) {
          const [sent] = recorded({ ...stored(fact), seq: drawn.seq } as Fact, sourceOf(directory))
          if (fact.type !== 'link.issued')
            expect(sent).toMatchObject({ data: { letterId: expect.stringMatching(`-${drawn.seq}$`) } })
        }
      }),
    )
  })

  test('a subject is cut between two signs', () => {
    const names = renamedAll('🧊'.repeat(100))
    const { alert, directory, log } = alerted('email', [foundLate(2)], names)
    const subject = letterOf(alert, sourceOf(directory, log))?.subject
    expect(subject).toMatch(/^High temperature, found late: (🧊)+…$/u)
    expect(subject?.length).toBe(199)
  })

  test('one that was named before by its report and place still is', () => {
    const scheduleId = 's-0f4e2c1a-8d3b-4f6e-9a7c-5b1d2e3f4a5b'
    const reportId = `${scheduleId}-1790000000000-10`
    const { directory } = given(...twoCompanies, ...reported(reportId, scheduleId))
    const fact = { ...stored(addressed(reportId, scheduleId)), seq: 9_999_999 } as Fact
    expect(letterOf(fact, sourceOf(directory))?.id).toBe(`${reportId}-9999999`)
  })
})

const COMPANY = 'c'.repeat(64)

function renamedAll(name: string): NewFact[] {
  const origin = { at: AT, companyId: 'indus' }
  return [
    { ...origin, type: 'device.updated', data: { imei: '350000000000002', name, plateNumber: name } },
    { ...origin, type: 'group.updated', data: { groupId: 'lahore', name } },
    { ...origin, type: 'user.updated', data: { userId: 'u1', firstName: name, lastName: name } },
    { ...origin, type: 'company.settings-changed', data: { companyId: 'indus', name } },
  ]
}

const addressed = (reportId: string, scheduleId: string): NewFact => ({
  type: 'report.addressed',
  at: AT,
  companyId: 'indus',
  data: { reportId, scheduleId, to: 'ops@indus.example' },
})
const requested = (scheduleId?: string): NewFact => ({
  type: 'schedule-mail.asked',
  at: AT,
  companyId: COMPANY,
  data: { ...(scheduleId !== undefined && { scheduleId }), to: 'ops@indus.example' },
})
const headAddressed = (size: number): NewFact => ({
  type: 'seal.head-addressed',
  at: AT,
  companyId: COMPANY,
  data: {
    to: 'ops@indus.example',
    because: 'company',
    head: { size, root: 'a'.repeat(64), at: AT, keyId: 'k', signature: 's' },
  },
})

/** A report of a schedule, made. */
const reported = (reportId: string, scheduleId: string): NewFact[] => [
  {
    type: 'report.requested',
    at: AT,
    companyId: 'indus',
    data: {
      ...{ reportId, groupId: 'indus', kind: 'power', title: 'Power Report', groups: [], things: [] },
      ...{ from: AT - 24 * HOUR, to: AT, types: null, minDistance: null },
      ...{ requestedBy: 'Schedule', scheduleId, upTo: 1 },
    },
  },
  {
    type: 'report.completed',
    at: AT,
    companyId: 'indus',
    data: { reportId, files: [{ fileName: 'Power.xlsx', contentType: 'a/b', bytes: 1, sha256: '' }] },
  },
]

test.each([
  [24 * HOUR, '24 hours'],
  [48 * HOUR, '2 days'],
  [HOUR, '1 hour'],
  [90 * 60_000, '90 minutes'],
  [60_000, '1 minute'],
  [45_000, '45 seconds'],
  [100_500, '100 seconds'],
  [49 * HOUR + 1, '2 days'],
])('%d ms are %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words)
})

test('an instant is said in a named zone, UTC where there is none such', () => {
  expect(instantInWords(AT, 'Asia/Karachi')).toBe('15-06-2026 09:00 (Asia/Karachi)')
  expect(instantInWords(AT, 'Mars/Olympus')).toBe('15-06-2026 04:00 (UTC)')
  expect(instantInWords(AT)).toBe('15-06-2026 04:00 (UTC)')
})
