import { createReadings, READING_COLUMN_NAMES, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from './chunks/chunk.ts'

const NO_READINGS = createReadings(0)

/** Rows of several sets of columns, one behind the other. */
export function joined(all: readonly ReadingColumns[]): ReadingColumns {
  const parts = all.filter(({ length }) => length > 0)
  if (parts.length <= 1) return parts[0] ?? NO_READINGS
  const together = createReadings(parts.reduce((sum, { length }) => sum + length, 0))
  for (const one of parts) {
    for (const name of READING_COLUMN_NAMES)
      (together[name] as Uint8Array).set(one[name].subarray(0, one.length) as Uint8Array, together.length)
    together.length += one.length
  }
  return together
}

/** Rows `from` (included) to `to` (not), sharing the memory of `readings`. */
export function part(readings: ReadingColumns, from: number, to: number): ReadingColumns {
  const view = { length: to - from } as ReadingColumns
  for (const name of READING_COLUMN_NAMES)
    (view as Record<string, unknown>)[name] = readings[name].subarray(from, to)
  return view
}

/** The spans of rows that are of one UTC day; the readings are ascending. */
export function* daysOf({
  at,
  length,
}: ReadingColumns): Generator<{ day: number; from: number; to: number }> {
  for (let from = 0; from < length; ) {
    const day = Math.floor((at[from] as number) / DAY)
    let to = from + 1
    while (to < length && (at[to] as number) < (day + 1) * DAY) to++
    yield { day, from, to }
    from = to
  }
}

/** Those with from ≤ at < to, of readings ascending by `at`; they share their memory. */
export const partBetween = (readings: ReadingColumns, from: number, to: number): ReadingColumns =>
  part(readings, firstFrom(readings, from), firstFrom(readings, to))

/** index of the first reading with `at` ≥ `from`; the readings are ascending */
function firstFrom({ at, length }: ReadingColumns, from: number): number {
  let low = 0
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1
    if ((at[middle] as number) < from) low = middle + 1
    else high = middle
  }
  return low
}
