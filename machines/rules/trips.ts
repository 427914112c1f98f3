import type { ReadingColumns } from '../contracts/readings.ts'
import { addDriven, type Driven, followMotion, MOTION, noteSpeed } from './motion.ts'

/** From where it set off to where it stopped: `first` and `last` are rows. Times in ms. */
export type Trip = Driven & { first: number; last: number; stopped: number }

/** A stop of this long ends a trip; shorter ones are traffic, ms. */
export const STOP_ENDS_TRIP = 5 * 60_000

/**
 * The trips of one device, in order. A trip begins where it begins to drive and ends where it last drove before a stop
 * of `STOP_ENDS_TRIP`, before a gap, or before the readings end.
 */
export function tripsOf(columns: ReadingColumns, gapMs: number): Trip[] {
  const { at } = columns
  const trips: Trip[] = []
  let trip: Trip | undefined
  followMotion(columns, gapMs, (i, motion, km) => {
    const ms = (at[i] as number) - (at[i - 1] as number)
    if (motion === MOTION.driving) {
      if (trip !== undefined) trip.stopped += (at[i - 1] as number) - (at[trip.last] as number)
      else {
        trip = { first: i - 1, last: i, km: 0, driving: 0, placed: 0, stopped: 0, topSpeed: Number.NaN }
        trips.push(trip)
      }
      trip.last = i
      addDriven(trip, ms, km)
      noteSpeed(trip, columns, i - 1)
      noteSpeed(trip, columns, i)
      return
    }
    if (trip === undefined) return
    const isOver = motion === MOTION.gap || (at[i] as number) - (at[trip.last] as number) >= STOP_ENDS_TRIP
    if (isOver) trip = undefined
  })
  return trips
}
