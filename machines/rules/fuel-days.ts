import type { ReadingColumns } from '../contracts/readings.ts'
import { drivingDays } from './driving-days.ts'
import { followCooling } from './fuel.ts'

/** What fuel is estimated from, of one device and day: km, and ms. */
export type FuelDay = { km: number; idling: number; reefer: number }

/** A day each. `starts`: where days begin, with the end of the last. Cooling belongs to the day it ended on. */
export function fuelDays(columns: ReadingColumns, starts: Float64Array, gapMs: number): FuelDay[] {
  const days = drivingDays(columns, starts, gapMs).map(({ km, idling }) => ({ km, idling, reefer: 0 }))
  let day = 0
  followCooling(columns, gapMs, (i) => {
    while (day < days.length - 1 && (columns.at[i] as number) >= (starts[day + 1] as number)) day++
    const one = days[day]
    if (one) one.reefer += (columns.at[i] as number) - (columns.at[i - 1] as number)
  })
  return days
}
