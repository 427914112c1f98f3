import { format } from 'date-fns'

/** The zone every time on screen is told in, by name: `Asia/Karachi`. */
export const zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long ago, for a live screen: `now`, `12 s ago`, `4 min ago`, `3 h ago`, `2 d ago`. Both epoch ms. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000)
  if (seconds < -5) return `in ${span(-seconds)}`
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

/** To the second, with its zone, for hover: `21/11/2026, 2:02:11 PM Asia/Karachi`. */
export function exactTime(at: number): string {
  return `${format(at, 'dd/MM/yyyy, h:mm:ss a')} ${zoneName}`
}

/** The documents' formats, whose `a` is am or pm in small letters and `A` in capitals. */
export const generalTime = (at: number): string => format(at, 'dd/MM/yyyy, h:mm aaa')
export const notificationTime = (at: number): string => format(at, 'dd-MM-yyyy hh:mm aaa')
export const listTime = (at: number): string => format(at, 'dd-MMM-yy h:mm aaa')
export const searchTime = (at: number): string => format(at, 'dd-MM-yyyy HH:mm')
export const observationTime = (at: number | null): string =>
  at === null ? 'N/A' : format(at, 'dd/MM/yyyy hh:mm:ss a')
/** Hours and minutes: `14:02`. */
export const clockTime = (at: number): string => format(at, 'HH:mm')
