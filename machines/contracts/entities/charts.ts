import { array, type Infer, pattern, string, type } from 'superstruct'
import { Count, Finite } from '../scalars.ts'

/** A day of the company's zone, YYYY-MM-DD. Every day of the interval has its line, also where nothing happened. */
const Day = pattern(string(), /^\d{4}-\d\d-\d\d$/)

/** `distance` in km; `longest`: the longest trip of the day, km. */
export const TripsChart = type({
  timeZone: string(),
  data: array(type({ date: Day, trips: Count, distance: Finite, drivingMinutes: Finite, longest: Finite })),
})
export type TripsChart = Infer<typeof TripsChart>

/** `distance` in km, `topSpeed` in km/h, 0 where it did not drive. */
export const DistanceChart = type({
  timeZone: string(),
  data: array(
    type({
      date: Day,
      distance: Finite,
      drivingMinutes: Finite,
      idlingMinutes: Finite,
      standingMinutes: Finite,
      topSpeed: Finite,
    }),
  ),
})
export type DistanceChart = Infer<typeof DistanceChart>

/** Litres, estimated; `litres` is the sum of the three. `per`: litres a km driven, an hour idled, an hour of cooling. */
export const FuelChart = type({
  timeZone: string(),
  per: type({ drivingPerKm: Finite, idlingPerHour: Finite, reeferPerHour: Finite }),
  data: array(
    type({
      date: Day,
      distance: Finite,
      idlingMinutes: Finite,
      reeferMinutes: Finite,
      drivingLitres: Finite,
      idlingLitres: Finite,
      reeferLitres: Finite,
      litres: Finite,
    }),
  ),
})
export type FuelChart = Infer<typeof FuelChart>
