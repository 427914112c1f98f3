import { describe, expect, test } from 'vitest'
import { isRepeat, type Opened, REPEAT_WITHIN } from './repeats.ts'

const ENDED = 1_800_000_000_000
const high: Opened = {
  type: 'HIGH_TEMPERATURE_DETECTED',
  at: ENDED + 60_000,
  threshold: 8,
  value: 9,
  clearMargin: 0.5,
}
const low: Opened = { ...high, type: 'LOW_HUMIDITY_DETECTED', threshold: 20, value: 19, clearMargin: 2 }

describe('the same again', () => {
  test.each<[string, Opened, number, boolean]>([
    ['soon after, no worse', high, 10, true],
    ['at the end of the hour', { ...high, at: ENDED + REPEAT_WITHIN }, 10, true],
    ['after the hour', { ...high, at: ENDED + REPEAT_WITHIN + 1 }, 10, false],
    ['worse by the margin', { ...high, value: 10.5 }, 10, true],
    ['worse by more than the margin', { ...high, value: 10.6 }, 10, false],
    ['too low, no worse', low, 18, true],
    ['too low, lower by the margin', { ...low, value: 16 }, 18, true],
    ['too low, lower by more', { ...low, value: 15.9 }, 18, false],
  ])('%s', (_, opened, worst, expected) => {
    expect(isRepeat(opened, { threshold: opened.threshold, worst }, ENDED)).toBe(expected)
  })

  test('never against another threshold', () => {
    expect(isRepeat(high, { threshold: 7, worst: 10 }, ENDED)).toBe(false)
  })
})
