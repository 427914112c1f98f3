import { expect, test } from 'vitest'
import { calibrationState } from './calibration.ts'

test.each([
  [null, 'none'],
  ['2026-03-01', 'fine'],
  ['2026-02-28', 'soon'],
  ['2026-01-29', 'soon'],
  ['2026-01-28', 'over'],
] as const)('due %s it is %s', (due, state) => {
  expect(calibrationState(due, '2026-01-29')).toBe(state)
})
