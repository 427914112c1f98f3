import writeExcelFile, { type Cell, type Row } from 'write-excel-file/universal'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { clockOf } from '#machines/rules/zoned-time.ts'
import { type ColumnKind, observationColumns } from '../format/observation-columns.ts'

export type SheetOrder = {
  rows: readonly ObservationRow[]
  hasName: boolean
  /** named zone the times are written in: a spreadsheet knows none */
  timeZone: string
}

/** Between two words on how far it is. */
const STEP = 2000

/**
 * An `.xlsx` of the observation table: numbers as numbers, times as times, and text as text whatever it begins with. Its
 * head stays in view. It takes seconds for 100,000 rows and is therefore made in a worker (spreadsheet.ts).
 * @param onWritten rows that are in the file so far
 */
export function observationSheet(
  { rows, hasName, timeZone }: SheetOrder,
  onWritten: (rows: number) => void,
): Promise<Blob> {
  const columns = observationColumns(hasName)
  const shown = clockOf(timeZone)
  const head: Row = columns.map(({ title }) => ({ value: title, type: String, fontWeight: 'bold' }))
  const cells = rows.map((row): Row => columns.map(({ kind, value }) => cellOf(kind, value(row), shown)))
  const data = counted([head, ...cells], (count) => {
    if (count % STEP === 0 || count === rows.length) onWritten(count)
  })
  return writeExcelFile(data, {
    sheet: 'Observation List',
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
  }).toBlob()
}

/** The library makes all rows with one `map`: nothing else tells how far it is. `onDone`: how many are behind it. */
function counted(rows: Row[], onDone: (count: number) => void): Row[] {
  rows.map = (make) =>
    Array.from(rows, (row, i) => {
      onDone(i)
      return make(row, i, rows)
    })
  return rows
}

/**
 * A number as a number, a time as a time, and text as text whatever it begins with: no formula comes of it.
 * @param shown what a clock shows, as `clockOf` says it: files hold a time as a date that shows the same in UTC
 */
export function cellOf(kind: ColumnKind, cell: string | number | null, shown: (at: number) => number): Cell {
  if (cell === null) return null
  if (kind === 'time')
    return { value: new Date(shown(cell as number)), type: Date, format: 'dd/mm/yyyy hh:mm:ss AM/PM' }
  if (kind === 'text') return { value: String(cell), type: String }
  const format = kind.decimals === 0 ? '0' : `0.${'0'.repeat(kind.decimals)}`
  return { value: cell as number, type: Number, format }
}
