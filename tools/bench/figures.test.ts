import { expect, test } from 'vitest'
import { atMost, isLevel, median, percentile, slope, tableOf } from './figures.ts'

test('a percentile is a value that was measured', () => {
  const values = [40, 10, 30, 20, 50, 60, 70, 80, 90, 100]
  expect(percentile(values, 0.95)).toBe(100)
  expect(percentile(values, 0.5)).toBe(50)
  expect(median([3, 1, 2])).toBe(2)
  expect(median([])).toBeNaN()
})

test('a slope is that of the line all points are nearest to', () => {
  expect(
    slope([
      { x: 1, y: 5 },
      { x: 2, y: 7 },
      { x: 4, y: 11 },
    ]),
  ).toBeCloseTo(2)
  expect(
    slope([
      { x: 0, y: 0 },
      { x: 1, y: 2 },
      { x: 2, y: 0 },
    ]),
  ).toBeCloseTo(0)
  expect(slope([{ x: 1, y: 5 }])).toBeNaN()
})

test('values are level when the newest are no less than those before them', () => {
  expect(isLevel([9, 5, 4, 4, 4, 4], 3)).toBe(false)
  expect(isLevel([9, 5, 4, 4, 4, 4, 4], 3)).toBe(true)
  // one that stands out says nothing
  expect(isLevel([4, 4, 4, 4, 9, 4], 3)).toBe(true)
  expect(isLevel([2, 2, 2, 4, 4, 4], 3)).toBe(true)
  expect(isLevel([4, 4, 4, 4, 4], 3)).toBe(false)
})

test('a bound is reached when it is met exactly, missed above', () => {
  expect(atMost('typing', 50, 50, 'ms').isReached).toBe(true)
  expect(atMost('typing', 50.1, 50, 'ms').isReached).toBe(false)
  expect(atMost('typing', Number.NaN, 50, 'ms').isReached).toBe(false)
})

test('the table says what was missed', () => {
  const table = tableOf([atMost('typing', 80, 50, 'ms'), atMost('start', 2.04, 3, 's', 1)])
  expect(table).toMatch(/\| typing \| 80 ms +\| ≤ 50 ms \| \*\*missed\*\* \|/)
  expect(table).toMatch(/\| start +\| 2\.0 s +\| ≤ 3 s +\| reached +\|/)
})
