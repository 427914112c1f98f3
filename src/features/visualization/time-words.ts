import type { DateRange } from '#machines/rules/date-range.ts'
import { counted } from '#machines/rules/figures.ts'
import { generalTime, lasting, zoneName } from '../../format/time.ts'

/** `1 h 32`, for minutes. */
export const minutesInWords = (minutes: number): string => lasting(Math.round(minutes * 60))

/** `1,840 degree-minutes`, `12 percent-minutes`, both where both were out; nothing where it is too much to add up. */
export function excessInWords(degreeMinutes: number | null, percentMinutes: number | null): string[] {
  if (degreeMinutes === null || percentMinutes === null) return []
  return [
    ...(degreeMinutes > 0 || percentMinutes === 0 ? [excess(degreeMinutes, 'degree-minute')] : []),
    ...(percentMinutes > 0 ? [excess(percentMinutes, 'percent-minute')] : []),
  ]
}

function excess(amount: number, unit: string): string {
  const whole = Math.round(amount)
  if (whole === 0 && amount > 0) return `under 1 ${unit}`
  return counted(whole, unit)
}

/** The line under a saved chart: what it shows, and of when. */
export const captionOf = (what: string, { from, to }: DateRange): string =>
  `${what} · ${generalTime(from)} to ${generalTime(to)} ${zoneName}`

/** A week of a calendar, Monday first; undefined: a day that is not of it. */
export type Week<Day> = readonly (Day | undefined)[]

/** Days that follow each other, `2026-06-14` each, by weeks. */
export function weeksOf<Day extends { day: string }>(days: readonly Day[]): Week<Day>[] {
  const weeks: (Day | undefined)[][] = []
  for (const one of days) {
    const weekday = (new Date(`${one.day}T00:00:00Z`).getUTCDay() + 6) % 7
    if (weekday === 0 || weeks.length === 0) weeks.push(Array.from({ length: 7 }, () => undefined))
    ;(weeks.at(-1) as (Day | undefined)[])[weekday] = one
  }
  return weeks
}
