import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type ReadingColumns } from '../contracts/readings.ts'
import { dayStarts } from './days.ts'
import { kineticTerm, meanKinetic } from './mean-kinetic.ts'
import { type LimitsSince, meanKineticOf, meanOf, sumTallies, temperatureDays } from './temperature-tally.ts'

const MINUTE = 60_000
const GAP = 10 * MINUTE
const START = Date.UTC(2026, 10, 20, 18)
const limits = (low: number, high: number) => ({ low, high, delay: 0, margin: 0, gap: GAP })
const BAND: LimitsSince[] = [{ from: 0, limits: limits(2, 8) }]

function columnsOf(rows: [minute: number, celsius: number | undefined][]): ReadingColumns {
  const columns = createReadings(rows.length)
  for (const [minute, temperature] of rows)
    pushReading(columns, { device: 0, at: START + minute * MINUTE, temperature })
  return columns
}
/** Waits in minutes, one after the other, as minutes since the start. */
function ascending<T>(steps: readonly (readonly [wait: number, T])[]): [minute: number, T][] {
  let minute = 0
  return steps.map(([wait, value]) => {
    minute += wait
    return [minute, value]
  })
}
const whole = (columns: ReadingColumns, band = BAND) =>
  sumTallies(temperatureDays(columns, dayStarts(START, START + 5 * 86_400_000, 'Asia/Karachi'), GAP, band))

describe('mean kinetic temperature', () => {
  test('is what USP <1079> and Haynes reckon', () => {
    const mean = (values: number[]) =>
      meanKinetic(values.reduce((sum, value) => sum + kineticTerm(value), 0) / values.length)
    // by hand: 10000 K / -ln((e^(-10000/293.15) + e^(-10000/298.15) + e^(-10000/303.15)) / 3) - 273.15
    expect(mean([20, 25, 30])).toBeCloseTo(25.86, 2)
    expect(mean([5])).toBeCloseTo(5, 9)
    expect(meanKinetic(0)).toBeNaN()
  })

  test('lies between the extremes and never below the mean', () => {
    const readings = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -3000, max: 4500 })),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    fc.assert(
      fc.property(readings, (steps) => {
        const columns = columnsOf(
          ascending(steps).map(([minute, hundredths]): [number, number] => [minute, hundredths / 100]),
        )
        const tally = whole(columns)
        expect(meanKineticOf(tally)).toBeGreaterThanOrEqual(tally.min - 1e-6)
        expect(meanKineticOf(tally)).toBeLessThanOrEqual(tally.max + 1e-6)
        expect(meanKineticOf(tally)).toBeGreaterThanOrEqual(meanOf(tally) - 1e-6)
      }),
    )
  })
})

describe('the temperature of some time', () => {
  test('weighs a reading by the time it stands for', () => {
    const tally = whole(
      columnsOf([
        [0, 4],
        [1, 4],
        [2, 10],
        [10, 10],
        [11, 4],
      ]),
    )
    expect(tally.measured / MINUTE).toBe(11)
    expect(tally.above / MINUTE).toBe(9)
    expect(meanOf(tally)).toBeCloseTo((4 * 2 + 10 * 9) / 11, 9)
    expect([tally.min, tally.minAt, tally.max, tally.maxAt]).toEqual([4, START, 10, START + 2 * MINUTE])
  })

  test('makes nothing up in a gap, nor where a sensor was silent', () => {
    const tally = whole(
      columnsOf([
        [0, 10],
        [1, 10],
        [5, undefined],
        [40, 10],
        [41, 10],
      ]),
    )
    expect([tally.measured, tally.above].map((ms) => ms / MINUTE)).toEqual([2, 2])
    expect(tally.count).toBe(4)
  })

  test('is out of range by the limits in force when it was read', () => {
    const band = [...BAND, { from: START + 5 * MINUTE, limits: limits(2, 12) }]
    const tally = whole(
      columnsOf([
        [0, 10],
        [2, 10],
        [4, 10],
        [6, 10],
        [8, 1],
      ]),
      band,
    )
    expect([tally.above, tally.below].map((ms) => ms / MINUTE)).toEqual([5, 1])
  })

  test('counts readings beyond the limits that stand for no time', () => {
    const hourly = (celsius: number) =>
      Array.from({ length: 24 }, (_, hour): [number, number] => [hour * 60, celsius])
    expect(whole(columnsOf(hourly(25)))).toMatchObject({
      measured: 0,
      above: 0,
      countAbove: 24,
      countBelow: 0,
      countApart: 24,
    })
    expect(whole(columnsOf(hourly(1)))).toMatchObject({ below: 0, countAbove: 0, countBelow: 24 })
    expect(whole(columnsOf(hourly(5)))).toMatchObject({ countAbove: 0, countBelow: 0 })
  })

  test('has no limits where none are set, and is nothing where nothing was measured', () => {
    expect(
      whole(
        columnsOf([
          [0, 50],
          [1, 50],
        ]),
        [{ from: 0, limits: limits(Number.NaN, Number.NaN) }],
      ).above,
    ).toBe(0)
    expect(whole(columnsOf([[0, undefined]]))).toMatchObject({ count: 0, measured: 0, min: Number.NaN })
    expect(meanOf(whole(columnsOf([[0, 7]])))).toBe(7)
  })

  test('adds up from any days', () => {
    const history = fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 700 }),
        fc.option(fc.integer({ min: -300, max: 1500 }), { nil: undefined }),
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(
        history,
        fc.constantFrom('Asia/Karachi', 'Europe/Berlin', 'Pacific/Chatham'),
        (steps, zone) => {
          const rows = ascending(steps)
          const columns = columnsOf(rows.map(([minute, tenths]) => [minute, tenths && tenths / 10]))
          const end = START + ((rows.at(-1)?.[0] ?? 0) + 1) * MINUTE
          const days = sumTallies(temperatureDays(columns, dayStarts(START, end, zone), GAP, BAND))
          const [one] = temperatureDays(columns, Float64Array.of(START, end), GAP, BAND)
          for (const [name, value] of Object.entries(one ?? {}))
            if (!Number.isNaN(value)) expect(days[name as keyof typeof days]).toBeCloseTo(value, 3)
        },
      ),
    )
  })
})
