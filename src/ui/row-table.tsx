import { type ReactNode, useRef } from 'react'
import { classNames } from './class-names.ts'
import { type PageRowsInput, usePageRows } from './use-page-rows.ts'

export type RowTableProps<T> = Pick<PageRowsInput<Element>, 'heights'> & {
  label: string
  heads: readonly string[]
  /** the grid of the columns, for where rows are lines */
  columns: string
  rows: readonly T[]
  keyOf: (row: T) => string
  isSelected?: (row: T) => boolean
  /** looks of a row and of a head, besides those of every table */
  rowLook?: string
  headLook?: string
  /** the cells of one row */
  children: (row: T) => ReactNode
}

/** Rows as a table, on narrow screens as cards; of thousands only those in view exist. */
export function RowTable<T>(props: RowTableProps<T>) {
  const { label, heads, columns, rows, keyOf, isSelected, heights, rowLook, headLook, children } = props
  const table = useRef<HTMLTableElement>(null)
  const { virtual, margin } = usePageRows<HTMLTableRowElement>({
    list: table,
    count: rows.length,
    getItemKey: (index) => keyOf(rows[index] as T),
    heights,
  })
  return (
    <table
      ref={table}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={heads.length}
      className="block"
    >
      <thead className="block max-desk:sr-only">
        <tr
          aria-rowindex={1}
          className={classNames(columns, 'h-row px-4 font-medium text-dense text-ink-faint')}
        >
          {heads.map((head) => (
            <th key={head} scope="col" className={classNames('text-left font-medium', headLook)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="relative block print:h-auto!" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index] as T
          return (
            <tr
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={isSelected?.(row)}
              style={{ transform: `translateY(${start - margin}px)` }}
              className={classNames(
                columns,
                'absolute inset-x-0 border-line border-t px-4 py-2 print:static print:transform-none!',
                rowLook,
              )}
            >
              {children(row)}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
