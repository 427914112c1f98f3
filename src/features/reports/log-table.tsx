import { useRef } from 'react'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { classNames } from '../../ui/class-names.ts'
import { useTableRows } from '../../ui/use-table-rows.ts'
import { COLUMNS, LogRow } from './log-row.tsx'

export type LogTableProps = {
  entries: readonly ReportLogEntry[]
  /** ids of those being asked for again */
  retrying: ReadonlySet<string>
  onRetry: (id: string) => void
}

const HEADS = ['Report Type', 'From', 'To', 'Requested At', 'Status', 'Download Link']

/** The log as a table, on narrow screens as cards; of thousands of lines only those in sight exist. */
export function LogTable({ entries, retrying, onRetry }: LogTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const { virtual: rows, margin } = useTableRows({
    table,
    count: entries.length,
    getItemKey: (index) => entries[index]?._id ?? index,
    heights: { line: 57, card: 200 },
  })
  return (
    <table
      ref={table}
      aria-label="Report Logs"
      aria-rowcount={entries.length + 1}
      aria-colcount={HEADS.length}
      className="block"
    >
      <thead className="block max-desk:sr-only">
        <tr
          aria-rowindex={1}
          className={classNames(COLUMNS, 'h-row px-4 font-medium text-dense text-ink-faint')}
        >
          {HEADS.map((head) => (
            <th key={head} scope="col" className="whitespace-nowrap text-left font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const entry = entries[index] as ReportLogEntry
          return (
            <tr
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - margin}px)` }}
              className={classNames(
                COLUMNS,
                'absolute inset-x-0 border-line border-t px-4 py-2 max-desk:flex max-desk:flex-col max-desk:gap-1 max-desk:py-3 desk:min-h-14',
              )}
            >
              <LogRow entry={entry} isRetrying={retrying.has(entry._id)} onRetry={() => onRetry(entry._id)} />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
