import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'

export type WalkInput = {
  count: number
  /** what a row keeps however the rows are ordered; undefined: there is no such row */
  keyAt(index: number): string | undefined
  /** -1: it is not among them */
  indexOf(key: string): number
  /** the row stood on while none is chosen */
  preferred?: string | null
}

export type Walk = {
  /** the row that Tab comes to */
  activeIndex: number
  /** id of the element of a row that takes the focus */
  idOf(key: string): string
  /** stands on a row without moving the focus; undefined: on the preferred one */
  stand(key: string | undefined): void
  rangeExtractor(range: Range): number[]
  /** puts the focus on the row of an index, or the nearest there is */
  go(virtual: { scrollToIndex: Virtualizer<Element, Element>['scrollToIndex'] }, wanted: number): void
}

/** The row that keys stand on, of rows of which only those in view exist. */
export function useWalk({ count, keyAt, indexOf, preferred }: WalkInput): Walk {
  const listId = useId()
  const [chosen, stand] = useState<string>()
  const key = chosen ?? preferred
  const activeIndex = Math.max(0, key === undefined || key === null ? 0 : indexOf(key))
  const idOf = (of: string): string => `${listId}-${of}`
  return {
    activeIndex,
    idOf,
    stand,
    // The row that Tab comes to exists wherever the list is scrolled: focus is never lost.
    rangeExtractor(range) {
      const visible = defaultRangeExtractor(range)
      if (activeIndex >= count || visible.includes(activeIndex)) return visible
      return [...visible, activeIndex].sort((a, b) => a - b)
    },
    go(virtual, wanted) {
      const index = Math.max(0, Math.min(count - 1, wanted))
      const to = keyAt(index)
      if (to === undefined) return
      // The row must be there before it can have the focus.
      flushSync(() => stand(to))
      virtual.scrollToIndex(index, { align: 'auto' })
      document.getElementById(idOf(to))?.focus({ preventScroll: true })
    },
  }
}

export type ScrolledRows = Pick<Walk, 'activeIndex' | 'idOf' | 'stand'> & {
  virtual: Virtualizer<HTMLDivElement, Element>
  /** puts the focus on the row of an index, or the nearest there is */
  to(index: number): void
}

/** Rows that keys walk in a box that scrolls by itself. @param heightOf px of the row of an index */
export function useScrolledRows(
  scroller: RefObject<HTMLDivElement | null>,
  heightOf: (index: number) => number,
  input: WalkInput,
): ScrolledRows {
  const { activeIndex, idOf, stand, rangeExtractor, go } = useWalk(input)
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: input.count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: 4,
    rangeExtractor,
  })
  return { virtual, activeIndex, idOf, stand, to: (wanted) => go(virtual, wanted) }
}
