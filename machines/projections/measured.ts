import { READING_FIELDS, type ReadingColumns, type ReadingField } from '../contracts/readings.ts'
import { isOverdue } from '../rules/overdue.ts'

/** What sensors measure: trackers may send it in other readings than the place. */
export const SENSOR_FIELDS = ['temperature', 'temperature2', 'humidity'] as const satisfies ReadingField[]

/**
 * When each sensor of each device gave its last value and the one before, epoch ms, row = device number; -Infinity: there is none. Of
 * all that came, in whatever order: the values themselves are in the newest readings, for as long as the next is not overdue.
 */
export type Measured = Record<(typeof SENSOR_FIELDS)[number], { last: Float64Array; before: Float64Array }>

/** As far as newest readings tell: each value that is there was measured with its reading. */
export function measuredOf(readings: ReadingColumns, size: number): Measured {
  const capacity = readings.at.length
  const measured = {} as Measured
  for (const name of SENSOR_FIELDS) {
    const [last, before] = [noTimes(capacity), noTimes(capacity)]
    for (let no = 0; no < size; no++)
      if (readings[name][no] !== READING_FIELDS[name].missing) last[no] = readings.at[no] as number
    measured[name] = { last, before }
  }
  return measured
}

/**
 * Folds what sensors say in row `i` of a batch into the newest reading of a device, in place; that stands at its new time already.
 * @param at when it was measured, epoch ms
 * @param isNewest whether the reading itself is the newest
 * @param patience how long the company waits for a device, ms: a value is kept no longer
 * @returns whether a value is another
 */
export function measure(
  measured: Measured,
  newest: ReadingColumns,
  no: number,
  batch: ReadingColumns,
  i: number,
  at: number,
  isNewest: boolean,
  patience: number,
): boolean {
  let isOther = false
  for (const name of SENSOR_FIELDS) {
    const { last, before } = withRoom(measured, name, newest.at.length)
    const { missing } = READING_FIELDS[name]
    const shown = newest[name][no]
    const isMeasured = batch[name][i] !== missing
    if (isMeasured && (isNewest || at > (last[no] as number))) {
      if (last[no] !== at) before[no] = last[no] as number
      last[no] = at
      newest[name][no] = batch[name][i] as number
    } else if (isMeasured && at < (last[no] as number) && at > (before[no] as number)) before[no] = at
    const age = (newest.at[no] as number) - (last[no] as number)
    if (isOverdue(age, (last[no] as number) - (before[no] as number), patience)) newest[name][no] = missing
    isOther ||= newest[name][no] !== shown
  }
  return isOther
}

function withRoom(measured: Measured, name: keyof Measured, size: number) {
  const columns = measured[name]
  if (size <= columns.last.length) return columns
  const [last, before] = [noTimes(size), noTimes(size)]
  last.set(columns.last)
  before.set(columns.before)
  measured[name] = { last, before }
  return measured[name]
}

const noTimes = (size: number): Float64Array => new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
