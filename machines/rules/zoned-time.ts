/** Calendar time of a named zone. Pure: the zone is given, and what it says is the platform's table of zones. */

/** A moment as a wall clock shows it; `month` 1–12. */
export type WallTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** More zones than there are; the same one may be written in many ways. */
const MOST_FORMATS = 1000

/** Making a format costs a thousand times what using it does. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(zone, made)
  return made
}

/** Whether times can be written in it, e.g. Asia/Karachi. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** What a clock in `zone` shows at an instant (epoch ms, from the year 1 on). @throws RangeError where the zone is none */
export function wallTime(at: number, zone: string): WallTime {
  const shown: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return { year, month, day, hour, minute, second, millisecond: ((at % 1000) + 1000) % 1000 }
}

/**
 * The instant at which a clock in `zone` shows this, epoch ms. Of an hour shown twice the first; in an hour that is
 * left out, as much later as the clock jumps.
 */
export function instantOf(wall: WallTime, zone: string): number {
  const shown = asUtc(wall)
  const before = shown - offsetAt(shown - FAR, zone)
  if (asUtc(wallTime(before, zone)) === shown) return before
  const after = shown - offsetAt(shown + FAR, zone)
  return asUtc(wallTime(after, zone)) === shown ? after : before
}

/** The instant at which a clock in `zone` shows what one in UTC shows at another, epoch ms. */
export const instantShowing = (shown: number, zone: string): number => instantOf(wallTime(shown, 'UTC'), zone)

/** The first millisecond of the day that an instant is in. */
export function startOfDay(at: number, zone: string): number {
  return instantOf({ ...wallTime(at, zone), ...MIDNIGHT }, zone)
}

/** The last millisecond of the day that an instant is in. */
export function endOfDay(at: number, zone: string): number {
  const wall = wallTime(at, zone)
  return instantOf({ ...wall, day: wall.day + 1, ...MIDNIGHT }, zone) - 1
}

/** The same time of day, days later or (negative) earlier. */
export function addDays(at: number, days: number, zone: string): number {
  const wall = wallTime(at, zone)
  return instantOf({ ...wall, day: wall.day + days }, zone)
}

/** The same day and time of another month; the last day of a month that is too short for it. */
export function addMonths(at: number, months: number, zone: string): number {
  const wall = wallTime(at, zone)
  const lastDay = new Date(asUtc({ ...wall, month: wall.month + months + 1, day: 0 })).getUTCDate()
  return instantOf({ ...wall, month: wall.month + months, day: Math.min(wall.day, lastDay) }, zone)
}

/** Further from UTC than any zone is: on each side of a change of the clocks. */
const FAR = 24 * 3_600_000
const MIDNIGHT = { hour: 0, minute: 0, second: 0, millisecond: 0 }

/** How far the zone's clocks are ahead of UTC at an instant, ms. */
export const offsetAt = (at: number, zone: string): number => asUtc(wallTime(at, zone)) - at

/** Zones change their clocks on quarters of an hour of UTC, and on nothing finer. */
const QUARTER = 15 * 60_000

/**
 * What a clock of the zone shows at an instant (epoch ms), as if it were UTC: for many instants, as the platform's table, which
 * takes microseconds, is asked once for each quarter of an hour.
 */
export function clockOf(zone: string): (at: number) => number {
  const offsets = new Map<number, number>()
  let quarter = Number.NaN
  let offset = 0
  return (at) => {
    const now = Math.floor(at / QUARTER)
    if (now !== quarter) {
      quarter = now
      const known = offsets.get(now)
      offset = known ?? offsetAt(now * QUARTER, zone)
      if (known === undefined) offsets.set(now, offset)
    }
    return at + offset
  }
}

/** A wall time read as if it were UTC; days and months beyond their ends run over. Years below 100 are themselves. */
function asUtc({ year, month, day, hour, minute, second, millisecond }: WallTime): number {
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  return at.setUTCHours(hour, minute, second, millisecond)
}
