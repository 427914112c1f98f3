/** Minutes of readings that a slope is taken from, and how few of them are too few. */
const WINDOW = 30
const FEWEST = 10
/** Pairs of readings closer than this (minutes) say more about noise than about the slope. */
const APART = 5
/** A slope is steady where both halves rise by at least this share of the whole, and what is off the line stays below this of the rise. */
const HALF = 0.5
const SPREAD = 1 / 8
/** Farther ahead nothing is said, minutes. */
const HORIZON = 120

/** One reading: minutes, in any count that goes on, and the value, °C or %. */
export type TimedValue = { minute: number; value: number }
export type TimeToLimit = {
  side: 'above' | 'below'
  limit: number
  /** until the limit at the present slope; the interval is that of nine slopes in ten */
  minutes: number
  least: number
  /** Infinity where the slope may as well be none */
  most: number
}

/**
 * When a value that is within its limits reaches one at its present slope; undefined where the slope is not steady enough to say, or
 * the limit is more than two hours away. The slope is the median of the slopes of all pairs of readings (Theil 1950), which up to
 * 29 % of wild readings do not move; its interval is between the 5th and the 95th of these slopes, a simpler and wider one than that of
 * Sen (Journal of the American Statistical Association 63, 1968, p. 1379). It is steady where both halves of the last 30 minutes go the
 * same way, and where the median distance from the line is below an eighth of the rise.
 *
 * Its error is what it does not know: a door, a defrost or the cycle of a box on dry ice rises as steadily as a compressor that
 * failed. `npm run bench -- --only time-to-limit` counts how often it is right; decision 0207 has the figures. They are worse than what
 * one could be shown, so the portal does not show it.
 * @param readings ascending; those of the last 30 minutes before the last are taken
 * @param usual between which a device was for most of the last day: within it, it only does what it always does
 */
export function timeToLimit(
  readings: readonly TimedValue[],
  limits: { low: number; high: number },
  usual: { low: number; high: number },
): TimeToLimit | undefined {
  const last = readings.at(-1)
  if (last === undefined || last.value >= limits.high || last.value <= limits.low) return undefined
  if (last.value <= usual.high && last.value >= usual.low) return undefined
  const taken = readings.filter(({ minute }) => minute > last.minute - WINDOW)
  if (taken.length < FEWEST) return undefined
  const slopes = slopesOf(taken)
  const slope = at(slopes, 0.5)
  if (slope === 0 || !isSteady(taken, slope)) return undefined
  const side = slope > 0 ? 'above' : 'below'
  const limit = side === 'above' ? limits.high : limits.low
  const until = (rate: number) => (rate * slope > 0 ? (limit - last.value) / rate : Number.POSITIVE_INFINITY)
  if (until(slope) > HORIZON) return undefined
  const [slow, fast] = slope > 0 ? [0.05, 0.95] : [0.95, 0.05]
  return { side, limit, minutes: until(slope), least: until(at(slopes, fast)), most: until(at(slopes, slow)) }
}

function isSteady(taken: readonly TimedValue[], slope: number): boolean {
  const middle = taken.length >> 1
  const halves = [taken.slice(0, middle), taken.slice(middle)].map((half) => at(slopesOf(half), 0.5))
  if (!halves.every((half) => half / slope >= HALF)) return false
  const [first, last] = [taken[0], taken.at(-1)] as [TimedValue, TimedValue]
  const above = taken.map(({ minute, value }) => value - slope * minute).sort(ascending)
  const middleLine = at(above, 0.5)
  const off = above.map((one) => Math.abs(one - middleLine)).sort(ascending)
  return at(off, 0.5) < SPREAD * Math.abs(slope) * (last.minute - first.minute)
}

/** The slopes of all pairs that are far enough apart, a minute each, ascending. */
function slopesOf(taken: readonly TimedValue[]): number[] {
  const slopes: number[] = []
  for (let i = 0; i < taken.length; i++)
    for (let j = i + 1; j < taken.length; j++) {
      const [a, b] = [taken[i], taken[j]] as [TimedValue, TimedValue]
      if (b.minute - a.minute >= APART) slopes.push((b.value - a.value) / (b.minute - a.minute))
    }
  return slopes.sort(ascending)
}

const ascending = (a: number, b: number): number => a - b
/** The value at a share of sorted ones; 0 of none. */
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
