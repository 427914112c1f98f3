import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { classNames } from './class-names.ts'
import { rowByKey } from './row-keys.ts'
import type { PageRowsInput } from './use-page-rows.ts'
import { useWalkedRows } from './use-walked-rows.ts'

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

/** Rows as a table, on narrow screens as cards; of thousands only those in view exist. Arrows, J and K walk what can be pressed in them. */
export function RowTable<T>(props: RowTableProps<T>) {
  const { label, heads, columns, rows, keyOf, isSelected, heights, rowLook, headLook, children } = props
  const table = useRef<HTMLTableElement>(null)
  const { virtual, margin, idOf, stand, to } = useWalkedRows<T, HTMLTableRowElement>({
    list: table,
    rows,
    keyOf,
    heights,
  })

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement
    const { altKey, ctrlKey, metaKey, defaultPrevented } = event
    if (defaultPrevented || altKey || ctrlKey || metaKey || !target.matches(`tr, ${PRESSED}`)) return
    const index = Number(target.closest('tr')?.dataset.index ?? Number.NaN)
    const wanted = rowByKey(event.key, index, rows.length)
    if (wanted === undefined || Number.isNaN(index)) return
    event.preventDefault()
    to(wanted)
    focusIn(document.activeElement, target.closest('td')?.cellIndex)
  }

  return (
    <table
      ref={table}
      data-walked
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={heads.length}
      onKeyDown={onKey}
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
              id={idOf(keyOf(row))}
              data-index={index}
              tabIndex={-1}
              onFocus={() => stand(keyOf(row))}
              aria-rowindex={index + 2}
              aria-selected={isSelected?.(row)}
              style={{ transform: `translateY(${start - margin}px)` }}
              className={classNames(
                columns,
                'absolute inset-x-0 border-line border-t px-4 py-2 -outline-offset-2 print:static print:transform-none!',
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

/** What can be pressed in a row. */
const PRESSED = 'a[href], button:not(:disabled)'

/** Moves the focus from a row to what can be pressed in that column, else to the first of the row; where there is none it stays. */
function focusIn(row: Element | null, column: number | undefined): void {
  if (!(row instanceof HTMLTableRowElement)) return
  const cell = column === undefined ? undefined : row.cells[column]
  const pressed = cell?.querySelector<HTMLElement>(PRESSED) ?? row.querySelector<HTMLElement>(PRESSED)
  pressed?.focus({ preventScroll: true })
}
