import { timeSteps } from '#machines/rules/time-steps.ts'
import type { LocalTime } from './local-time.ts'

const NICE = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
/** As many labels of time as stand beside each other without touching. */
const MOST_TIMES = 10

/** Round numbers within [low, high], about `count` of them. */
export function axisSteps(low: number, high: number, count: number): number[] {
  const step = NICE.find((nice) => (high - low) / nice <= count) ?? 200
  const steps: number[] = []
  for (let i = Math.ceil(low / step); i * step <= high; i++) steps.push(Math.round(i * step * 10) / 10)
  return steps
}

/** Moments to name along an axis of time: round times of the zone's clock, a day's beginning by its date. */
export function namedTimes(from: number, to: number, local: LocalTime): { at: number; label: string }[] {
  return timeSteps(from, to, local.zone, MOST_TIMES).map(({ at, isDay }) => ({
    at,
    label: isDay ? local.date(at).slice(0, 5) : local.clock(at),
  }))
}
