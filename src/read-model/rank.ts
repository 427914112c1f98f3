import { READING_FIELDS } from '#machines/contracts/readings.ts'
import type { FleetColumns } from './columns.ts'
import type { Groups } from './groups.ts'
import { SEVERITIES, SEVERITY_OF } from './severity.ts'

/** Below what is bad, least first: never heard, well inside its limits, near one, and beyond one but not yet for long enough. */
const [NEVER_HEARD, CALM, NEAR, BEYOND] = [0, 1, 2, 3]
/** How many ranks there are; a severity has that of its index and so many more. */
export const RANKS = BEYOND + SEVERITIES.length

/** The rank from which on the rows are those of a severity, by its index. */
export const rankOfSeverity = (severity: number): number => BEYOND + severity

/** Nothing is open of it, but it is near a limit, or beyond one and not yet for long enough. */
export const isNearLimit = (rank: number): boolean => rank === NEAR || rank === BEYOND

/** It is heard, and within its limits. */
export const isWell = (rank: number): boolean => rank === CALM || rank === NEAR

/** A row is near a limit with this share of the band left, and near no more with the other: rows at the edge do not jump. */
const NEAR_WITHIN = 0.1
const NEAR_UNTIL = 0.15
const BEYOND_UNTIL = 0.03

/** How early in the list a row stands, worst first. @param before its rank until now */
export function rankOf(columns: FleetColumns, { limits }: Groups, row: number, before: number): number {
  const severity = SEVERITY_OF[columns.state[row] as number] as number
  if (columns.at[row] === 0 && severity < SEVERITIES.indexOf('sensorUnplugged')) return NEVER_HEARD
  if (severity > 0) return rankOfSeverity(severity)
  const group = columns.group[row] as number
  const left = Math.min(
    shareLeft(
      columns.temperature[row] as number,
      READING_FIELDS.temperature.missing,
      limits.lowTemperature[group] as number,
      limits.highTemperature[group] as number,
    ),
    shareLeft(
      columns.humidity[row] as number,
      READING_FIELDS.humidity.missing,
      limits.lowHumidity[group] as number,
      limits.highHumidity[group] as number,
    ),
  )
  if (left < (before === BEYOND ? BEYOND_UNTIL : 0)) return BEYOND
  return left < (before >= NEAR && before <= BEYOND ? NEAR_UNTIL : NEAR_WITHIN) ? NEAR : CALM
}

/** Up to the nearer limit, as a share of what is between both; 1 where nothing is measured. */
function shareLeft(value: number, missing: number, low: number, high: number): number {
  if (value === missing || high <= low) return 1
  return Math.min(high - value, value - low) / (high - low)
}
