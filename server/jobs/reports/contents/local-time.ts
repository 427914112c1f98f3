import { clockOf } from '#machines/rules/zoned-time.ts'

/** Time as a clock in a zone shows it. */
export type LocalTime = ReturnType<typeof createLocalTime>

const DAY = 86_400_000
/** 1 January 1970 as a spreadsheet counts days. */
const DAY_1970 = 25_569

/** For as many times as a report has. */
export function createLocalTime(zone: string) {
  /** the wall time of an instant (epoch ms), as if it were UTC */
  const shown = clockOf(zone)
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
