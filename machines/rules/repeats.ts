import type { ViolationType } from '../contracts/scalars.ts'

/** A violation of the same kind within this time of the end of one that somebody takes care of is the same again, ms. */
export const REPEAT_WITHIN = 60 * 60_000

/** What somebody takes care of. `worst`: how far out it went, °C or %; NaN while it lasts. */
export type Taken = { threshold: number; worst: number }
/** What a violation was when it opened: event time in epoch ms, °C or %. */
export type Opened = {
  type: ViolationType
  at: number
  threshold: number
  value: number
  clearMargin: number
}

/**
 * Whether a violation is the same again as one that somebody takes care of: it opened soon after that one, or its last
 * repeat, was over (`endedAt`), against the same threshold, and is not worse than what was taken care of by more than
 * the clear margin.
 */
export function isRepeat(opened: Opened, taken: Taken, endedAt: number): boolean {
  if (opened.at - endedAt > REPEAT_WITHIN || opened.threshold !== taken.threshold) return false
  return !isWorse(opened, taken.worst)
}

function isWorse({ type, value, clearMargin }: Opened, worst: number): boolean {
  const isHigh = type === 'HIGH_TEMPERATURE_DETECTED' || type === 'HIGH_HUMIDITY_DETECTED'
  return isHigh ? value > worst + clearMargin : value < worst - clearMargin
}
