import { counted } from '#machines/rules/figures.ts'
import { writtenTime } from '#machines/rules/written-time.ts'
import { isTimeZone } from '#machines/rules/zoned-time.ts'

const SECOND = 1000
const UNITS = [
  { name: 'day', ms: 86_400 * SECOND },
  { name: 'hour', ms: 3600 * SECOND },
  { name: 'minute', ms: 60 * SECOND },
]

/** e.g. `24 hours`, `90 minutes`: in the largest unit that it is at least two of, or one exactly. */
export function durationInWords(ms: number): string {
  const whole = UNITS.find((unit) => ms % unit.ms === 0 && (unit.name !== 'day' || ms > unit.ms))
  if (whole !== undefined) return counted(ms / whole.ms, whole.name)
  const near = UNITS.find((unit) => ms >= 2 * unit.ms) ?? { name: 'second', ms: SECOND }
  return counted(Math.floor(ms / near.ms), near.name)
}

/**
 * e.g. `16-06-2026 09:00 (Asia/Karachi)`.
 * @param timeZone IANA name; UTC where there is none or none such
 */
export function instantInWords(at: number, timeZone?: string): string {
  return `${shortInstant(at, timeZone)} (${knownZone(timeZone)})`
}

/** e.g. `16-06-2026 09:00`, where the zone is said beside it. */
export const shortInstant = (at: number, timeZone?: string): string => writtenTime(at, knownZone(timeZone))

const knownZone = (timeZone = 'UTC'): string => (isTimeZone(timeZone) ? timeZone : 'UTC')
