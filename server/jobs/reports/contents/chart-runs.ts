import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { within } from './limits-in-force.ts'

/** What of a course is drawn: readings from `from` to `to`; two farther apart than `gapMs` are not joined. */
export type Course = { readings: ReadingColumns; from: number; to: number; gapMs: number }

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature
/** A line has no more corners than this, pt apart: a month of minutes is 45,000 readings on 480 pt. */
const COLUMN = 1.2

/** A stretch of line without a gap: corners as x (pt) and °C in turn, and when it starts and ends. */
export type Run = { corners: number[]; start: number; end: number }

/** Of each column of the chart the first, lowest, highest and last value, in the order they came. */
export function runsOf({ readings, gapMs, from, to }: Course, xOf: (at: number) => number): Run[] {
  const { at, temperature, length } = readings
  const runs: Run[] = []
  let run: Run | undefined
  let column = Number.NaN
  let rows: number[] = []
  const close = () => {
    for (const row of new Set(rows.toSorted((a, b) => a - b)))
      run?.corners.push(xOf(at[row] as number), (temperature[row] as number) / SCALE)
    rows = []
  }
  for (let i = 0; i < length; i++) {
    const value = temperature[i] as number
    const time = at[i] as number
    if (value === MISSING || time < from || time > to) continue
    if (run === undefined || time - run.end > gapMs) {
      close()
      run = { corners: [], start: time, end: time }
      runs.push(run)
      column = Number.NaN
    }
    run.end = time
    const now = Math.floor(xOf(time) / COLUMN)
    if (now !== column) {
      close()
      column = now
      rows = [i, i, i, i]
      continue
    }
    if (value < (temperature[rows[1] as number] as number)) rows[1] = i
    if (value > (temperature[rows[2] as number] as number)) rows[2] = i
    rows[3] = i
  }
  close()
  return runs
}

/** Where nothing was measured, up to the ends of the chart. */
export function gapsOf(runs: readonly Run[], { from, to, gapMs }: Course): { start: number; end: number }[] {
  const gaps: { start: number; end: number }[] = []
  let start = from
  for (const run of runs) {
    if (run.start - start > gapMs) gaps.push({ start, end: run.start })
    start = run.end
  }
  if (to - start > gapMs) gaps.push({ start, end: to })
  return gaps
}

/** Ends of the axis, and the least and most that was measured, °C. Limits that held at no time of [from, to) do not widen it. */
export function scaleOf(
  runs: readonly Run[],
  limits: readonly LimitsSince[],
  { from, to }: Pick<Course, 'from' | 'to'>,
) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { corners } of runs) {
    for (let i = 1; i < corners.length; i += 2) {
      least = Math.min(least, corners[i] as number)
      most = Math.max(most, corners[i] as number)
    }
  }
  const bounds = within(limits, from, to).flatMap(({ limits: { low, high } }) =>
    Number.isNaN(low) ? [] : [low, high],
  )
  const [low, high] = [Math.min(least, ...bounds), Math.max(most, ...bounds)]
  const room = Math.max(0.5, (high - low) * 0.08)
  return { low: low - room, high: high + room, least, most }
}
