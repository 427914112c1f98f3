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
 * e.g. `16 June 2026 at 09:00 (Asia/Karachi)`.
 * @param timeZone IANA name; UTC where there is none or none such
 */
export function instantInWords(at: number, timeZone = 'UTC'): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: zone,
  })
  return `${format.format(at)} (${zone})`
}

/** e.g. `16 Jun, 09:00`, where the zone is said beside it. */
export function shortInstant(at: number, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
  }).format(at)
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`
