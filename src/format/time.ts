import { tz } from '@date-fns/tz'
import { format } from 'date-fns'
import * as inZone from '#machines/rules/written-time.ts'
import { instantShowing } from '#machines/rules/zoned-time.ts'

/** The zone every time on screen is told in, by name: `Asia/Karachi`. The browser's own until the server has named one. */
export let zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone

/** All times are told in one zone: that of the visitor's company. */
export function setTimeZone(name: string): void {
  zoneName = name
}

/**
 * How long ago, for a live screen: `now`, `12 s ago`, `4 min ago`, `3 h ago`, `2 d ago`. Both epoch ms. What happened is
 * never ahead: where the clock runs fast, a page that looks at it each second is behind what it is told.
 */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000)
  if (seconds < 5) return 'now'
  return `${span(seconds)} ago`
}

/** A duration in one unit, rounded down: `45 s`, `12 min`, `3 h`, `2 d`. */
export function span(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** How long something lasts, to the minute: `45 s`, `12 min`, `1 h 32`, `2 d 4 h`. */
export function lasting(seconds: number): string {
  if (seconds < 3600) return span(seconds)
  const hours = Math.floor(seconds / 3600)
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  return `${hours} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`
}

/** A moment: epoch ms, or ISO 8601. */
export type Instant = number | string

const epoch = (at: Instant): number => new Date(at).getTime()
const formatted = (at: Instant, pattern: string): string => format(at, pattern, { in: tz(zoneName) })

/** A time in an address, as ISO 8601 has it: epoch ms, in the portal's zone where it names none. NaN: it is no time. */
export function readTime(text: string): number {
  if (/(z|[+-]\d\d:?\d\d)$/i.test(text)) return Date.parse(text)
  const shown = Date.parse(`${text}Z`)
  return Number.isNaN(shown) ? shown : instantShowing(shown, zoneName)
}

/** The one way a time is written where the documents ask for no other, as their date fields have it: `21-11-2026 14:02`. */
export const writtenTime = (at: Instant): string => inZone.writtenTime(epoch(at), zoneName)
/** Its day alone: `21-11-2026`. */
export const writtenDay = (at: Instant): string => formatted(at, 'dd-MM-yyyy')
/** From when to when: `21-11-2026 14:02 to 22-11-2026 14:02`. */
export const writtenSpan = (from: Instant, to: Instant): string =>
  `${writtenTime(from)} to ${writtenTime(to)}`
/** To the second, with its zone, for hover: `21-11-2026 14:02:11 Asia/Karachi`. */
export const exactTime = (at: Instant): string => `${worldTime(at)} ${zoneName}`
/** To the second, of a simulated world: `21-11-2026 14:02:11`. */
export const worldTime = (at: Instant): string => `${writtenDay(at)} ${secondsTime(at)}`
/** Hours and minutes: `14:02`. */
export const clockTime = (at: Instant): string => inZone.clockTime(epoch(at), zoneName)
/** Hours, minutes and seconds: `14:02:11`. */
export const secondsTime = (at: Instant): string => formatted(at, 'HH:mm:ss')

/** The documents' formats, each for what they name it for; their `a` is am or pm in small letters and `A` in capitals. */
export const generalTime = (at: Instant): string => formatted(at, 'dd/MM/yyyy, h:mm aaa')
export const notificationTime = (at: Instant): string => formatted(at, 'dd-MM-yyyy hh:mm aaa')
export const listTime = (at: Instant): string => formatted(at, 'dd-MMM-yy h:mm aaa')
export const observationTime = (at: Instant | null): string =>
  at === null ? 'N/A' : formatted(at, 'dd/MM/yyyy hh:mm:ss a')

/** In an address, with how far its zone is from UTC: `2026-06-15T04:00+05:00`. */
export const addressTime = (at: Instant): string => formatted(at, "yyyy-MM-dd'T'HH:mmxxx")

/** A day of the calendar as records keep it: `2026-11-21`. */
export const calendarDay = (at: Instant): string => formatted(at, 'yyyy-MM-dd')
/** On an axis of days: `Mon 15`. */
export const dayOfMonth = (at: Instant): string => formatted(at, 'EEE d')
/** In a file of values, which sorts by it: `2026-11-21 14:02:11`. */
export const valueTime = (at: Instant): string => formatted(at, 'yyyy-MM-dd HH:mm:ss')
/** For names of files, which take no slashes and colons: `20261121-140211`. */
export const fileTime = (at: Instant): string => formatted(at, 'yyyyMMdd-HHmmss')
