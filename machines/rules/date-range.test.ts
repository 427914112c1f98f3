import { describe, expect, test } from 'vitest'
import { historyRangeFault } from './date-range.ts'

const start = Date.UTC(2026, 10, 1)
const hour = 3_600_000

describe('a range of history', () => {
  test('may be a whole day, to the millisecond', () => {
    expect(historyRangeFault(start, start + 24 * hour)).toBeUndefined()
    expect(historyRangeFault(start, start + 24 * hour + 1)).toBe('Duration Should be 1 Day Maximum')
  })
  test('must begin before it ends', () => {
    expect(historyRangeFault(start, start - 1)).toBe('Start date cannot be greater than end date')
  })
  test('needs both ends', () => {
    expect(historyRangeFault(Number.NaN, start)).toBe('Enter a start date')
    expect(historyRangeFault(start, Number.NaN)).toBe('Enter a end date')
  })
})
