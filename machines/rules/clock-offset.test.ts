import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEAST_OFFSET, MOST_OFFSET } from '../contracts/scalars.ts'
import { OFFSETS, offsetOf, offsetWords } from './clock-offset.ts'

test.each([
  ['', 0],
  ['UTC', 0],
  ['gmt', 0],
  ['+5', 300],
  ['5', 300],
  ['UTC+05:30', 330],
  ['GMT+8', 480],
  ['-0330', -210],
  ['UTC−03:30', -210],
])('“%s” is %i minutes ahead of UTC', (text, minutes) => expect(offsetOf(text)).toBe(minutes))

test.each(['Asia/Karachi', '+15', '-13', '5:75', '+', 'UTC+', '1:2:3'])('“%s” is none', (text) =>
  expect(offsetOf(text)).toBeUndefined(),
)

test('each offset reads back as it is said, and those to choose from are in order', () => {
  const offset = fc.integer({ min: LEAST_OFFSET, max: MOST_OFFSET })
  fc.assert(fc.property(offset, (minutes) => offsetOf(offsetWords(minutes)) === minutes))
  expect(OFFSETS.toSorted((a, b) => a - b)).toEqual(OFFSETS)
})
