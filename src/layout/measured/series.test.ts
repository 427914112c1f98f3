import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meanwhileOf, seriesOf } from './series.ts'

const MINUTE = 60_000
const start = Date.UTC(2026, 10, 1)
const thresholds = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
  tmin: -30,
  tmax: 70,
  hmin: -40,
  hmax: 100,
}
const history = (...values: [minute: number, temperature: number | null][]) => ({
  points: values.map(([minute, temperature]) => ({
    dateTime: new Date(start + minute * MINUTE).toISOString(),
    temperature,
    humidity: null,
    lat: null,
    lng: null,
  })),
  latest: null,
  thresholds,
})

describe('a series', () => {
  test('breaks where there were no readings, and says from when to when', () => {
    const { samples, gaps } = seriesOf(history([0, 4], [5, 5], [10, 4], [70, 6], [75, 6]), 'temperature')
    expect(gaps.map((gap) => [gap.from.getTime() - start, gap.to.getTime() - start])).toEqual([
      [10 * MINUTE, 70 * MINUTE],
    ])
    expect(samples.map((sample) => sample.value)).toEqual([4, 5, 4, Number.NaN, 6, 6])
  })

  test('tells what is one violation as one spell, since when that began', () => {
    const violation = (minute: number, cleared: number | null) => ({
      type: 'HIGH_TEMPERATURE_DETECTED' as const,
      since: new Date(start + minute * MINUTE).toISOString(),
      clearedAt: cleared === null ? null : new Date(start + cleared * MINUTE).toISOString(),
    })
    // 7.9 °C is inside, but by less than the margin
    const points = history([0, 9], [5, 7.9], [10, 9.5], [15, 6], [20, 9], [25, 6])
    const spellsOf = (violations: ReturnType<typeof violation>[]) =>
      seriesOf({ ...points, violations }, 'temperature').spells.map(({ from, to, isFromStart, worst }) => [
        (from.getTime() - start) / MINUTE,
        (to.getTime() - start) / MINUTE,
        isFromStart,
        worst.value,
      ])
    expect(spellsOf([])).toEqual([
      [0, 5, true, 9],
      [10, 15, false, 9.5],
      [20, 25, false, 9],
    ])
    expect(spellsOf([violation(-600, 15)])).toEqual([
      [-600, 15, false, 9.5],
      [20, 25, false, 9],
    ])
    expect(spellsOf([{ ...violation(-600, 15), type: 'HIGH_HUMIDITY_DETECTED' as never }])).toHaveLength(3)
  })

  test('of how it looked meanwhile has a gap where readings came late', () => {
    const whole = history([0, 4], [5, 5], [30, 12], [60, 5], [65, 4])
    const points = whole.points.map((point, i) =>
      i === 2 ? { ...point, receivedAt: whole.points[3]?.dateTime } : point,
    )
    const { gaps, spells } = seriesOf(meanwhileOf({ ...whole, points }), 'temperature')
    expect(gaps.map(({ from, to }) => [from.getTime() - start, to.getTime() - start])).toEqual([
      [5 * MINUTE, 60 * MINUTE],
    ])
    expect(spells).toEqual([])
  })

  test('counts the time beyond the limits from where the line crosses them', () => {
    expect(seriesOf(history([0, 6], [4, 10], [8, 10], [12, 6]), 'temperature').beyond).toBe(8 * MINUTE)
    expect(seriesOf(history([0, 1], [5, 1]), 'temperature').beyond).toBe(5 * MINUTE)
  })

  test('never counts silence as time beyond the limits', () => {
    expect(seriesOf(history([0, 20], [5, 20], [300, 20]), 'temperature').beyond).toBe(5 * MINUTE)
  })

  test('leaves out what was not measured', () => {
    expect(seriesOf(history([0, 4], [5, null], [8, 5]), 'temperature').samples).toHaveLength(2)
    expect(seriesOf(history([0, 4]), 'humidity').samples).toEqual([])
  })

  test('tells each spell from its first reading beyond to the first inside again', () => {
    const { spells } = seriesOf(history([0, 6], [5, 10], [10, 12], [15, 4], [20, 1], [25, 1]), 'temperature')
    expect(
      spells.map(({ from, to, worst, ...rest }) => ({
        ...rest,
        from: (from.getTime() - start) / MINUTE,
        to: (to.getTime() - start) / MINUTE,
        worst: worst.value,
      })),
    ).toEqual([
      // 10 to 12 over 5 minutes: 15; 12 to 4 is beyond 8 for half of them: 5
      {
        side: 'above',
        limit: 8,
        from: 5,
        to: 15,
        worst: 12,
        degreeMinutes: 20,
        isOpen: false,
        isFromStart: false,
      },
      {
        side: 'below',
        limit: 2,
        from: 20,
        to: 25,
        worst: 1,
        degreeMinutes: 5,
        isOpen: true,
        isFromStart: false,
      },
    ])
  })

  test('ends a spell where nothing was measured, and says which may have begun before', () => {
    const { spells } = seriesOf(history([0, 9], [5, 9], [300, 9], [305, 9]), 'temperature')
    expect(spells.map(({ isOpen, isFromStart, from, to }) => [isOpen, isFromStart, +to - +from])).toEqual([
      [false, true, 5 * MINUTE],
      [true, false, 5 * MINUTE],
    ])
  })

  test('time beyond is never longer than the time shown', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 40 }), { minLength: 2, maxLength: 50 }), (values) => {
        const { beyond } = seriesOf(
          history(...values.map((value, i): [number, number] => [i * 5, value])),
          'temperature',
        )
        expect(beyond).toBeGreaterThanOrEqual(0)
        expect(beyond).toBeLessThanOrEqual((values.length - 1) * 5 * MINUTE + 1)
      }),
    )
  })
})
