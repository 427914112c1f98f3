import { expect, test } from 'vitest'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { type Run, scaleOf } from './chart-runs.ts'

const runs: Run[] = [{ corners: [0, 4, 10, 6], start: 100, end: 200 }]
const since = (from: number, low: number, high: number): LimitsSince => ({
  from,
  limits: { low, high, delay: 0, margin: 0, gap: 0 },
})
const span = { from: 100, to: 200 }

test('the axis holds what was measured and the limits of its time, with some room', () => {
  const limits = [since(0, -40, 30), since(50, 2, 8), since(150, 1, 9), since(200, -80, 60)]
  const room = (9 - 1) * 0.08
  expect(scaleOf(runs, limits, span)).toEqual({ low: 1 - room, high: 9 + room, least: 4, most: 6 })
})

test('limits that were taken away before, and those that ended as it began, do not widen it', () => {
  const limits = [since(0, -40, 30), since(100, Number.NaN, Number.NaN)]
  expect(scaleOf(runs, limits, span)).toEqual({ low: 3.5, high: 6.5, least: 4, most: 6 })
  // the first ever known hold before, too
  expect(scaleOf(runs, [since(500, 2, 8)], span)).toMatchObject({ low: 2 - 0.5, high: 8 + 0.5 })
})
