import { expect, test } from 'vitest'
import { createDailyAllowance } from './daily-allowance.ts'

test('each company has its own allowance, and another one the next day', () => {
  let now = Date.UTC(2026, 5, 15, 23, 59)
  const { take } = createDailyAllowance({ now: () => now }, 10)
  expect([take('indus', 6), take('indus', 5), take('indus', 4), take('indus', 1)]).toEqual([
    ...[true, false, true, false],
  ])
  expect(take('ravi', 10)).toBe(true)
  now += 60_000
  expect([take('indus', 10), take('ravi', 11)]).toEqual([true, false])
})
