import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ViolationBar } from '#machines/contracts/entities/violations.ts'
import { barInWords, barsOf, foundBars, ticksOf } from './bars.ts'

const bar = (deviceNo: number, counts: Partial<ViolationBar> = {}): ViolationBar => ({
  plateNumber: `LEB-${deviceNo}`,
  imei: String(356_307_042_000_000 + deviceNo),
  LowTemperature: 0,
  LowHumidity: 0,
  HighTemperature: 0,
  HighHumidity: 0,
  ...counts,
})

describe('bars', () => {
  test('stand worst first, the same number by plate, those without any not at all', () => {
    const bars = barsOf([
      bar(10, { LowHumidity: 2 }),
      bar(9, { HighTemperature: 1, LowTemperature: 1 }),
      bar(1),
      bar(2, { HighHumidity: 7 }),
    ])
    expect(bars.map(({ plate, total, rank }) => [rank, plate, total])).toEqual([
      [1, 'LEB-2', 7],
      [2, 'LEB-9', 2],
      [3, 'LEB-10', 2],
    ])
    expect(bars[1]?.segments.map(({ kind, count }) => [kind.type, count])).toEqual([
      ['HIGH_TEMPERATURE_DETECTED', 1],
      ['LOW_TEMPERATURE_DETECTED', 1],
    ])
  })

  test('are found by plate number or imei, with the rank they have among all', () => {
    const bars = barsOf([
      bar(1, { HighHumidity: 7 }),
      bar(22, { HighHumidity: 5 }),
      bar(2, { LowHumidity: 1 }),
    ])
    expect(foundBars(bars, ' leb-2 ').map(({ plate, rank }) => [plate, rank])).toEqual([
      ['LEB-22', 2],
      ['LEB-2', 3],
    ])
    expect(foundBars(bars, '356307042000022')).toHaveLength(1)
    expect(foundBars(bars, '')).toBe(bars)
  })

  test('are told in words, a device without a plate by its imei', () => {
    const [one] = barsOf([bar(7, { HighTemperature: 8, LowHumidity: 4 })])
    expect(one && barInWords(one)).toBe('LEB-7: 12 violations, 8 high temperature, 4 low humidity')
    expect(barsOf([{ ...bar(7, { LowHumidity: 1 }), plateNumber: '' }])[0]?.plate).toBe('356307042000007')
  })
})

test('an axis has few whole lines and ends at or beyond the longest bar', () => {
  expect(ticksOf(1)).toEqual([0, 1])
  expect(ticksOf(7)).toEqual([0, 2, 4, 6, 8])
  expect(ticksOf(730)).toEqual([0, 200, 400, 600, 800])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e7 }), (most) => {
      const ticks = ticksOf(most)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(ticks.at(-2)).toBeLessThan(most)
    }),
  )
})
