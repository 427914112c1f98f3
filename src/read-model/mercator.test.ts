import { expect, test } from 'vitest'
import { latOf, lngOf, unitX, unitY } from './mercator.ts'

test('a place of the map is where it was put', () => {
  expect(latOf(unitY(31.5))).toBeCloseTo(31.5, 9)
  expect(lngOf(unitX(74.3))).toBeCloseTo(74.3, 9)
})
