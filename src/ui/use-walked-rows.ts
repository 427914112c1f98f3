import { useCallback } from 'react'
import { type PageRows, type PageRowsInput, usePageRows } from './use-page-rows.ts'
import { useWalk, type Walk } from './use-walk.ts'

type Input<T, Row extends Element> = Omit<PageRowsInput<Row>, 'count' | 'getItemKey' | 'rangeExtractor'> & {
  rows: readonly T[]
  /** a row keeps its key when others come before it; the same function while nothing else is meant */
  keyOf(row: T): string
}

export type WalkedRows<Row extends Element> = PageRows<Row> &
  Omit<Walk, 'go' | 'rangeExtractor'> & {
    /** puts the focus on the row of an index, or the nearest there is */
    to(index: number): void
  }

/** Rows that keys walk in the page that scrolls around them. */
export function useWalkedRows<T, Row extends Element>({
  rows,
  keyOf,
  ...input
}: Input<T, Row>): WalkedRows<Row> {
  const { rangeExtractor, go, ...walk } = useWalk({
    count: rows.length,
    keyAt: (index) => keyFor(rows, index, keyOf),
    indexOf: (key) => rows.findIndex((row) => keyOf(row) === key),
  })
  const { virtual, margin } = usePageRows<Row>({
    ...input,
    count: rows.length,
    // Another function has all rows measured anew.
    getItemKey: useCallback((index: number) => keyFor(rows, index, keyOf) ?? index, [rows, keyOf]),
    rangeExtractor,
  })
  return { ...walk, virtual, margin, to: (wanted) => go(virtual, wanted) }
}

function keyFor<T>(rows: readonly T[], index: number, keyOf: (row: T) => string): string | undefined {
  const row = rows[index]
  return row === undefined ? undefined : keyOf(row)
}
