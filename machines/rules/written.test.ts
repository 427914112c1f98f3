import { expect, test } from 'vitest'
import { clockTime, coordinates, figure, writtenTime } from './written.ts'

test('figures have a true minus, as many decimals as asked for, and no minus before nothing', () => {
  expect(figure(-18.44, 1)).toBe('\u221218.4')
  expect(figure(-0.04, 1)).toBe('0.0')
  expect(figure(-18)).toBe('\u221218')
  expect(figure(7.25)).toBe('7.25')
})

test('a moment is written in the zone it is asked in', () => {
  const at = Date.UTC(2026, 5, 14, 19, 4, 9)
  expect(writtenTime(at, 'Asia/Karachi')).toBe('15-06-2026 00:04')
  expect(writtenTime(at, 'UTC')).toBe('14-06-2026 19:04')
  expect(clockTime(at, 'Asia/Karachi')).toBe('00:04')
})

test('a position can be copied into a map', () => {
  expect(coordinates({ lat: -33.867851, lng: 151.207321 })).toBe('-33.86785, 151.20732')
})
