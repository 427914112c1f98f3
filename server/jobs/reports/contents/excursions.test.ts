import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Limits } from '#machines/rules/limits.ts'
import { excursionsOf } from './excursions.ts'

const MINUTE = 60_000
const limitsWith = (given: Partial<Limits> = {}): Limits => ({
  low: 2,
  high: 8,
  delay: 5 * MINUTE,
  margin: 0.5,
  gap: 10 * MINUTE,
  ...given,
})
const always = (limits: Limits) => [{ from: 0, limits }]

/** A reading a minute; null: the sensor given nothing. */
function columnsOf(values: readonly (number | null)[]): ReadingColumns {
  const columns = createReadings(values.length)
  for (const [i, value] of values.entries())
    pushReading(columns, { device: 0, at: i * MINUTE, temperature: value ?? undefined })
  return columns
}
const excursions = (values: readonly (number | null)[], limits = always(limitsWith())) =>
  excursionsOf('temperature', columnsOf(values), limits).map(({ type, from, to, worst, limit }) => [
    type.split('_')[0],
    from / MINUTE,
    to === null ? null : to / MINUTE,
    worst,
    limit,
  ])

describe('an excursion', () => {
  test('lasts from the first reading beyond the limit until it is back by the margin', () => {
    expect(excursions([5, 9, 9, 11, 9, 9, 9, 7.8, 7.5, 5])).toEqual([['HIGH', 1, 8, 11, 8]])
    expect(excursions([5, 1, 1, 0.5, 1, 1, 1, 2.1, 2.5])).toEqual([['LOW', 1, 8, 0.5, 2]])
  })

  test('is none where it was short', () => {
    expect(excursions([5, 9, 9, 9, 5, 9, 9, 9, 5])).toEqual([])
  })

  test('has not ended where the readings end before it does', () => {
    expect(excursions([9, 9, 9, 9, 9, 9, 12])).toEqual([['HIGH', 0, null, 12, 8]])
  })

  test('is evaluated by the limits in force, which may end it', () => {
    const looser = { from: 8 * MINUTE, limits: limitsWith({ high: 20 }) }
    expect(excursions(Array(12).fill(10), [...always(limitsWith()), looser])).toEqual([['HIGH', 0, 8, 10, 8]])
  })

  test('ends where the sensor is unplugged', () => {
    expect(excursions([...Array(7).fill(9), null, null, null, null, 9])).toEqual([['HIGH', 0, 9, 9, 8]])
  })
})

test('without delay and margin, excursions are the runs of readings beyond a limit', () => {
  const values = fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 80 })
  const sideOf = (value: number) => (value > 8 ? 'HIGH' : value < 2 ? 'LOW' : '')
  fc.assert(
    fc.property(values, (temperatures) => {
      const runs: { side: string; from: number; to: number | null; worst: number }[] = []
      for (const [i, value] of temperatures.entries()) {
        const side = sideOf(value)
        const open = runs.at(-1)
        if (open?.to === null && open.side !== side) open.to = i
        if (side === '') continue
        const now = runs.at(-1)
        if (now?.to === null)
          now.worst = side === 'HIGH' ? Math.max(now.worst, value) : Math.min(now.worst, value)
        else runs.push({ side, from: i, to: null, worst: value })
      }
      expect(excursions(temperatures, always(limitsWith({ delay: 0, margin: 0 })))).toEqual(
        runs.map(({ side, from, to, worst }) => [side, from, to, worst, side === 'HIGH' ? 8 : 2]),
      )
    }),
  )
})
