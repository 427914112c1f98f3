import writeExcelFile, { type Row } from 'write-excel-file/universal'
import { clockOf } from '#machines/rules/zoned-time.ts'
import { type FileTable, headingOf } from '../format/file-table.ts'
import { cellOf } from './observation-sheet.ts'

/** An `.xlsx` of a table: numbers as numbers with their unit in the heading, its head in view. Takes seconds for 100,000 rows. */
export function tableSheet({ name, columns, rows, timeZone }: FileTable): Promise<Blob> {
  const shown = clockOf(timeZone)
  const head = columns.map((column): Row[number] => ({
    value: headingOf(column, timeZone),
    type: String,
    fontWeight: 'bold',
  }))
  const cells = rows.map((row): Row => columns.map(({ kind }, i) => cellOf(kind, row[i] ?? null, shown)))
  return writeExcelFile([head, ...cells], {
    sheet: name,
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
  }).toBlob()
}
