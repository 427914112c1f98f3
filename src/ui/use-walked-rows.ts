import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { useCallback, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { type PageRows, type PageRowsInput, usePageRows } from './use-page-rows.ts'

type Input<T, Row extends Element> = Omit<PageRowsInput<Row>, 'count' | 'getItemKey' | 'rangeExtractor'> & {
  rows: readonly T[]
  /** a row keeps its key when others come before it; the same function while nothing else is meant */
  keyOf(row: T): string
}

export type WalkedRows<Row extends Element> = PageRows<Row> & {
  /** the row that Tab comes to */
  activeIndex: number
  /** id of the element of a row that takes the focus */
  idOf(key: string): string
  /** stands on a row without moving the focus */
  stand(key: string): void
  /** puts the focus on the row of an index, or the nearest there is */
  to(index: number): void
}

/** Rows of which only those in view exist, and the one the keys stand on. */
export function useWalkedRows<T, Row extends Element>({
  rows,
  keyOf,
  ...input
}: Input<T, Row>): WalkedRows<Row> {
  const listId = useId()
  const [activeKey, stand] = useState<string>()
  const activeIndex = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === activeKey),
  )
  const { virtual, margin } = usePageRows<Row>({
    ...input,
    count: rows.length,
    // Another function has all rows measured anew.
    getItemKey: useCallback((index: number) => keyAt(rows, index, keyOf) ?? index, [rows, keyOf]),
    // The row that Tab comes to exists wherever the page is scrolled: focus is never lost.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      if (activeIndex >= rows.length || visible.includes(activeIndex)) return visible
      return [...visible, activeIndex].sort((a, b) => a - b)
    },
  })
  const idOf = (key: string): string => `${listId}-${key}`
  return {
    virtual,
    margin,
    activeIndex,
    idOf,
    stand,
    to(wanted) {
      const index = Math.max(0, Math.min(rows.length - 1, wanted))
      const key = keyAt(rows, index, keyOf)
      if (key === undefined) return
      // The row must be there before it can have the focus.
      flushSync(() => stand(key))
      virtual.scrollToIndex(index, { align: 'auto' })
      document.getElementById(idOf(key))?.focus({ preventScroll: true })
    },
  }
}

function keyAt<T>(rows: readonly T[], index: number, keyOf: (row: T) => string): string | undefined {
  const row = rows[index]
  return row === undefined ? undefined : keyOf(row)
}
