import {
  type DateRange,
  dateRangeFaults,
  FILTER_DAYS,
  lastDays,
  presetRange,
  type TypedRange,
} from './date-range.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { isSpeedLimit, SPEED, WRONG_SPEED } from './speed-limit.ts'
import { startOfDay } from './zoned-time.ts'

/** What a report is asked for beyond its vehicles. */
export type ReportTerms = TypedRange & {
  /** ids of the geofences a performance report measures against */
  geofences?: readonly string[]
  /** km a vehicle must have travelled; NaN where what was typed is no number */
  minDistance?: number
  /** km/h, of a report of over-speeding; NaN where what was typed is no number */
  speed?: number | undefined
}

const DAY_MS = 86_400_000

/** Report types with rules of their own. The documents write them now with a capital, now without. */
const PERFORMANCE = 'performancereport'
const TRAVEL: readonly string[] = ['vehicletravelreport', 'vehicletravelreportgraph']
const SPEEDING = 'overspeedingvehiclesreport'
const HISTORY = 'vehiclehistoryreport'
const JOURNEY_PLAN = 'pjpreport'

/** km: what a vehicle must have travelled where nobody says otherwise, and the most that can be said. */
export const DEFAULT_MIN_DISTANCE = 25
export const MAX_MIN_DISTANCE = 100_000
export const WRONG_DISTANCE = 'Enter a distance of 0 to 100,000 km'

/**
 * What is wrong with what a report of this type is asked for, the first fault of each field; the documents' words where
 * they have some. Beside the rules of its type it is held to one month, up to today.
 * @param type in capitals or not; one without rules of its own has only these
 */
export function reportTermsFaults(
  type: string,
  { from, to, geofences = [], minDistance = DEFAULT_MIN_DISTANCE, speed = SPEED.standard }: ReportTerms,
  now: number,
  zone: string,
): Fault<'from' | 'to' | 'geofences' | 'minDistance' | 'speed'>[] {
  const rules = type.toLowerCase()
  const isRange = from !== null && to !== null && from <= to
  return firstFaults([
    [
      'to',
      'Please select interval of maximum two days',
      rules === JOURNEY_PLAN && isRange && datesBetween(from, to, zone) > 1,
    ],
    ['to', 'Please select interval of maximum 24 hours', rules === HISTORY && isRange && to - from > DAY_MS],
    ...dateRangeFaults({ from, to }, now, zone).map(({ path, message }) => [path, message, true] as const),
    ['geofences', 'Please select geofence', rules === PERFORMANCE && geofences.length === 0],
    ['minDistance', WRONG_DISTANCE, TRAVEL.includes(rules) && !isDistance(minDistance)],
    ['speed', WRONG_SPEED, rules === SPEEDING && !isSpeedLimit(speed)],
  ])
}

/** What a report type is asked for with beyond an interval; `isPickedSingly`: nothing ticks all vehicles at once. */
export function termsOf(type: string): {
  hasGeofences: boolean
  hasMinDistance: boolean
  hasSpeed: boolean
  isPickedSingly: boolean
} {
  const rules = type.toLowerCase()
  return {
    hasGeofences: rules === PERFORMANCE,
    hasMinDistance: TRAVEL.includes(rules),
    hasSpeed: rules === SPEEDING,
    isPickedSingly: rules === HISTORY,
  }
}

/** What a report of this type is asked for as its form opens: a day, of 24 hours where it may have no more, though clocks go back. */
export const firstInterval = (type: string, now: number, zone: string): DateRange =>
  termsOf(type).isPickedSingly ? presetRange('day', now, zone) : lastDays(FILTER_DAYS, now, zone)

/** Whether this may be the least distance, km, that a vehicle must have travelled. */
export function isDistance(km: number): boolean {
  return km >= 0 && km <= MAX_MIN_DISTANCE
}

/** Dates of the calendar from one instant to another: yesterday 23:59 is one before today 00:00. */
function datesBetween(from: number, to: number, zone: string): number {
  return Math.round((startOfDay(to, zone) - startOfDay(from, zone)) / DAY_MS)
}
