import { tz } from '@date-fns/tz'
import { format } from 'date-fns'
import { zoneName } from './time.ts'
import { zoneLetters } from './zone-letters.ts'

/** A moment (epoch ms) in a sentence that stands by itself: `15 Jun 2026 04:00 (PKT)`. */
export const spokenTime = (at: number): string => `${inWords(at, zoneName)} (${zoneLetters(at, zoneName)})`

/**
 * The same in the zone of whoever made a file, without brackets: `15 Jun 2026 04:20 PKT`; in UTC where this browser does not know
 * that zone.
 */
export function madeTime(at: number, zone = 'UTC'): string {
  try {
    return `${inWords(at, zone)} ${zoneLetters(at, zone)}`
  } catch {
    return `${inWords(at, 'UTC')} UTC`
  }
}

const inWords = (at: number, zone: string): string => format(at, 'd MMM yyyy HH:mm', { in: tz(zone) })
