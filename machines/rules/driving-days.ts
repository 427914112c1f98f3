import type { ReadingColumns } from '../contracts/readings.ts'
import { addDriven, type Driven, followMotion, MOTION, noteSpeed } from './motion.ts'

/** What one device did on one day. Times in ms; `first` and `last`: when it began and ended driving, 0: it did not. */
export type DrivingDay = Driven & {
  idling: number
  standing: number
  /** nothing was heard */
  gap: number
  first: number
  last: number
}

/**
 * Way and time of one device a day. `starts`: where days begin, with the end of the last (`dayStarts`). What crosses
 * midnight is shared by time; before the first reading and after the last there is nothing to tell and nothing is.
 */
export function drivingDays(columns: ReadingColumns, starts: Float64Array, gapMs: number): DrivingDay[] {
  const days = Array.from({ length: starts.length - 1 }, nothing)
  if (days.length === 0) return days
  let day = 0
  followMotion(columns, gapMs, (i, motion, km) => {
    const from = columns.at[i - 1] as number
    const to = columns.at[i] as number
    while (day < days.length - 1 && from >= (starts[day + 1] as number)) day++
    for (let d = day; d < days.length; d++) {
      const start = Math.max(from, starts[d] as number)
      const end = Math.min(to, starts[d + 1] as number)
      const ms = end - start
      if (ms > 0) add(days[d] as DrivingDay, motion, ms, to > from ? (km * ms) / (to - from) : 0, start, end)
      if (to <= (starts[d + 1] as number)) break
    }
    if (motion !== MOTION.driving) return
    for (const row of [i - 1, i]) {
      // the speed of a reading belongs to the day it was read on
      let d = day
      while (d < days.length - 1 && (columns.at[row] as number) >= (starts[d + 1] as number)) d++
      noteSpeed(days[d] as DrivingDay, columns, row)
    }
  })
  return days
}

/** Several days as one; its first and last start are none. */
export function sumDriving(days: readonly DrivingDay[]): DrivingDay {
  const sum = nothing()
  for (const day of days) {
    for (const name of ['km', 'driving', 'placed', 'idling', 'standing', 'gap'] as const)
      sum[name] += day[name]
    if (!(day.topSpeed <= sum.topSpeed) && !Number.isNaN(day.topSpeed)) sum.topSpeed = day.topSpeed
  }
  return sum
}

const nothing = (): DrivingDay => ({
  km: 0,
  driving: 0,
  placed: 0,
  idling: 0,
  standing: 0,
  gap: 0,
  topSpeed: Number.NaN,
  first: 0,
  last: 0,
})

function add(day: DrivingDay, motion: number, ms: number, km: number, from: number, to: number): void {
  if (motion === MOTION.gap) day.gap += ms
  else if (motion === MOTION.standing) day.standing += ms
  else if (motion === MOTION.idling) day.idling += ms
  else {
    addDriven(day, ms, km)
    if (day.first === 0) day.first = from
    day.last = to
  }
}
