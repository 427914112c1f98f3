import {
  READING_FIELD_NAMES,
  READING_FIELDS,
  type Reading,
  type ReadingColumns,
  type ReadingField,
} from '#machines/contracts/readings.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'

/** No tracker of this fleet is older; what says so has lost its clock. */
const EARLIEST = Date.UTC(2000, 0, 1)
const MOST_AHEAD = 24 * 3600_000
const DAY = 24 * 3600_000
/** Receivers count weeks in ten bits: where one begins anew, its times are so much off. */
const GPS_WEEKS = 1024
const ROLLOVER = GPS_WEEKS * 7 * DAY
const MOST_ROLLOVERS = 2

const BOUNDS = READING_FIELD_NAMES.map((name) => {
  const { scale, missing, min, max } = READING_FIELDS[name]
  return { name, missing, min: min * scale, max: max * scale }
})

/** How many times 1,024 weeks a time is behind (less than 0: ahead) where it would else be one that is taken and kept; 0: none. */
function rollovers(at: number, now: number): number {
  const behind = Math.floor((now + MOST_AHEAD - at) / ROLLOVER)
  const meant = at + behind * ROLLOVER
  const isRolledOver = Math.abs(behind) <= MOST_ROLLOVERS && meant >= now - RETENTION_DAYS * DAY
  return isRolledOver ? behind : 0
}

/** Why this time cannot be true, or undefined. What GPS weeks did to it is not set right: nothing says that it was that. */
export function timeRefusal(at: number, now: number): string | undefined {
  const weeks = rollovers(at, now) * GPS_WEEKS
  if (weeks !== 0)
    return `its time is ${Math.abs(weeks).toLocaleString('en')} weeks ${weeks > 0 ? 'behind' : 'ahead'} (GPS week rollover)`
  if (!(at >= EARLIEST)) return 'its time is before 2000'
  if (!Number.isInteger(at)) return 'its time is no whole millisecond'
  if (at > now + MOST_AHEAD) return 'its time is more than 24 h ahead'
  return undefined
}

/** Takes what is impossible out of row `i`, and with one half of a position the other. @returns the fields it dropped */
export function dropImpossible(columns: ReadingColumns, i: number): ReadingField[] {
  const dropped: ReadingField[] = []
  for (const { name, missing, min, max } of BOUNDS) {
    const value = columns[name][i] as number
    if (value === missing || (value >= min && value <= max)) continue
    columns[name][i] = missing
    dropped.push(name)
  }
  if (dropped.includes('lat')) columns.lng[i] = READING_FIELDS.lng.missing
  if (dropped.includes('lng')) columns.lat[i] = READING_FIELDS.lat.missing
  return dropped
}

/** Why row `i` cannot be true, or undefined. */
export function rowRefusal(columns: ReadingColumns, i: number, now: number): string | undefined {
  if ((columns.lat[i] === READING_FIELDS.lat.missing) !== (columns.lng[i] === READING_FIELDS.lng.missing))
    return 'half a position'
  return timeRefusal(columns.at[i] as number, now)
}

/**
 * A reading in units without what is impossible in it, and the fields that it is without. To be done before it becomes a row: a
 * value far outside would wrap round in its column and look possible.
 */
export function withoutImpossible(reading: Reading): { reading: Reading; dropped: ReadingField[] } {
  const dropped = READING_FIELD_NAMES.filter((name) => {
    const value = reading[name]
    const { min, max } = READING_FIELDS[name]
    return value !== undefined && !(value >= min && value <= max)
  })
  if (dropped.length === 0) return { reading, dropped }
  const kept = { ...reading }
  for (const name of dropped) kept[name] = undefined
  if (dropped.includes('lat') || dropped.includes('lng'))
    Object.assign(kept, { lat: undefined, lng: undefined })
  return { reading: kept, dropped }
}

/** What is said of a field that was dropped. */
export const droppedBecause = (field: ReadingField): string => `${field} is out of range`

/** Why a reading in units cannot be true, or undefined. */
export function readingRefusal(reading: Reading, now: number): string | undefined {
  if ((reading.lat === undefined) !== (reading.lng === undefined)) return 'half a position'
  return timeRefusal(reading.at, now)
}
