import { expect, test } from 'vitest'
import type { ProfileForm } from '../contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '../contracts/entities/shipped-profiles.ts'
import { budgetRules, createBudget, SUM, takeReading } from './budget.ts'
import { budgetStatusOf } from './budget-status.ts'
import {
  type BudgetFigures,
  budgetWords,
  exhaustedRuleWords,
  goneWords,
  hoursWords,
  ruleWords,
} from './budget-words.ts'

const ASOF = Date.UTC(2026, 5, 15, 9)
const HOUR = 3_600_000
const words = (fields: Partial<BudgetFigures>, now = ASOF) =>
  budgetWords(
    {
      state: 'within',
      percent: 0,
      exhaustsAt: null,
      asOf: ASOF,
      gapMinutes: 0,
      least: 0,
      most: 0,
      ...fields,
    },
    'Asia/Karachi',
    now,
  )

test('a budget is said in the words used everywhere', () => {
  expect(words({})).toBe('Within budget')
  expect(words({ percent: 62.9, exhaustsAt: ASOF + (2 * 60 + 40) * 60_000 })).toBe(
    '62 % used, at this temperature exhausted 16:40',
  )
  expect(words({ percent: 12, exhaustsAt: ASOF + 14 * 3_600_000 })).toBe(
    '12 % used, at this temperature exhausted 16 Jun 04:00',
  )
  expect(words({ state: 'exhausted', percent: 100 })).toBe('Exhausted: hold for review')
  const decided = { state: 'exhausted', percent: 100, decided: 'released' } as const
  expect(words(decided)).toBe('Exhausted: released after review')
  expect(words({ percent: 17, least: 245, most: 380, gapMinutes: 180 })).toBe(
    'Between 4 h 05 and 6 h 20 used: 3 h without readings',
  )
  expect(words({ percent: 40, least: 96, most: 96, gapMinutes: 180 })).toBe('40 % used')
  expect(words({ percent: null })).toBe('Not measured')
  expect(words({ percent: null, gone: 'all' })).toBe('Its readings are no longer kept')
  expect(words({ percent: null, gone: 'some' })).toBe('Not measured, as far as is kept')
  expect(words({ percent: 40, gone: 'all' })).toBe('40 % used')
})

test('when it is exhausted is said with its day where that is not today, and not as yet to come where it is past', () => {
  const of = { percent: 62, exhaustsAt: ASOF + (2 * 60 + 40) * 60_000 }
  expect(words(of, ASOF + HOUR)).toBe('62 % used, at this temperature exhausted 16:40')
  expect(words(of, ASOF + 3 * HOUR)).toBe('62 % used, exhausted 16:40 if it stayed at this temperature')
  expect(words(of, ASOF + 24 * HOUR)).toBe(
    '62 % used, exhausted 15 Jun 16:40 if it stayed at this temperature',
  )
  // the last reading is of yesterday, what is to come of today
  const later = { percent: 12, exhaustsAt: ASOF + 14 * HOUR }
  expect(words(later, ASOF + 11 * HOUR)).toBe('12 % used, at this temperature exhausted 04:00')
})

test('what is at risk is never said to be within its budget: too warm in the mean, or perhaps beyond a limit while nothing was measured', () => {
  const form = SHIPPED_PROFILES['medicines-20-25'] as ProfileForm
  const wordsOf = (gapMs: number, course: readonly (readonly [minute: number, celsius: number])[]) => {
    const budget = createBudget(budgetRules(form), ASOF, gapMs)
    for (const [minute, celsius] of course) takeReading(budget, ASOF + minute * 60_000, celsius)
    const { state, percent } = budgetStatusOf(budget)
    const gapMinutes = (budget.sums[SUM.gap] as number) / 60_000
    const isWarm = budgetStatusOf(budget).isTooWarmSoFar
    return [state, words({ state, percent, gapMinutes, isTooWarmSoFar: isWarm })]
  }
  const warm = [
    [0, 27],
    [120, 27],
    [130, 24],
  ] as const
  expect(wordsOf(HOUR * 2, warm)).toEqual([
    'at-risk',
    'At risk, mean kinetic temperature above its limit so far',
  ])
  const gap = [
    [0, 16],
    [60, 16],
  ] as const
  expect(wordsOf(HOUR / 6, gap)).toEqual([
    'at-risk',
    'At risk, may have been beyond a limit: 1 h without readings',
  ])
  expect(words({ state: 'at-risk', percent: 40, isTooWarmSoFar: true })).toBe(
    '40 % used, mean kinetic temperature above its limit so far',
  )
  expect(words({ state: 'at-risk', percent: 85 })).toBe('85 % used')
})

test('of a load some or all of whose readings are gone it is said which', () => {
  const wordsOf = (closedAt: number | null) =>
    goneWords(
      { closedAt: closedAt === null ? null : new Date(closedAt).toISOString() },
      new Date(ASOF).toISOString(),
      '15-06-2026 14:00',
    )
  expect(wordsOf(null)).toBe(
    'Its readings of before 15-06-2026 14:00 are no longer kept: what was published of it stays',
  )
  expect(wordsOf(ASOF + 1)).toBe(wordsOf(null))
  expect(wordsOf(ASOF)).toBe('Its readings are no longer kept: what was published of it stays')
})

test('an exhausted rule says how much of it was used, where it allows any', () => {
  const [never, above, , mean] = SHIPPED_PROFILES['medicines-2-8']?.rules ?? []
  const used = { never: 0, above: 1450, mean: 8.29 }
  expect([
    never && exhaustedRuleWords(never, used.never),
    above && exhaustedRuleWords(above, used.above),
  ]).toEqual(['Never above 15 °C', 'Above 8 °C for at most 24 h in all: 24 h 10 used'])
  expect(mean && exhaustedRuleWords(mean, used.mean)).toMatch(/at most 8 °C: 8\.29? °C$/)
})

test('hours are written as people say them', () =>
  expect([0, 45, 59.7, 180, 245].map(hoursWords)).toEqual(['0 min', '45 min', '1 h', '3 h', '4 h 05']))

test('each shipped rule is a sentence', () =>
  expect(Object.values(SHIPPED_PROFILES).flatMap(({ rules }) => rules.map(ruleWords))).toEqual([
    'Never above 15 °C',
    'Above 8 °C for at most 24 h in all',
    'Never below 2 °C',
    'Mean kinetic temperature of any 24 h in which it was above 8 °C at most 8 °C',
    'Never above 40 °C',
    'Above 30 °C for less than 24 h in all',
    'Never below 15 °C',
    'Mean kinetic temperature of any 30 days at most 25 °C',
    'At 45 °C or above for less than 1 h at a stretch',
    'At 30 °C or above for less than 10 h in all',
    'At −0.5 °C or below for less than 1 h at a stretch',
    'Never above −15 °C',
    'Above −18 °C: shown, decides nothing until your company says how long',
    'Above 5 °C for less than 4 h in all, or 6 h if never above 21 °C',
  ]))
