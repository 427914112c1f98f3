import { tz } from '@date-fns/tz'
import { format } from 'date-fns'
import { zoneName } from '../../format/time.ts'
import { zoneLetters } from '../../format/zone-letters.ts'

/** In words, with its zone: `15 Jun 2026 04:00 (PKT)`. @param at epoch ms */
export const spokenTime = (at: number): string =>
  `${format(at, 'd MMM yyyy HH:mm', { in: tz(zoneName) })} (${zoneLetters(at, zoneName)})`
