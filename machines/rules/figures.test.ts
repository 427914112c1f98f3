import { expect, test } from 'vitest'
import { coordinates, counted, figure } from './figures.ts'

test('figures have a true minus, as many decimals as asked for, and no minus before nothing', () => {
  expect(figure(-18.44, 1)).toBe('\u221218.4')
  expect(figure(-0.04, 1)).toBe('0.0')
  expect(figure(-18)).toBe('\u221218')
  expect(figure(7.25)).toBe('7.25')
})

test('a position can be copied into a map', () => {
  expect(coordinates({ lat: -33.867851, lng: 151.207321 })).toBe('-33.86785, 151.20732')
})

test('one is said as one, and thousands are marked', () => {
  expect([0, 1, 1204].map((count) => counted(count, 'device'))).toEqual([
    '0 devices',
    '1 device',
    '1,204 devices',
  ])
})
