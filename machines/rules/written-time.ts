import { wallTime } from './zoned-time.ts'

/** How times are written wherever people read them: in the portal, in mails and messages, in print. */

/** A moment (epoch ms) in a named zone, as the documents' date fields have it: `21-11-2026 14:05`. */
export function writtenTime(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone)
  return `${two(day)}-${two(month)}-${String(year).padStart(4, '0')} ${clockTime(at, zone)}`
}

/** Hours and minutes in a named zone: `14:05`. */
export function clockTime(at: number, zone: string): string {
  const { hour, minute } = wallTime(at, zone)
  return `${two(hour)}:${two(minute)}`
}

const two = (n: number): string => String(n).padStart(2, '0')
