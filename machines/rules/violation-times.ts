import { dayStarts } from './days.ts'
import { wallTime } from './zoned-time.ts'

/** A time that a value was beyond a limit; `to` is where it was within again. Epoch ms. */
export type TimeBeyond = { from: number; to: number }

const HOUR = 3_600_000

/** Times that lie one behind the other: those that touch or overlap are one. */
export function joined(times: readonly TimeBeyond[]): TimeBeyond[] {
  const all: TimeBeyond[] = []
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/**
 * Adds up times by the day and by the hour of the day they lie in, as a clock in `zone` shows them; what lies outside
 * [from, to) is left out. An hour that clocks show twice is one, one they leave out has nothing.
 */
export function createTimeSums({ from, to }: TimeBeyond, zone: string) {
  const days = dayStarts(from, to, zone)
  const parts = hourStarts(days, zone)
  /** ms by day and by hour of the day */
  const byDay = new Float64Array(days.length - 1)
  const byHour = new Float64Array(24)
  return {
    days,
    byDay,
    byHour,
    /** the day an instant of the range is on */
    dayOf: (at: number): number => parts.day[lastAtOrBefore(parts.starts, at)] ?? 0,
    add(time: TimeBeyond): void {
      const end = Math.min(time.to, to)
      let at = Math.max(time.from, from)
      for (let i = lastAtOrBefore(parts.starts, at); at < end; i++) {
        const until = Math.min(end, parts.starts[i + 1] as number)
        byDay[parts.day[i] as number] = (byDay[parts.day[i] as number] as number) + until - at
        byHour[parts.hour[i] as number] = (byHour[parts.hour[i] as number] as number) + until - at
        at = until
      }
    },
  }
}

/** Where the hours of days begin, the end of the last behind them; of each its day and its hour of the day. */
function hourStarts(days: Float64Array, zone: string) {
  const starts: number[] = []
  const day: number[] = []
  const hour: number[] = []
  for (let i = 0; i + 1 < days.length; i++) {
    const end = days[i + 1] as number
    for (let at = days[i] as number; at < end; ) {
      const wall = wallTime(at, zone)
      starts.push(at)
      day.push(i)
      hour.push(wall.hour)
      at = Math.min(end, at + HOUR - (wall.minute * 60_000 + wall.second * 1000 + wall.millisecond))
    }
  }
  starts.push(days.at(-1) as number)
  return { starts, day, hour }
}

function lastAtOrBefore(starts: readonly number[], at: number): number {
  let low = 0
  for (let high = starts.length - 1; low + 1 < high; ) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= at) low = middle
    else high = middle
  }
  return low
}
