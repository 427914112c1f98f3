import { dayStarts } from './days.ts'
import { offsetAt } from './zoned-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
]
const DAYS = [1, 2, 5, 10]

/** A moment to mark on an axis of time, epoch ms, and whether a day begins with it. */
export type TimeStep = { at: number; isDay: boolean }

/** Moments to mark from one time to another (epoch ms): round ones of the clock in a zone (IANA), or days where these are more than `most`. */
export function timeSteps(from: number, to: number, zone: string, most: number): TimeStep[] {
  const step = STEPS.find((each) => (to - from) / each <= most)
  return step === undefined ? daySteps(from, to, zone, most) : clockSteps(from, to, zone, step)
}

function clockSteps(from: number, to: number, zone: string, step: number): TimeStep[] {
  const steps: TimeStep[] = []
  for (let at = roundFrom(from, step, zone); at <= to; at = roundFrom(at + 1, step, zone))
    steps.push({ at, isDay: shownAt(at, zone) % DAY === 0 })
  return steps
}

function daySteps(from: number, to: number, zone: string, most: number): TimeStep[] {
  const starts = [...dayStarts(from, to, zone)].slice(0, -1).filter((start) => start > from)
  const skip = DAYS.find((days) => starts.length / days <= most) ?? Math.ceil(starts.length / most)
  return starts.filter((_, i) => i % skip === 0).map((at) => ({ at, isDay: true }))
}

/** The first moment from another on at which the clock shows a multiple of `step`, ms; where it leaves that out, when it does. */
function roundFrom(from: number, step: number, zone: string): number {
  const shown = shownAt(from, zone)
  const round = Math.ceil(shown / step) * step
  const at = from + round - shown
  // its clock may be changed on the way
  const moved = at + round - shownAt(at, zone)
  return moved >= from && shownAt(moved, zone) === round ? moved : at
}

/** What the clock shows, as if it were UTC; ms. */
const shownAt = (at: number, zone: string): number => at + offsetAt(at, zone)
