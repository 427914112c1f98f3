import {
  HISTORY_MAX_MS,
  HISTORY_TOO_LONG,
  OBSERVATIONS_MAX_MS,
  OBSERVATIONS_TOO_LONG,
} from '../contracts/calls/device-calls.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { addDays, addMonths, endOfDay, instantOf, startOfDay, wallTime } from './zoned-time.ts'

/** Epoch ms, both ends included. */
export type DateRange = { from: number; to: number }
/** A range as a form holds it: null while parts of a date are missing. */
export type TypedRange = { from: number | null; to: number | null }

/** Days a range reaches back at first: reports and notifications; the vehicles step and the filter of violations. */
export const REPORT_DAYS = 2
export const FILTER_DAYS = 1

export const NO_START = 'Enter a start date'
export const NO_END = 'Enter a end date'
export const START_AFTER_END = 'Start date cannot be greater than end date'
export const LONGER_THAN_A_MONTH = 'End date can be at most one month after the start'
export const END_AFTER_TODAY = 'End date cannot be after today'

/** The minute that a field without seconds shows of an instant (epoch ms): its first millisecond. */
export const wholeMinute = (at: number | null): number | null => at && Math.floor(at / 60_000) * 60_000

/** The last days up to now, by the clock of the zone: two days before 14:05 is 14:05. */
export function lastDays(days: number, now: number, zone: string): DateRange {
  return { from: addDays(now, -days, zone), to: now }
}

/** The last days as whole ones, from the first millisecond of the first to the last of today. */
export function lastWholeDays(days: number, now: number, zone: string): DateRange {
  return { from: startOfDay(addDays(now, -days, zone), zone), to: endOfDay(now, zone) }
}

/** The latest end a range may have: the end of the day one month after the day it starts, and of today. */
export function latestEnd(from: number, now: number, zone: string): number {
  return Math.min(endOfDay(addMonths(from, 1, zone), zone), endOfDay(now, zone))
}

/** The range with its end drawn in where it lies beyond the latest there may be. One that is not whole stays. */
export function withEndInReach(range: TypedRange, now: number, zone: string): TypedRange {
  const { from, to } = range
  if (from === null || to === null || from > to) return range
  const latest = latestEnd(from, now, zone)
  return to <= latest || latest < from ? range : { from, to: latest }
}

/** A span of any length as spans a history may have: whole ones back from its end, and what is left before them. */
export function historyPieces({ from, to }: DateRange): DateRange[] {
  const pieces: DateRange[] = []
  let end = to
  while (end - from > HISTORY_MAX_MS) {
    pieces.unshift({ from: end - HISTORY_MAX_MS + 1, to: end })
    end -= HISTORY_MAX_MS
  }
  return [{ from, to: end }, ...pieces]
}

/** Hours of a night, by the clock of the zone. */
const NIGHT = { from: 22, to: 6 }
const HOUR_MS = 3_600_000

/** The newest night that is over, or the one that is under way up to now. */
export function lastNight(now: number, zone: string): DateRange {
  const midnight = startOfDay(now, zone)
  const begins = (day: number): number => instantOf({ ...wallTime(day, zone), hour: NIGHT.from }, zone)
  const yesterday = startOfDay(midnight - HOUR_MS, zone)
  const tonight = begins(midnight)
  if (now >= tonight) return { from: tonight, to: now }
  return {
    from: begins(yesterday),
    to: Math.min(now, instantOf({ ...wallTime(midnight, zone), hour: NIGHT.to }, zone)),
  }
}

/** Spans that are a press away, by their words. */
export const PRESETS = {
  hour: '1 h',
  day: '24 h',
  night: 'Last night',
  week: '7 d',
  month: '1 month',
} as const
export type Preset = keyof typeof PRESETS

const DAYS = { day: 1, week: 7 }

/** An offered span as it is now. */
export function presetRange(preset: Preset, now: number, zone: string): DateRange {
  if (preset === 'night') return lastNight(now, zone)
  if (preset === 'month') {
    const from = addMonths(now, -1, zone)
    // on a day that the month before has not: a month from its last day on ends before today
    return { from: latestEnd(from, now, zone) < now ? addDays(from, 1, zone) : from, to: now }
  }
  const hours = preset === 'hour' ? 1 : 24 * DAYS[preset]
  return { from: now - hours * HOUR_MS, to: now }
}

/** Its days as whole ones, the last of them today: seven days are today and the six before. */
export function presetDays(preset: 'day' | 'week' | 'month', now: number, zone: string): DateRange {
  const before = preset === 'month' ? presetRange('month', now, zone).from : addDays(now, -DAYS[preset], zone)
  return { from: startOfDay(addDays(before, 1, zone), zone), to: endOfDay(now, zone) }
}

/** What is wrong with a range of at most one month, one fault an end; the documents' words where they have some. */
export function dateRangeFaults({ from, to }: TypedRange, now: number, zone: string): Fault<'from' | 'to'>[] {
  const isWhole = from !== null && to !== null
  return firstFaults<'from' | 'to'>([
    ['from', NO_START, from === null || !Number.isFinite(from)],
    ['to', NO_END, to === null || !Number.isFinite(to)],
    ['from', START_AFTER_END, isWhole && from > to],
    ['to', END_AFTER_TODAY, isWhole && from <= to && to > endOfDay(now, zone)],
    ['to', LONGER_THAN_A_MONTH, isWhole && from <= to && to > latestEnd(from, now, zone)],
  ])
}

/**
 * Why a range of history (epoch ms) cannot be asked for, in the documents' words; undefined: it can.
 * The documents count begun hours whole, so a millisecond beyond 24 hours is the 25th.
 */
export function historyRangeFault(from: number, to: number): string | undefined {
  return faultOfSpan(from, to, HISTORY_MAX_MS, HISTORY_TOO_LONG)
}

/** The same of a table of observations, which may be 25 hours long. */
export function observationsRangeFault(from: number, to: number): string | undefined {
  return faultOfSpan(from, to, OBSERVATIONS_MAX_MS, OBSERVATIONS_TOO_LONG)
}

function faultOfSpan(from: number, to: number, longestMs: number, tooLong: string): string | undefined {
  if (!Number.isFinite(from)) return NO_START
  if (!Number.isFinite(to)) return NO_END
  if (from > to) return START_AFTER_END
  return to - from > longestMs ? tooLong : undefined
}
