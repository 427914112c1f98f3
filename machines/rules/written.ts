import { wallTime } from './zoned-time.ts'

/** How figures, times and places are written wherever people read them: in the portal, in mails and messages, in print. */

/**
 * A number with a true minus: a hyphen is too short beside figures. And -0.0 is 0.0.
 * @param decimals as many, always; left out: as many as it has
 */
export function figure(value: number, decimals?: number): string {
  const text = decimals === undefined ? String(value) : value.toFixed(decimals)
  return /^-0[.0]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212')
}

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

/** A position in degrees, to be copied into any map: `31.52000, 74.35000`. Five decimals are a metre. */
export const coordinates = ({ lat, lng }: { lat: number; lng: number }): string =>
  `${lat.toFixed(5)}, ${lng.toFixed(5)}`

const two = (n: number): string => String(n).padStart(2, '0')
