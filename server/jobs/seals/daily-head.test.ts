import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { DAY_MS, LETTERS_A_DAY } from '#machines/projections/scheduled-mail.ts'
import { createMailLinks } from '../../auth/mail-links.ts'
import { twoCompanies } from '../../commands/testing/company-facts.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import type { Source } from '../notifier/mail/letter.ts'
import { letterOf } from '../notifier/mail/letters.ts'
import { createDailyHead } from './daily-head.ts'

const START = Date.parse('2026-06-14T23:00:00Z')
const HOUR = 3_600_000
const OPERATOR = ['auditor@example.org', 'quality@customer.example']
const OUTSIDE = 'keeper@elsewhere.example'
const ALERTS = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: true,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: true,
}
const headOf = (size: number, at = START): SealHead => ({
  ...{ size, root: 'ab'.repeat(32), at, keyId: '01'.repeat(8) },
  signature: `${'A'.repeat(86)}==`,
})
const origin = { at: START, companyId: 'indus' }
const password = (userId: string, companyId = 'indus'): NewFact => ({
  ...{ at: START, companyId, type: 'user.password-set', data: { userId, hash: '$argon2id$' } },
})
const switched = (userId: string, isOn: boolean): NewFact => ({
  ...{ ...origin, type: 'user.alerts-set' },
  data: { userId, sms: ALERTS, email: { ...ALERTS, DAILY_HEAD: isOn } },
})
const chosen = (address: string | null): NewFact => ({
  ...{ ...origin, type: 'company.head-address-set' },
  data: { companyId: 'indus', address },
})
const answered = (wants: boolean): NewFact => ({
  ...{ ...origin, type: wants ? 'schedule-mail.confirmed' : 'schedule-mail.unsubscribed' },
  data: { address: OUTSIDE },
})
const suspended: NewFact = {
  ...{ ...origin, type: 'company.suspended' },
  data: { companyId: 'indus', reason: 'unpaid' },
} as NewFact

let store: Store
let directory: Directory
let folded: number
beforeEach(() => {
  store = openSqliteStore({ dir: ':memory:', clock: { now: () => START } })
  directory = emptyDirectory()
  folded = 0
})
afterEach(() => store.close())

function fold(): void {
  for (const fact of store.log.readFacts(folded)) {
    evolve(directory, fact)
    folded = fact.seq
  }
}
async function append(...facts: NewFact[]): Promise<void> {
  await store.log.append('test', facts)
  fold()
}
/** A head comes, and what it was for is known. */
async function comes(daily: ReturnType<typeof createDailyHead>, head: SealHead): Promise<void> {
  await daily(head)
  fold()
}
const addressed = () =>
  store.log.readFacts(0, { types: ['seal.head-addressed'] }) as FactOf<'seal.head-addressed'>[]
const sent = () =>
  addressed().map(({ companyId, data }) => [data.head.size, data.to, data.because ?? 'operator', companyId])
const source = () =>
  ({
    directory,
    publicUrl: 'https://portal.example',
    mailLinks: createMailLinks('secret'),
  }) as Partial<Source> as Source
const letter = (n = 0) => {
  const fact = addressed()[n]
  if (fact === undefined) throw new Error(`nobody was addressed ${n}`)
  return letterOf(fact, source())
}

test('the first head of each day goes to each address of the operator once, whichever node leads', async () => {
  const first = createDailyHead(store.log, directory, OPERATOR)
  await first(headOf(10))
  await first(headOf(11, START + 60_000))
  // another node takes over on the same day
  const second = createDailyHead(store.log, directory, OPERATOR)
  await second(headOf(12, START + 120_000))
  await second(headOf(20, START + 2 * HOUR))
  await createDailyHead(store.log, directory, [])(headOf(30, START + 3 * DAY_MS))
  expect(sent()).toEqual([10, 10, 20, 20].map((size, i) => [size, OPERATOR[i % 2], 'operator', null]))
  const mail = letter()
  expect(mail).toMatchObject({
    to: { address: OPERATOR[0] },
    subject: 'The record on 2026-06-14: 10 entries',
    links: ['https://portal.example/verify', 'https://portal.example/api/seals/consistency?from=10'],
  })
  for (const line of [
    'Entries: 10',
    `Root: ${'ab'.repeat(32)}`,
    `--head 10:${'ab'.repeat(32)}`,
    addressed()[0]?.data.head.signature,
    'SEAL_HEAD_TO',
  ])
    expect(mail?.text).toContain(line)
})

describe('managers of a company', () => {
  const everybody = ['u1', 'u2'].map((id) => password(id))

  test('get it who have chosen a password, until they turn it off', async () => {
    await append(...twoCompanies, ...everybody)
    await comes(createDailyHead(store.log, directory, []), headOf(10))
    expect(sent()).toEqual([
      [10, 'ayesha@indus.example', 'manager', 'indus'],
      [10, 'danish@indus.example', 'manager', 'indus'],
    ])
    expect(letter()?.text).toContain('You get it as a manager of')
    expect(letter()?.links).toContain('https://portal.example/account')
    expect(letter()?.isWithdrawn).toBe(false)
    await append(switched('u1', false))
    expect(letter()?.isWithdrawn, 'turned off while the mail waited').toBe(true)
    await comes(createDailyHead(store.log, directory, []), headOf(20, START + 2 * HOUR))
    expect(sent().slice(2)).toEqual([[20, 'danish@indus.example', 'manager', 'indus']])
  })

  test('who begin on a day get the next head of it; users who are none, and companies that are suspended, get none', async () => {
    const facts = JSON.parse(JSON.stringify(twoCompanies).replace('"Manager"', '"User"')) as NewFact[]
    await append(...facts, password('u1'))
    const daily = createDailyHead(store.log, directory, [])
    await comes(daily, headOf(10))
    expect(sent()).toEqual([])
    await append(password('u2'))
    await comes(daily, headOf(11, START + 60_000))
    await comes(daily, headOf(12, START + 120_000))
    expect(sent()).toEqual([[11, 'danish@indus.example', 'manager', 'indus']])
    await append(suspended)
    await comes(daily, headOf(20, START + 2 * HOUR))
    expect(sent()).toHaveLength(1)
    expect(letter()?.isWithdrawn).toBe(true)
  })
})

describe('an address that a company chose', () => {
  const asks = () => store.log.readFacts(0, { types: ['schedule-mail.asked'] })

  test('gets none before it says yes, is asked once a day, and none after it says no', async () => {
    await append(...twoCompanies, chosen(OUTSIDE))
    const daily = createDailyHead(store.log, directory, [])
    await comes(daily, headOf(10))
    await comes(daily, headOf(11, START + 60_000))
    expect(sent()).toEqual([])
    expect(asks().map(({ data }) => data)).toEqual([{ to: OUTSIDE }])
    const [ask] = asks()
    const question = ask && letterOf(ask, source())
    expect(question).toMatchObject({ to: { address: OUTSIDE }, isWithdrawn: false })
    expect(question?.subject).toMatch(/asks you to keep its proof$/)
    await append(answered(true))
    await comes(daily, headOf(12, START + 120_000))
    expect(sent()).toEqual([[12, OUTSIDE, 'company', 'indus']])
    expect(letter()?.unsubscribe).toBe(
      `https://portal.example${createMailLinks('secret').to('indus', OUTSIDE)}`,
    )
    expect(letter()?.text).toContain('End them here, without signing in')
    await append(answered(false))
    expect(letter()?.isWithdrawn).toBe(true)
    await comes(daily, headOf(20, START + 2 * DAY_MS))
    expect([sent().length, asks().length]).toEqual([1, 1])
  })

  test('is one that is taken back, or over its letters of the day', async () => {
    const letters = Array.from(
      { length: LETTERS_A_DAY.address },
      (): NewFact => ({
        ...{ ...origin, type: 'report.addressed' },
        data: { reportId: 'r1', scheduleId: 's1', to: OUTSIDE },
      }),
    )
    await append(...twoCompanies, chosen(OUTSIDE), answered(true), ...letters)
    const daily = createDailyHead(store.log, directory, [])
    await comes(daily, headOf(10))
    expect(sent()).toEqual([])
    await comes(daily, headOf(20, START + 2 * HOUR))
    expect(sent()).toHaveLength(1)
    await append(chosen(null))
    expect(letter()?.isWithdrawn).toBe(true)
    await comes(daily, headOf(30, START + DAY_MS + 2 * HOUR))
    expect(sent()).toHaveLength(1)
  })

  test('is mailed once where it is a manager too, or one of the operator', async () => {
    await append(...twoCompanies, password('u1'), chosen('Ayesha@indus.example'))
    await comes(createDailyHead(store.log, directory, ['AYESHA@indus.example']), headOf(10))
    expect(sent()).toEqual([[10, 'ayesha@indus.example', 'manager', 'indus']])
  })
})
