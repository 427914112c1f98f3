import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatHumidity,
  formatSpeed,
  formatTemperature,
  shortCount,
} from './numbers.ts'

test('one decimal for °C, two for %, a true minus, and N/A where nothing was measured', () => {
  expect(formatTemperature(-18.44)).toBe('−18.4 °C')
  expect(formatTemperature(-0.04)).toBe('0.0 °C')
  expect(formatHumidity(61.255)).toMatch(/^61\.2[56] %$/)
  expect(formatSpeed(61.6)).toBe('62 km/h')
  expect(formatCount(100_000)).toBe('100,000')
  for (const format of [formatTemperature, formatHumidity, formatSpeed]) expect(format(null)).toBe('N/A')
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [12_340_000, '12.3 MB'],
  [5e15, '5000.0 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test('a count where there is little room is short, and never more than there are', () => {
  expect([999, 1000, 1999, 9999, 10_999, 100_000].map(shortCount)).toEqual([
    '999',
    '1k',
    '1.9k',
    '9.9k',
    '10k',
    '100k',
  ])
})
