import { tz } from '@date-fns/tz'
import { format } from 'date-fns'
import { zoneName } from '../../format/time.ts'

/** In words, with its zone: `15 Jun 2026 04:00 (PKT)`. @param at epoch ms */
export const spokenTime = (at: number): string =>
  `${format(at, 'd MMM yyyy HH:mm', { in: tz(zoneName) })} (${zoneLetters(at)})`

/** What people there call their zone, where browsers say no more than `GMT+5`. */
const ZONE_LETTERS: Record<string, string> = {
  'Asia/Karachi': 'PKT',
  'Asia/Kolkata': 'IST',
  'Asia/Dubai': 'GST',
}
const zoneLetters = (at: number): string =>
  ZONE_LETTERS[zoneName] ??
  new Intl.DateTimeFormat('en', { timeZone: zoneName, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ??
  zoneName
