import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading } from '../contracts/readings.ts'
import { excessBetween, excessOf } from './excess.ts'

describe('between two readings', () => {
  test('all beyond is a trapezium, all within nothing, one of each the triangle beyond', () => {
    expect(excessBetween(2, 4, 10)).toBe(30)
    expect(excessBetween(-2, -4, 10)).toBe(0)
    expect(excessBetween(2, -2, 10)).toBe(5)
    expect(excessBetween(-1, 3, 8)).toBe(9)
    expect(excessBetween(0, 3, 8)).toBe(12)
  })

  test('a line that is cut in two has the sum of both', () => {
    const beyond = fc.double({ min: -50, max: 50, noNaN: true })
    fc.assert(
      fc.property(beyond, beyond, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (a, b, part) => {
        const middle = a + (b - a) * part
        const parts = excessBetween(a, middle, 60 * part) + excessBetween(middle, b, 60 * (1 - part))
        expect(parts).toBeCloseTo(excessBetween(a, b, 60), 6)
      }),
    )
  })
})

describe('of readings', () => {
  const MINUTE = 60_000
  const measured = (...values: (number | undefined)[]) => {
    const columns = createReadings(values.length)
    for (const [i, temperature] of values.entries())
      pushReading(columns, {
        device: 0,
        at: i * 10 * MINUTE,
        ...(temperature !== undefined && { temperature }),
      })
    return columns
  }
  const above8 = { side: 'above', threshold: 8, gapMs: 30 * MINUTE } as const

  test('an hour at 10 °C above 8 °C is 120 degree-minutes', () => {
    expect(excessOf(measured(10, 10, 10, 10, 10, 10, 10), 'temperature', above8)).toBeCloseTo(120)
  })

  test('below a limit counts the other way round', () => {
    const below = { ...above8, side: 'below', threshold: 2 } as const
    expect(excessOf(measured(0, 0, 5), 'temperature', below)).toBeCloseTo(20 + 4)
  })

  test('a reading that measured nothing is passed over, a silence counts as nothing', () => {
    expect(excessOf(measured(10, undefined, 10), 'temperature', above8)).toBeCloseTo(40)
    const silent = measured(10, undefined, undefined, undefined, 10)
    expect(excessOf(silent, 'temperature', above8)).toBe(0)
  })
})
