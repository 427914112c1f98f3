import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DateRange,
  dateRangeFaults,
  END_AFTER_TODAY,
  historyPieces,
  historyRangeFault,
  LONGER_THAN_A_MONTH,
  lastDays,
  lastNight,
  lastWholeDays,
  latestEnd,
  presetDays,
  presetRange,
  withEndInReach,
} from './date-range.ts'
import { wallTime } from './zoned-time.ts'

const start = Date.UTC(2026, 10, 1)
const hour = 3_600_000

describe('a range of history', () => {
  test('may be a whole day, to the millisecond', () => {
    expect(historyRangeFault(start, start + 24 * hour)).toBeUndefined()
    expect(historyRangeFault(start, start + 24 * hour + 1)).toBe('Duration Should be 1 Day Maximum')
  })
  test('must begin before it ends', () => {
    expect(historyRangeFault(start, start - 1)).toBe('Start date cannot be greater than end date')
  })
  test('needs both ends', () => {
    expect(historyRangeFault(Number.NaN, start)).toBe('Enter a start date')
    expect(historyRangeFault(start, Number.NaN)).toBe('Enter a end date')
  })
})

describe('a longer history', () => {
  test('is asked for in days back from its end, no instant twice', () => {
    const day = 24 * hour
    expect(historyPieces({ from: start, to: start + day })).toEqual([{ from: start, to: start + day }])
    expect(historyPieces({ from: start, to: start + 2 * day + hour })).toEqual([
      { from: start, to: start + hour },
      { from: start + hour + 1, to: start + day + hour },
      { from: start + day + hour + 1, to: start + 2 * day + hour },
    ])
  })
  test('has only pieces that a history may have, without a hole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * 24 * hour }), (length) => {
        const pieces = historyPieces({ from: start, to: start + length })
        for (const [i, { from, to }] of pieces.entries()) {
          expect(historyRangeFault(from, to)).toBeUndefined()
          expect(from).toBe(i === 0 ? start : (pieces[i - 1]?.to as number) + 1)
        }
        expect(pieces.at(-1)?.to).toBe(start + length)
      }),
    )
  })
})

const zone = 'Asia/Karachi'
/** 21-11-2026 14:05 in Karachi, five hours ahead of UTC. */
const now = Date.UTC(2026, 10, 21, 9, 5)
const local = (day: number, h = 0, min = 0, s = 0, ms = 0, month = 10) =>
  Date.UTC(2026, month, day, h - 5, min, s, ms)

describe('a range of up to a month', () => {
  test('reaches days back at first, to the minute or as whole days', () => {
    expect(lastDays(2, now, zone)).toEqual({ from: local(19, 14, 5), to: now })
    expect(lastWholeDays(1, now, zone)).toEqual({ from: local(20), to: local(21, 23, 59, 59, 999) })
  })

  test('may be last night: the newest that is over, or the one under way', () => {
    expect(lastNight(now, zone)).toEqual({ from: local(20, 22), to: local(21, 6) })
    expect(lastNight(local(21, 3), zone)).toEqual({ from: local(20, 22), to: local(21, 3) })
    expect(lastNight(local(21, 23), zone)).toEqual({ from: local(21, 22), to: local(21, 23) })
  })

  test('ends a month after its start at the latest, and today', () => {
    expect(latestEnd(local(3, 8, 0, 0, 0, 8), now, zone)).toBe(local(3, 23, 59, 59, 999, 9))
    expect(latestEnd(local(31, 8, 0, 0, 0, 7), now, zone)).toBe(local(30, 23, 59, 59, 999, 8))
    expect(latestEnd(local(20), now, zone)).toBe(local(21, 23, 59, 59, 999))
  })

  test('has its end drawn in, and nothing else', () => {
    const early = local(3, 8, 0, 0, 0, 8)
    expect(withEndInReach({ from: early, to: now }, now, zone)).toEqual({
      from: early,
      to: local(3, 23, 59, 59, 999, 9),
    })
    for (const range of [
      { from: local(20), to: now },
      { from: now, to: local(20) },
      { from: null, to: now },
      { from: early, to: null },
    ])
      expect(withEndInReach(range, now, zone)).toEqual(range)
  })

  test('says what is wrong where it is wrong', () => {
    const faults = (from: number | null, to: number | null) =>
      dateRangeFaults({ from, to }, now, zone).map(({ path, message }) => `${path}: ${message}`)
    expect(faults(null, null)).toEqual(['from: Enter a start date', 'to: Enter a end date'])
    expect(faults(now, now - 1)).toEqual(['from: Start date cannot be greater than end date'])
    expect(faults(local(1), local(22))).toEqual([`to: ${END_AFTER_TODAY}`])
    expect(faults(local(1, 0, 0, 0, 0, 8), local(2, 0, 0, 0, 0, 9))).toEqual([`to: ${LONGER_THAN_A_MONTH}`])
    expect(faults(local(1, 0, 0, 0, 0, 9), local(1, 23, 59, 59, 999))).toEqual([])
  })

  test('whatever starts by today is right once its end is drawn in', () => {
    const instant = fc.integer({ min: Date.UTC(2020, 0), max: now })
    fc.assert(
      fc.property(instant, fc.nat(400 * 24 * hour), (from, span) => {
        const drawn = withEndInReach({ from, to: from + span }, now, zone)
        expect(dateRangeFaults(drawn, now, zone)).toEqual([])
      }),
    )
  })
})

describe('an offered span', () => {
  const now = Date.UTC(2026, 10, 21, 9, 5)
  test('ends now, or with the night', () => {
    expect(presetRange('hour', now, 'UTC')).toEqual({ from: now - hour, to: now })
    expect(presetRange('week', now, 'UTC')).toEqual({ from: now - 7 * 24 * hour, to: now })
    expect(presetRange('night', now, 'UTC')).toEqual(lastNight(now, 'UTC'))
    expect(presetRange('month', now, 'UTC')).toEqual({ from: Date.UTC(2026, 9, 21, 9, 5), to: now })
  })
  test('is of whole days where days are asked for, the last of them today', () => {
    const to = Date.UTC(2026, 10, 22) - 1
    expect(presetDays('day', now, 'UTC')).toEqual({ from: Date.UTC(2026, 10, 21), to })
    expect(presetDays('week', now, 'UTC')).toEqual({ from: Date.UTC(2026, 10, 15), to })
  })
  test('may always be asked for, whatever day it is', () => {
    for (let day = 0; day < 2 * 366; day++)
      expectToBeOffered(start + (day * 24 + (day % 24)) * hour, 'Asia/Karachi')
  })
  test.each([
    ['Europe/London', Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 24)],
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4), Date.UTC(2026, 9, 3)],
  ])('has as many days as it says in the weeks in which the clocks of %s change', (zone, ...weeks) => {
    for (const from of weeks)
      for (let at = from; at < from + 9 * 24 * hour; at += hour / 2) {
        expectToBeOffered(at, zone)
        expect(calendarDays(presetDays('day', at, zone), zone), new Date(at).toISOString()).toBe(1)
        expect(calendarDays(presetDays('week', at, zone), zone), new Date(at).toISOString()).toBe(7)
      }
  })
})

/** Each span can be asked for, as it is and of whole days. */
function expectToBeOffered(at: number, zone: string) {
  const faults = [
    ...(['hour', 'day', 'night', 'week', 'month'] as const).map((preset) => presetRange(preset, at, zone)),
    ...(['day', 'week', 'month'] as const).map((preset) => presetDays(preset, at, zone)),
  ].flatMap((range) => dateRangeFaults(range, at, zone))
  expect(faults, new Date(at).toISOString()).toEqual([])
}

/** Dates of a range of whole days, both ends counted. */
function calendarDays({ from, to }: DateRange, zone: string): number {
  const date = (at: number) => {
    const { year, month, day } = wallTime(at, zone)
    return Date.UTC(year, month - 1, day)
  }
  return (date(to) - date(from)) / (24 * hour) + 1
}
