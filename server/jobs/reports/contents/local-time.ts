import { offsetAt } from '#machines/rules/zoned-time.ts'

/** Time as a clock in a zone shows it. */
export type LocalTime = ReturnType<typeof createLocalTime>

/** Zones change their clocks on quarters of an hour of UTC, and on nothing finer. */
const QUARTER = 15 * 60_000
const DAY = 86_400_000
/** 1 January 1970 as a spreadsheet counts days. */
const DAY_1970 = 25_569

/** Asking the platform's table costs microseconds, and a report asks a million times: it asks once a quarter hour. */
export function createLocalTime(zone: string) {
  const offsets = new Map<number, number>()
  let quarter = Number.NaN
  let offset = 0

  /** the wall time of an instant (epoch ms), as if it were UTC */
  function shown(at: number): number {
    const now = Math.floor(at / QUARTER)
    if (now !== quarter) {
      quarter = now
      const known = offsets.get(now)
      offset = known ?? offsetAt(now * QUARTER, zone)
      if (known === undefined) offsets.set(now, offset)
    }
    return at + offset
  }
  const two = (n: number) => String(n).padStart(2, '0')
  const date = (at: number): string => {
    const day = new Date(shown(at))
    return `${two(day.getUTCDate())}-${two(day.getUTCMonth() + 1)}-${day.getUTCFullYear()}`
  }
  const clock = (at: number): string => {
    const day = new Date(shown(at))
    return `${two(day.getUTCHours())}:${two(day.getUTCMinutes())}`
  }
  return {
    zone,
    shown,
    /** days since the last day of 1899, as spreadsheets keep dates; to the millisecond */
    serial: (at: number): number => shown(at) / DAY + DAY_1970,
    /** 21-11-2026 */
    date,
    /** 14:05 */
    clock,
    /** 21-11-2026 14:05 */
    dateTime: (at: number): string => `${date(at)} ${clock(at)}`,
    /** 20261121-1405, as file names have it */
    compact: (at: number): string => {
      const iso = new Date(shown(at)).toISOString()
      return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 16).replace(':', '')}`
    },
  }
}
