import { describe, expect, test } from 'vitest'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { DAY_MS, LETTERS_A_DAY, mailStateOf, REQUESTS_A_DAY } from '#machines/projections/scheduled-mail.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { addressed, answerMail, asksFor } from './scheduled-mail.ts'

const NOON = 100.5 * DAY_MS
const OUTSIDE = 'Depot@elsewhere.example'
const origin = { at: NOON, companyId: 'indus' }
const password: NewFact = {
  ...origin,
  type: 'user.password-set',
  data: { userId: 'u1', hash: '$argon2id$' },
}
const scheduleOf = (emails: string[]) => ({
  ...{ scheduleId: 's1', companyId: 'indus', groupId: 'indus', groups: [], vehicles: [] },
  ...{ interval: 'Daily' as const, reportTypes: [], createdAt: 0, ranTo: 0, emails },
})
const answer = (wants: boolean, at = NOON) => ({
  ...{ type: 'schedule-mail.answer' as const, at, by: null },
  data: { companyId: 'indus', address: OUTSIDE.toLowerCase(), wants },
})
const answered = (wants: boolean): NewFact => ({
  ...origin,
  type: wants ? 'schedule-mail.confirmed' : 'schedule-mail.unsubscribed',
  data: { address: OUTSIDE.toLowerCase() },
})
const letter = (to: string, at = NOON): NewFact => ({
  ...{ at, companyId: 'indus', type: 'report.addressed' },
  data: { reportId: 'r0', scheduleId: 's1', to },
})
const requested = (to: string, at = NOON): NewFact => ({
  ...{ at, companyId: 'indus', type: 'schedule-mail.asked' },
  data: { scheduleId: 's1', to },
})

const indus = (...facts: NewFact[]) => given(...twoCompanies, password, ...facts)
const inShort = (past: ReturnType<typeof given>, emails: string[], at = NOON) =>
  addressed(past.directory, scheduleOf(emails), 'r1', at).map(({ type, data }) => [
    type,
    (data as FactData<'report.addressed'>).to,
    ...('because' in data ? [data.because] : []),
  ])

describe('who gets the mails of a schedule', () => {
  const stateOf = (past: ReturnType<typeof given>, address: string, companyId = 'indus') =>
    mailStateOf(past.directory, companyId, address)

  test('is who is of the company, by a domain where somebody has set a password', () => {
    expect(stateOf(indus(), 'Night@Indus.example')).toBe('sent')
    expect(stateOf(indus(), OUTSIDE)).toBe('confirm')
    expect(stateOf(indus(), 'night@sub.indus.example')).toBe('confirm')
    expect(stateOf(given(...twoCompanies), 'night@indus.example'), 'an invitation proves nothing').toBe(
      'confirm',
    )
    expect(stateOf(indus(), 'night@indus.example', 'karakoram')).toBe('confirm')
  })

  test('of a domain that is open to all is that one address', () => {
    const facts = JSON.parse(
      JSON.stringify(twoCompanies).replaceAll('ayesha@indus.example', 'ayesha@gmail.com'),
    ) as NewFact[]
    const past = given(...facts, password)
    expect(stateOf(past, 'ayesha@gmail.com')).toBe('sent')
    expect(stateOf(past, 'another@gmail.com')).toBe('confirm')
  })

  test('is told by the mailbox, however an address is spelled', () => {
    const facts = JSON.parse(
      JSON.stringify(twoCompanies).replaceAll('ayesha@indus.example', 'ayesha@\uff47mail.com'),
    ) as NewFact[]
    const past = given(...facts, password)
    expect(stateOf(past, 'ayesha@gmail.com')).toBe('sent')
    expect(stateOf(past, 'another@\uff47mail.com'), 'anybody may have one there').toBe('confirm')
    const wide = OUTSIDE.replace('elsewhere', '\uff45lsewhere')
    expect(stateOf(indus(answered(false)), wide)).toBe('unsubscribed')
    const many = Array.from({ length: LETTERS_A_DAY.address }, () => letter(OUTSIDE))
    expect(inShort(indus(answered(true), ...many), [wide])).toEqual([
      ['schedule-mail.withheld', wide, 'budget'],
    ])
    expect(inShort(indus(requested(OUTSIDE)), [wide])).toEqual([['schedule-mail.withheld', wide, 'confirm']])
  })

  test('is who says so, until they say otherwise', () => {
    expect(stateOf(indus(answered(true)), OUTSIDE)).toBe('sent')
    expect(stateOf(indus(answered(true), answered(false)), OUTSIDE)).toBe('unsubscribed')
    expect(stateOf(indus(answered(false), answered(true)), OUTSIDE)).toBe('sent')
    const own: NewFact = {
      ...origin,
      type: 'schedule-mail.unsubscribed',
      data: { address: 'a@indus.example' },
    }
    expect(stateOf(indus(own), 'A@indus.example')).toBe('unsubscribed')
  })
})

describe('a report of a schedule', () => {
  test('is mailed to those, and asks the others once a day, as one made before this does', () => {
    const past = indus()
    expect(inShort(past, ['a@indus.example', OUTSIDE])).toEqual([
      ['report.addressed', 'a@indus.example'],
      ['schedule-mail.withheld', OUTSIDE, 'confirm'],
      ['schedule-mail.asked', OUTSIDE],
    ])
    expect(inShort(indus(requested(OUTSIDE)), [OUTSIDE])).toEqual([
      ['schedule-mail.withheld', OUTSIDE, 'confirm'],
    ])
    expect(inShort(indus(requested(OUTSIDE)), [OUTSIDE], NOON + DAY_MS)).toHaveLength(2)
  })

  test('is withheld from who wants none, and they are not asked', () => {
    expect(inShort(indus(answered(false)), [OUTSIDE])).toEqual([
      ['schedule-mail.withheld', OUTSIDE, 'unsubscribed'],
    ])
  })

  test('is withheld over what an address gets a day, until the next', () => {
    const to = 'a@indus.example'
    const many = Array.from({ length: LETTERS_A_DAY.address }, () => letter(to))
    expect(inShort(indus(...many.slice(1)), [to])).toEqual([['report.addressed', to]])
    expect(inShort(indus(...many), [to.toUpperCase(), 'b@indus.example'])).toEqual([
      ['schedule-mail.withheld', to.toUpperCase(), 'budget'],
      ['report.addressed', 'b@indus.example'],
    ])
    expect(inShort(indus(...many), [to], NOON + DAY_MS)).toEqual([['report.addressed', to]])
  })

  test('of 60 schedules with 20 addresses each leaves as many letters as a company gets a day', () => {
    const past = indus()
    const left = { 'report.addressed': 0, 'schedule-mail.withheld': 0 }
    for (let i = 0; i < 60; i++) {
      const emails = Array.from({ length: 20 }, (_, n) => `p${i}-${n}@indus.example`)
      const facts = addressed(past.directory, scheduleOf(emails), `r${i}`, NOON)
      past.store({ facts })
      for (const { type } of facts) left[type as keyof typeof left]++
    }
    expect(left).toEqual({
      'report.addressed': LETTERS_A_DAY.company,
      'schedule-mail.withheld': 60 * 20 - LETTERS_A_DAY.company,
    })
  })
})

test('a company asks so many addresses a day, and one address five times in all', () => {
  const others = Array.from({ length: REQUESTS_A_DAY }, (_, i) => requested(`p${i}@elsewhere.example`))
  const asks = (past: ReturnType<typeof given>, at = NOON) =>
    asksFor(past.directory, 's1', [OUTSIDE], { ...origin, at }).length
  expect(asks(indus(...others.slice(1)))).toBe(1)
  expect(asks(indus(...others))).toBe(0)
  expect(asks(indus(...others), NOON + DAY_MS)).toBe(1)
  const days = [5, 4, 3, 2, 1].map((day) => requested(OUTSIDE, NOON - day * DAY_MS))
  expect(asks(indus(...days.slice(1)))).toBe(1)
  expect(asks(indus(...days))).toBe(0)
})

test('whoever has the link says yes or no, each once', () => {
  expect(indus().when(answerMail, answer(true)).facts).toEqual([answered(true)])
  expect(indus(answered(true)).when(answerMail, answer(true)).facts).toEqual([])
  expect(indus(answered(true)).when(answerMail, answer(false)).facts).toEqual([answered(false)])
})
