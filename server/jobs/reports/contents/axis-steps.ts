import { dayStarts } from '#machines/rules/days.ts'
import type { LocalTime } from './local-time.ts'

const NICE = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
const HOUR = 3_600_000
const HOURS = [1, 2, 3, 6, 12]
const DAYS = [1, 2, 5, 10]
/** As many labels of time as stand beside each other without touching. */
const MOST_TIMES = 10

/** Round numbers within [low, high], about `count` of them. */
export function axisSteps(low: number, high: number, count: number): number[] {
  const step = NICE.find((nice) => (high - low) / nice <= count) ?? 200
  const steps: number[] = []
  for (let i = Math.ceil(low / step); i * step <= high; i++) steps.push(Math.round(i * step * 10) / 10)
  return steps
}

/** Moments to name along an axis of time: full hours, midnight by its date; or days where these are too many. */
export function timeSteps(from: number, to: number, local: LocalTime): { at: number; label: string }[] {
  const every = HOURS.find((hours) => (to - from) / (hours * HOUR) <= MOST_TIMES)
  if (every !== undefined) {
    const steps: { at: number; label: string }[] = []
    const step = every * HOUR
    for (let at = roundFrom(from, step, local); at <= to; at = roundFrom(at + 1, step, local)) {
      const clock = local.clock(at)
      steps.push({ at, label: clock === '00:00' ? local.date(at).slice(0, 5) : clock })
    }
    return steps
  }
  const starts = [...dayStarts(from, to, local.zone)].slice(0, -1).filter((start) => start > from)
  const skip =
    DAYS.find((days) => starts.length / days <= MOST_TIMES) ?? Math.ceil(starts.length / MOST_TIMES)
  return starts.filter((_, i) => i % skip === 0).map((at) => ({ at, label: local.date(at).slice(0, 5) }))
}

/** The first moment from another on at which the clock of the zone shows a multiple of `step`, ms; where it leaves that out, when it does. */
function roundFrom(from: number, step: number, local: LocalTime): number {
  const shown = local.shown(from)
  const round = Math.ceil(shown / step) * step
  const at = from + round - shown
  // its clock may be changed on the way
  const moved = at + round - local.shown(at)
  return moved >= from && local.shown(moved) === round ? moved : at
}
