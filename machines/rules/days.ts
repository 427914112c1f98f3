import { addDays, startOfDay } from './zoned-time.ts'

/**
 * Where the days of a zone begin that touch [from, to), epoch ms, and `to` at the end: day `i` is from `starts[i]` to
 * `starts[i + 1]`. None where there is no time. The first begins at `from` where that is later. A day on which clocks change is 23 or 25 hours long.
 */
export function dayStarts(from: number, to: number, zone: string): Float64Array {
  if (!(from < to)) return Float64Array.of(from)
  const starts: number[] = []
  for (let start = startOfDay(from, zone); start < to; start = nextDay(start, zone))
    starts.push(Math.max(from, start))
  starts.push(to)
  return Float64Array.from(starts)
}

/** A day later is another day even where midnight does not exist. */
function nextDay(start: number, zone: string): number {
  return startOfDay(addDays(start, 1, zone), zone)
}
