import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'

/**
 * How far beyond a limit for how long between two readings, by the straight line between them: the area of the part of it
 * that lies beyond, in the readings' unit times minutes (degree-minutes, percent-minutes).
 * @param a how far the first reading is beyond the limit, negative where it is within
 * @param b the second likewise
 */
export function excessBetween(a: number, b: number, minutes: number): number {
  if (a <= 0 && b <= 0) return 0
  if (a >= 0 && b >= 0) return ((a + b) / 2) * minutes
  const beyond = Math.max(a, b)
  const within = Math.min(a, b)
  return ((beyond / 2) * minutes * beyond) / (beyond - within)
}

/**
 * How far beyond a limit for how long a device was: ∫ (value − limit) dt over the readings given, in °C or % times minutes. What
 * was not measured for longer than `gapMs` counts as nothing.
 * @param threshold of the limit, °C or %
 */
export function excessOf(
  columns: ReadingColumns,
  field: 'temperature' | 'humidity',
  { side, threshold, gapMs }: { side: 'above' | 'below'; threshold: number; gapMs: number },
): number {
  const { missing, scale } = READING_FIELDS[field]
  const sign = side === 'above' ? 1 : -1
  let sum = 0
  let beforeAt = Number.NaN
  let before = 0
  for (let i = 0; i < columns.length; i++) {
    const stored = columns[field][i] as number
    if (stored === missing) continue
    const at = columns.at[i] as number
    const beyond = sign * (stored / scale - threshold)
    if (at - beforeAt <= gapMs) sum += excessBetween(before, beyond, (at - beforeAt) / 60_000)
    beforeAt = at
    before = beyond
  }
  return sum
}
