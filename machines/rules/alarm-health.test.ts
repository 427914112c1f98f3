import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { floodsOf, loadOf, medianOf, mostWithin } from './alarm-health.ts'

const MINUTE = 60_000

describe('a flood', () => {
  test('begins with more than ten in a slot and ends with fewer than five', () => {
    const slots = [0, 3, 12, 15, 7, 4, 1]
    expect(floodsOf(slots)).toEqual([{ first: 2, end: 5, alarms: 34, peak: 15 }])
    const { floodShare, ...load } = loadOf(slots)
    expect(load).toEqual({ told: 42, mean: 6, peak: 15, floods: 1 })
    expect(floodShare).toBeCloseTo(0.429, 3)
  })

  test.each([
    [[10, 10, 10], []],
    [[11], [{ first: 0, end: 1, alarms: 11, peak: 11 }]],
    [[11, 5, 5], [{ first: 0, end: 3, alarms: 21, peak: 11 }]],
    [[11, 4, 11], [{ first: 0, end: 1, alarms: 11, peak: 11 }, { first: 2, end: 3, alarms: 11, peak: 11 }]], // biome-ignore format: a row a case
    [[], []],
  ])('of %j', (slots, floods) => expect(floodsOf(slots)).toEqual(floods))

  test('holds no slot twice and none of fewer than five, whatever is told', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), (slots) => {
        const floods = floodsOf(slots)
        for (const [i, { first, end, alarms }] of floods.entries()) {
          const within = slots.slice(first, end)
          expect(first).toBeGreaterThanOrEqual(floods[i - 1]?.end ?? 0)
          expect(within[0]).toBeGreaterThan(10)
          expect(Math.min(...within)).toBeGreaterThanOrEqual(5)
          expect(alarms).toBe(within.reduce((a, b) => a + b, 0))
        }
        const flooded = new Set(floods.flatMap(({ first, end }) => slots.keys().toArray().slice(first, end)))
        expect(slots.every((alarms, i) => alarms <= 10 || flooded.has(i))).toBe(true)
      }),
    )
  })
})

test('most openings within an hour count both ends of it', () => {
  const at = [0, 30, 60, 61, 200].map((n) => n * MINUTE)
  expect(mostWithin(at)).toBe(3)
  expect(mostWithin([])).toBe(0)
})

test('a median is the middle one, or the mean of two', () => {
  expect(medianOf([])).toBeNull()
  expect(medianOf([9, 1, 5])).toBe(5)
  expect(medianOf([9, 1, 5, 2])).toBe(3.5)
})
