import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, endOfDay, instantOf, startOfDay, wallTime } from './zoned-time.ts'

const zones = ['Asia/Karachi', 'UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const zone = fc.constantFrom(...zones)
const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) })

describe('calendar time of a zone', () => {
  test('is told and read back', () => {
    expect(wallTime(Date.UTC(2026, 10, 1, 19, 5, 6, 7), 'Asia/Karachi')).toEqual({
      year: 2026,
      month: 11,
      day: 2,
      hour: 0,
      minute: 5,
      second: 6,
      millisecond: 7,
    })
    fc.assert(
      fc.property(instant, zone, (at, name) => {
        const wall = wallTime(at, name)
        const read = instantOf(wall, name)
        // Of an hour shown twice the first is meant.
        expect(wallTime(read, name)).toEqual(wall)
        expect(read).toBeLessThanOrEqual(at)
        expect(at - read).toBeLessThanOrEqual(3_600_000)
      }),
    )
  })

  test('a day is 23, 24 or 25 hours long, as its zone has it', () => {
    const hours = (at: number) =>
      (endOfDay(at, 'America/New_York') + 1 - startOfDay(at, 'America/New_York')) / 3_600_000
    expect(hours(Date.UTC(2026, 2, 8, 12))).toBe(23)
    expect(hours(Date.UTC(2026, 6, 1, 12))).toBe(24)
    expect(hours(Date.UTC(2026, 10, 1, 12))).toBe(25)
  })

  test('days join without gaps, and an instant is in its own', () => {
    fc.assert(
      fc.property(instant, zone, (at, name) => {
        expect(startOfDay(at, name)).toBeLessThanOrEqual(at)
        expect(endOfDay(at, name)).toBeGreaterThanOrEqual(at)
        expect(startOfDay(endOfDay(at, name) + 1, name)).toBe(endOfDay(at, name) + 1)
      }),
    )
  })

  test('a time that is left out is as much later as the clock jumps', () => {
    const left = { year: 2026, month: 3, day: 8, hour: 2, minute: 30, second: 0, millisecond: 0 }
    expect(instantOf(left, 'America/New_York')).toBe(Date.UTC(2026, 2, 8, 7, 30))
  })

  test.each<[string, number, number, number, number]>([
    // the clocks go on at 2:00 (2:45), and back at 3:00 (3:45)
    ['Pacific/Auckland', 9, 27, 2, Date.UTC(2026, 8, 26, 14, 30)],
    ['Pacific/Auckland', 4, 5, 2, Date.UTC(2026, 3, 4, 13, 30)],
    ['Pacific/Chatham', 9, 27, 3, Date.UTC(2026, 8, 26, 14, 45)],
    ['Pacific/Chatham', 4, 5, 3, Date.UTC(2026, 3, 4, 13, 45)],
  ])('also far from Greenwich: in %s %d/%d at %d:30', (zone, month, day, hour, at) => {
    expect(instantOf({ year: 2026, month, day, hour, minute: 30, second: 0, millisecond: 0 }, zone)).toBe(at)
  })

  test('a day earlier is the same time of day, whatever the clocks did', () => {
    const noon = Date.UTC(2026, 10, 1, 17)
    expect(addDays(noon, -1, 'America/New_York')).toBe(noon - 25 * 3_600_000)
  })

  test('a month later is the same day, or the last of a shorter month', () => {
    expect(addMonths(Date.UTC(2026, 0, 31, 9), 1, 'UTC')).toBe(Date.UTC(2026, 1, 28, 9))
    expect(addMonths(Date.UTC(2026, 11, 15, 9), 1, 'UTC')).toBe(Date.UTC(2027, 0, 15, 9))
    expect(addMonths(Date.UTC(2026, 2, 31, 9), -1, 'UTC')).toBe(Date.UTC(2026, 1, 28, 9))
  })
})
