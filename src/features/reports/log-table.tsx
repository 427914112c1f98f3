import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { RowTable } from '../../ui/row-table.tsx'
import { COLUMNS, LogRow } from './log-row.tsx'

export type LogTableProps = {
  entries: readonly ReportLogEntry[]
  /** ids of those being asked for again */
  retrying: ReadonlySet<string>
  onRetry: (id: string) => void
  /** ids of those whose next version is being asked for */
  versioning: ReadonlySet<string>
  onVersion: (id: string) => void
}

const HEADS = ['Report Type', 'From', 'To', 'Requested At', 'Status', 'Download Link']

/** The log as a table, on narrow screens as cards. */
export function LogTable({ entries, retrying, onRetry, versioning, onVersion }: LogTableProps) {
  return (
    <RowTable
      label="Report Logs"
      heads={HEADS}
      columns={COLUMNS}
      rows={entries}
      keyOf={({ _id }) => _id}
      heights={{ line: 57, card: 152 }}
      rowLook="max-desk:flex max-desk:flex-col max-desk:gap-1 max-desk:py-3 desk:min-h-14"
    >
      {(entry) => (
        <LogRow
          entry={entry}
          isRetrying={retrying.has(entry._id)}
          onRetry={() => onRetry(entry._id)}
          isVersioning={versioning.has(entry._id)}
          onVersion={() => onVersion(entry._id)}
        />
      )}
    </RowTable>
  )
}
