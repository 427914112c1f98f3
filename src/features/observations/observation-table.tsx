import { useMemo } from 'react'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { figure } from '#machines/rules/written.ts'
import { type ObservationColumn, observationColumns } from '../../format/observation-columns.ts'
import { observationTime } from '../../format/time.ts'

export type ObservationTableProps = { rows: readonly ObservationRow[]; hasName: boolean }

/** Rows of one page under a head that stays; wider than most screens, it scrolls sideways by itself. */
export function ObservationTable({ rows, hasName }: ObservationTableProps) {
  const columns = useMemo(() => observationColumns(hasName), [hasName])
  return (
    <section
      aria-label="Observation rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached with the keys
      tabIndex={0}
      className="max-h-[max(20rem,calc(100dvh-26rem))] overflow-auto overscroll-x-contain -outline-offset-2"
    >
      <table aria-label="Observation List" className="w-full border-separate border-spacing-0 text-dense">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`sticky top-0 z-10 border-line border-b bg-surface px-3 py-2 font-medium text-ink-faint ${alignmentOf(column)}`}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own, and never change places
            <tr key={i} className="hover:bg-hover">
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={`whitespace-nowrap border-line border-b px-3 py-1.5 ${alignmentOf(column)}`}
                >
                  {cellOf(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const alignmentOf = ({ kind }: ObservationColumn): string =>
  typeof kind === 'object' ? 'text-right' : 'text-left'

/** As the documents have it; N/A where there is nothing. */
function cellOf({ kind, value }: ObservationColumn, row: ObservationRow): string {
  const toasts = value(row)
  if (toasts === null || toasts === '') return 'N/A'
  if (kind === 'time') return observationTime(toasts as number)
  if (kind === 'text') return String(toasts)
  const text = figure(toasts as number, kind.decimals)
  return kind.unit === undefined ? text : `${text} ${kind.unit}`
}
