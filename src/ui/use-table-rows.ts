import { useVirtualizer, type Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

type Options = VirtualizerOptions<HTMLElement, HTMLTableRowElement>

export type TableRowsInput = Pick<Options, 'count' | 'getItemKey'> &
  Partial<Pick<Options, 'scrollPaddingStart' | 'rangeExtractor'>> & {
    table: RefObject<HTMLTableElement | null>
    /** expected height of a row, px: as a line of the table, and as a card on narrow screens */
    heights: { line: number; card: number }
  }

/** Where rows are lines rather than cards. */
export const wide = matchMedia('(min-width: 1024px)')

/**
 * Rows of a table of which only those in sight exist, in the page that scrolls around it. `margin`: where the rows begin
 * in that page, px; it scrolls with them.
 */
export function useTableRows({ table, heights, ...options }: TableRowsInput): {
  virtual: Virtualizer<HTMLElement, HTMLTableRowElement>
  margin: number
} {
  const [margin, setMargin] = useState(0)
  const virtual = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    ...options,
    getScrollElement: () => scrollerOf(table.current),
    estimateSize: () => (wide.matches ? heights.line : heights.card),
    scrollMargin: margin,
    overscan: 8,
  })
  // The rows begin below what stands above them on the page, which scrolls with them.
  useLayoutEffect(() => {
    const scroller = scrollerOf(table.current)
    const body = table.current?.tBodies[0]
    if (!scroller || !body) return
    const top = body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
    setMargin(Math.round(top))
  })
  useEffect(() => {
    const measure = () => virtual.measure()
    wide.addEventListener('change', measure)
    return () => wide.removeEventListener('change', measure)
  }, [virtual])
  return { virtual, margin }
}

const scrollerOf = (element: HTMLElement | null): HTMLElement | null =>
  element?.closest('main') ?? document.documentElement
