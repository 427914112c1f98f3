import { expect, test } from 'vitest'
import { clockTime, writtenTime } from './written-time.ts'

test('a moment is written in the zone it is asked in', () => {
  const at = Date.UTC(2026, 5, 14, 19, 4, 9)
  expect(writtenTime(at, 'Asia/Karachi')).toBe('15-06-2026 00:04')
  expect(writtenTime(at, 'UTC')).toBe('14-06-2026 19:04')
  expect(clockTime(at, 'Asia/Karachi')).toBe('00:04')
})
