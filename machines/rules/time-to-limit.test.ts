import { expect, test } from 'vitest'
import { timeToLimit } from './time-to-limit.ts'

const LIMITS = { low: 2, high: 8 }
const USUAL = { low: 3, high: 5 }
/** A value a minute, ending with `last`. */
const line = (last: number, slope: number, wobble: (i: number) => number = () => 0, minutes = 30) =>
  Array.from({ length: minutes }, (_, i) => ({
    minute: i,
    value: last - slope * (minutes - 1 - i) + wobble(i),
  }))

test('a steady rise reaches its limit when its line does, whatever one reading in five says', () => {
  expect(timeToLimit(line(6, 0.04), LIMITS, USUAL)).toMatchObject({
    side: 'above',
    limit: 8,
    minutes: expect.closeTo(50, 6),
  })
  const wild = timeToLimit(
    line(6, 0.04, (i) => (i % 5 === 3 ? 3 : 0)),
    LIMITS,
    USUAL,
  )
  expect(wild?.minutes).toBeCloseTo(50, 0)
  expect(wild?.least).toBeLessThan(50)
  expect(wild?.most).toBeGreaterThan(50)
})

test('a fall reaches the low limit', () => {
  expect(timeToLimit(line(2.8, -0.02), LIMITS, USUAL)).toMatchObject({
    side: 'below',
    limit: 2,
    minutes: expect.closeTo(40, 6),
  })
})

test.each([
  [
    'it turned around',
    line(6, 0.04).map((one, i) => (i < 15 ? one : { ...one, value: 6 - 0.04 * (i - 15) })),
  ],
  ['it goes up and down by more than it rises', line(6, 0.01, (i) => Math.sin(i / 2))],
  ['it is where it usually is', line(4.9, 0.02)],
  ['the limit is more than two hours away', line(5.2, 0.01)],
  ['it is beyond the limit', line(8.4, 0.04)],
  ['there are too few readings', line(6, 0.04, undefined, 9)],
  ['it does not move', line(6, 0)],
])('nothing is said where %s', (_, readings) => {
  expect(timeToLimit(readings, LIMITS, USUAL)).toBeUndefined()
})
