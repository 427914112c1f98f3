import {
  READING_FIELD_NAMES,
  READING_FIELDS,
  type Reading,
  type ReadingColumns,
} from '#machines/contracts/readings.ts'

/** No tracker of this fleet is older; what says so has lost its clock. */
const EARLIEST = Date.UTC(2000, 0, 1)
const MOST_AHEAD = 24 * 3600_000

const BOUNDS = READING_FIELD_NAMES.map((name) => {
  const { scale, missing, min, max } = READING_FIELDS[name]
  return { name, missing, min: min * scale, max: max * scale }
})

/** Why this time cannot be true, or undefined. */
export function timeRefusal(at: number, now: number): string | undefined {
  if (!(at >= EARLIEST)) return 'its time is before 2000'
  if (!Number.isInteger(at)) return 'its time is no whole millisecond'
  if (at > now + MOST_AHEAD) return 'its time is more than 24 h ahead'
  return undefined
}

/** Why row `i` cannot be true, or undefined. */
export function rowRefusal(columns: ReadingColumns, i: number, now: number): string | undefined {
  for (const { name, missing, min, max } of BOUNDS) {
    const value = columns[name][i] as number
    if (value !== missing && (value < min || value > max)) return `${name} is out of range`
  }
  if ((columns.lat[i] === READING_FIELDS.lat.missing) !== (columns.lng[i] === READING_FIELDS.lng.missing))
    return 'half a position'
  return timeRefusal(columns.at[i] as number, now)
}

/**
 * Why a reading in units cannot be true, or undefined. To be checked before it becomes a row: a value far outside would
 * wrap round in its column and look possible.
 */
export function readingRefusal(reading: Reading, now: number): string | undefined {
  for (const name of READING_FIELD_NAMES) {
    const value = reading[name]
    const { min, max } = READING_FIELDS[name]
    if (value !== undefined && !(value >= min && value <= max)) return `${name} is out of range`
  }
  if ((reading.lat === undefined) !== (reading.lng === undefined)) return 'half a position'
  return timeRefusal(reading.at, now)
}
