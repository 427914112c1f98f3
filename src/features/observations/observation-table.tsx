import { useMemo } from 'react'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import { figure } from '#machines/rules/figures.ts'
import { headingOf } from '../../format/file-table.ts'
import { type ObservationColumn, observationColumns } from '../../format/observation-columns.ts'
import { observationTime, zoneName } from '../../format/time.ts'
import type { Quantity } from '../../layout/measured/series.ts'
import { Value } from '../../layout/measured/value.tsx'
import { PastTime } from '../../layout/past/past-time.tsx'

export type ObservationTableProps = {
  rows: readonly ObservationRow[]
  hasName: boolean
  /** in force now; what is beyond them is marked. Undefined: not known */
  limits: FleetGroup | undefined
}

/** Rows of one page under a head that stays; wider than most screens, it scrolls sideways by itself. */
export function ObservationTable({ rows, hasName, limits }: ObservationTableProps) {
  const columns = useMemo(() => observationColumns(hasName), [hasName])
  return (
    <section
      aria-label="Observation rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached with the keys
      tabIndex={0}
      className="max-h-[max(20rem,calc(100dvh-26rem))] overflow-auto print:max-h-none print:overflow-visible overscroll-x-contain -outline-offset-2"
    >
      <table
        aria-label="Observation List"
        className="w-full border-separate border-spacing-0 text-dense print:wrap-anywhere print:text-[10px]"
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`sticky top-0 z-10 border-line border-b bg-surface px-3 py-2 print:static print:px-1 font-medium text-ink-faint ${alignmentOf(column)}`}
              >
                {headingOf(column, zoneName)}
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
                  className={`whitespace-nowrap border-line border-b px-3 py-1.5 print:whitespace-normal print:px-1 ${alignmentOf(column)}`}
                >
                  <Cell column={column} row={row} limits={limits} />
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

type CellProps = { column: ObservationColumn; row: ObservationRow; limits: FleetGroup | undefined }

/** What was measured; beyond its limit with the shape and colour of that. */
function Cell({ column, row, limits }: CellProps) {
  const text = textOf(column, row)
  if (column.kind === 'time' && row.timestamp !== null)
    return <PastTime at={row.timestamp} imei={row.imei} as={observationTime} />
  const quantity = QUANTITY_OF[column.title]
  if (quantity === undefined) return text
  return <Value quantity={quantity} value={row[quantity]} limits={limits} text={text} />
}

const QUANTITY_OF: Readonly<Record<string, Quantity>> = { Temperature: 'temperature', Humidity: 'humidity' }

/** As the documents have it, in the unit of its heading; N/A where there is nothing. */
function textOf({ kind, value }: ObservationColumn, row: ObservationRow): string {
  const known = value(row)
  if (known === null || known === '') return 'N/A'
  if (kind === 'time') return observationTime(known)
  return kind === 'text' ? String(known) : figure(known as number, kind.decimals)
}
