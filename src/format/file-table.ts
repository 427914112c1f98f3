import type { ColumnKind } from './observation-columns.ts'

/** A table as it is shown, ready for a file. Times are epoch ms; null: nothing is known. */
export type FileTable = {
  name: string
  columns: readonly { title: string; kind: ColumnKind; width: number }[]
  rows: readonly (readonly (string | number | null)[])[]
  /** named zone the times are written in, and told in the heading of their column: a spreadsheet knows none */
  timeZone: string
}

/** 'Temperature (°C)', 'Updated (Asia/Karachi)', 'Name'. */
export function headingOf({ title, kind }: { title: string; kind: ColumnKind }, timeZone: string): string {
  if (kind === 'text') return title
  const unit = kind === 'time' ? timeZone : kind.unit
  return unit === undefined ? title : `${title} (${unit})`
}
