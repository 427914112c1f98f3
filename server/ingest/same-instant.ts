import {
  LATE_UNKNOWN,
  lateByOf,
  READING_FIELD_NAMES,
  type ReadingColumns,
  readingAt,
} from '#machines/contracts/readings.ts'
import type { AsideReading } from '../store/aside.ts'
import type { TelemetryStore } from '../store/store.ts'

const DAY = 86_400_000

/** A row of stored readings. */
export type StoredRow = { columns: ReadingColumns; row: number }

/** Whether two rows measured the same. */
export const isSameReading = (a: ReadingColumns, i: number, b: ReadingColumns, k: number): boolean =>
  READING_FIELD_NAMES.every((name) => a[name][i] === b[name][k])

/**
 * What is stored of the devices and instants of these rows, by row: one look for each device and day of them.
 * Rejects with StoreUnavailable.
 */
export async function storedOf(
  telemetry: Pick<TelemetryStore, 'history'>,
  { device, at }: ReadingColumns,
  rows: readonly number[],
): Promise<Map<number, StoredRow>> {
  const found = new Map<number, StoredRow>()
  const ofDay = Map.groupBy(rows, (row) => `${device[row]} ${Math.floor((at[row] as number) / DAY)}`)
  await Promise.all(
    [...ofDay.values()].map(async (some) => {
      const times = some.map((row) => at[row] as number)
      const columns = await telemetry.history(
        device[some[0] as number] as number,
        Math.min(...times),
        Math.max(...times) + 1,
      )
      const places = new Map(
        Array.from(columns.at.subarray(0, columns.length), (time, place) => [time, place]),
      )
      for (const row of some) {
        const place = places.get(at[row] as number)
        if (place !== undefined) found.set(row, { columns, row: place })
      }
    }),
  )
  return found
}

/** Of two readings of one instant that measured otherwise: whether the one that comes now counts, and the other one, to be kept aside. */
export function decideSame(
  readings: ReadingColumns,
  row: number,
  now: number,
  stored: StoredRow,
): { isNew: boolean; aside: AsideReading } {
  const at = readings.at[row] as number
  const lateBy = stored.columns.lateBy[stored.row] as number
  const known = lateBy === LATE_UNKNOWN ? 0 : lateBy
  const isNew = Math.abs(lateByOf(at, now)) < Math.abs(known)
  const aside: AsideReading = isNew
    ? { kind: 'other', receivedAt: at + known * 1000, reading: readingAt(stored.columns, stored.row) }
    : { kind: 'other', receivedAt: now, reading: readingAt(readings, row) }
  return { isNew, aside }
}
