import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import type { ActionsOnReports } from '../../actors/report-log.ts'
import { RowTable } from '../../ui/row-table.tsx'
import { COLUMNS, LogRow, type ReportAct } from './log-row.tsx'

export type LogTableProps = {
  entries: readonly ReportLogEntry[]
} & Record<ReportAct, ActionsOnReports>

const HEADS = ['Report Type', 'From', 'To', 'Requested At', 'Status', 'Download Link']

/** The log as a table, on narrow screens as cards. */
export function LogTable({ entries, ...actions }: LogTableProps) {
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
          does={(act) => ({
            isPending: actions[act].pending.has(entry._id),
            onPress: () => actions[act].act(entry._id),
          })}
        />
      )}
    </RowTable>
  )
}
