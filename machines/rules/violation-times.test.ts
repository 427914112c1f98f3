import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTimeSums, joined } from './violation-times.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const KARACHI = 'Asia/Karachi'
/** 14 June 2026, 00:00 in Karachi */
const MIDNIGHT = Date.UTC(2026, 5, 13, 19)

describe('times that overlap are one', () => {
  test('in any order', () => {
    expect(
      joined([
        { from: 50, to: 60 },
        { from: 0, to: 10 },
        { from: 5, to: 20 },
        { from: 20, to: 30 },
      ]),
    ).toEqual([
      { from: 0, to: 30 },
      { from: 50, to: 60 },
    ])
  })
})

describe('sums by day and hour', () => {
  test('a night from 23:30 to 01:15 is on two days and in three hours', () => {
    const sums = createTimeSums({ from: MIDNIGHT - DAY, to: MIDNIGHT + DAY }, KARACHI)
    sums.add({ from: MIDNIGHT - 30 * MINUTE, to: MIDNIGHT + 75 * MINUTE })
    expect([...sums.byDay]).toEqual([30 * MINUTE, 75 * MINUTE])
    expect(sums.byHour[23]).toBe(30 * MINUTE)
    expect(sums.byHour[0]).toBe(HOUR)
    expect(sums.byHour[1]).toBe(15 * MINUTE)
  })

  test('what lies outside the range is left out', () => {
    const sums = createTimeSums({ from: MIDNIGHT + 10 * HOUR, to: MIDNIGHT + 12 * HOUR }, KARACHI)
    sums.add({ from: MIDNIGHT, to: MIDNIGHT + DAY })
    sums.add({ from: MIDNIGHT, to: MIDNIGHT + HOUR })
    expect([...sums.byDay]).toEqual([2 * HOUR])
  })

  test('where clocks change the day is as long as it is', () => {
    // 25 October 2026 has 25 hours in Berlin, 02:00 to 03:00 twice
    const from = Date.UTC(2026, 9, 24, 22)
    const sums = createTimeSums({ from, to: from + 25 * HOUR }, 'Europe/Berlin')
    sums.add({ from, to: from + 25 * HOUR })
    expect([...sums.byDay]).toEqual([25 * HOUR])
    expect(sums.byHour[2]).toBe(2 * HOUR)
  })

  test('days and hours have the same sum: the time within the range, in every zone', () => {
    const zones = [KARACHI, 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'UTC']
    const instant = fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2026, 10, 4) })
    const time = fc.tuple(instant, instant).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, fc.array(time, { maxLength: 5 }), (zone, range, times) => {
        const sums = createTimeSums(range, zone)
        for (const one of times) sums.add(one)
        const within = times.reduce(
          (sum, { from, to }) => sum + Math.max(0, Math.min(to, range.to) - Math.max(from, range.from)),
          0,
        )
        const total = (values: Float64Array) => values.reduce((a, b) => a + b, 0)
        expect(total(sums.byDay)).toBe(within)
        expect(total(sums.byHour)).toBe(within)
      }),
    )
  })
})
