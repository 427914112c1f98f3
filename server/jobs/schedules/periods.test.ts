import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScheduleInterval } from '#machines/contracts/entities/reports.ts'
import { startOfDay, wallTime } from '#machines/rules/zoned-time.ts'
import { periodEndingAfter } from './periods.ts'

const HOUR = 3_600_000
const INTERVALS: ScheduleInterval[] = ['Daily', 'Weekly', 'Monthly', 'TenDays']
const ZONES = ['Asia/Karachi', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']
const at = (text: string) => Date.parse(text)
const iso = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((instant) => new Date(instant).toISOString())

describe('a period ends', () => {
  test.each<[ScheduleInterval, string, string, string]>([
    ['Daily', '2026-11-21T12:00:00+05:00', '2026-11-21T00:00:00+05:00', '2026-11-22T00:00:00+05:00'],
    ['Weekly', '2026-11-21T12:00:00+05:00', '2026-11-16T00:00:00+05:00', '2026-11-23T00:00:00+05:00'],
    ['Monthly', '2026-11-21T12:00:00+05:00', '2026-11-01T00:00:00+05:00', '2026-12-01T00:00:00+05:00'],
    ['TenDays', '2026-11-20T12:00:00+05:00', '2026-11-11T00:00:00+05:00', '2026-11-21T00:00:00+05:00'],
    ['TenDays', '2026-11-21T12:00:00+05:00', '2026-11-21T00:00:00+05:00', '2026-12-01T00:00:00+05:00'],
    // at the end of one, the next
    ['Daily', '2026-11-22T00:00:00+05:00', '2026-11-22T00:00:00+05:00', '2026-11-23T00:00:00+05:00'],
  ])('%s, asked at %s', (interval, now, from, to) =>
    expect(periodEndingAfter(at(now), interval, 'Asia/Karachi')).toEqual({ from: at(from), to: at(to) }),
  )

  test('at the midnight of the zone where clocks change: a day has 23 hours in March, 25 in October', () => {
    const march = periodEndingAfter(at('2026-03-29T12:00:00Z'), 'Daily', 'Europe/Berlin')
    expect(iso(march)).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
    const october = periodEndingAfter(at('2026-10-25T12:00:00Z'), 'Daily', 'Europe/Berlin')
    expect(iso(october)).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
  })
})

test('one period begins where the one before ended, at a midnight of the zone, wherever one looks from', () => {
  const instant = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2028-12-31T00:00:00Z') })
  fc.assert(
    fc.property(
      instant,
      fc.constantFrom(...INTERVALS),
      fc.constantFrom(...ZONES),
      fc.nat(40),
      (start, interval, zone, hours) => {
        const period = periodEndingAfter(start, interval, zone)
        expect(period.to).toBeGreaterThan(start)
        expect(period.from).toBeLessThanOrEqual(start)
        const next = periodEndingAfter(period.to, interval, zone)
        expect(next.from).toBe(period.to)
        const inside = Math.min(period.to - 1, period.from + hours * HOUR)
        expect(periodEndingAfter(inside, interval, zone)).toEqual(period)
        expect(startOfDay(period.to, zone)).toBe(period.to)
        expect(wallTime(period.to, zone).hour).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})
