import { kineticTerm } from './mean-kinetic.ts'

/**
 * What may have been between two readings with nothing measured between them. `minutes` from the one to the other, °C at both;
 * `steepest`: °C a minute, the fastest it changes; `low`, `high`: °C, the coldest and warmest surroundings there are.
 */
export type Gap = {
  minutes: number
  before: number
  after: number
  steepest: number
  low: number
  high: number
}

/** Minutes beyond a limit: at least and at most, and how much of the least is at the beginning and at the end. */
export type MinutesBeyond = { least: number; most: number; atFirst: number; atLast: number }

/**
 * Over a gap of D minutes from T₁ to T₂, s the steepest change, L the limit: at most max(0, D − (L−T₁)⁺/s − (L−T₂)⁺/s), at least
 * min(D, (T₁−L)⁺/s + (T₂−L)⁺/s). Where |T₂−T₁| > sD it is taken for a straight line, of which both are the same. Below a lower limit
 * all is mirrored.
 */
export function minutesBeyond(gap: Gap, limit: number, side: 'above' | 'below'): MinutesBeyond {
  const sign = side === 'above' ? 1 : -1
  const first = sign * (gap.before - limit)
  const last = sign * (gap.after - limit)
  const { minutes, steepest } = gap
  if (Math.abs(last - first) > steepest * minutes) return straight(minutes, first, last)
  const atFirst = Math.min(minutes, Math.max(0, first) / steepest)
  const atLast = Math.min(minutes, Math.max(0, last) / steepest)
  const least = Math.min(minutes, atFirst + atLast)
  const warmest = sign * (sign > 0 ? gap.high : gap.low) - sign * limit
  // no surroundings are that warm: it was beyond only as far as the readings themselves say
  if (warmest <= 0) return { least, most: least, atFirst, atLast }
  const most = Math.max(0, minutes - Math.max(0, -first) / steepest - Math.max(0, -last) / steepest)
  return { least, most: Math.max(least, most), atFirst, atLast }
}

/** On a straight line from `first` to `last` above the limit. */
function straight(minutes: number, first: number, last: number): MinutesBeyond {
  const atFirst = first > 0 ? minutes * Math.min(1, first / Math.max(first - last, first)) : 0
  const atLast = last > 0 ? minutes * Math.min(1, last / Math.max(last - first, last)) : 0
  const all = Math.min(minutes, first > 0 && last > 0 ? minutes : atFirst + atLast)
  return { least: all, most: all, atFirst, atLast }
}

/**
 * The coldest and warmest it may have been, step by step of about a minute, each taken at its middle: the kinetic terms of both. Envelopes
 * are min(T₁+sτ, T₂+s(D−τ)) and its mirror, within the surroundings; a straight line where |T₂−T₁| > sD.
 * @param take called with the minutes from the first reading to the step's beginning, its length, and both terms
 */
export function eachStep(
  { minutes, before, after, steepest, low, high }: Gap,
  take: (from: number, length: number, least: number, most: number) => void,
): void {
  const steps = Math.max(1, Math.ceil(minutes))
  const length = minutes / steps
  const isStraight = Math.abs(after - before) > steepest * minutes
  const coldest = Math.min(low, before, after)
  const warmest = Math.max(high, before, after)
  for (let i = 0; i < steps; i++) {
    const passed = (i + 0.5) * length
    const left = minutes - passed
    if (isStraight) {
      const term = kineticTerm(before + ((after - before) * passed) / minutes)
      take(i * length, length, term, term)
      continue
    }
    const cold = Math.max(before - steepest * passed, after - steepest * left, coldest)
    const warm = Math.min(before + steepest * passed, after + steepest * left, warmest)
    take(i * length, length, kineticTerm(cold), kineticTerm(warm))
  }
}
