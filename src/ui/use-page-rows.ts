import { useVirtualizer, type Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { MOST_PRINTED, usePrinting } from './use-printing.ts'

type Options<Row extends Element> = VirtualizerOptions<HTMLElement, Row>

export type PageRowsInput<Row extends Element> = Pick<Options<Row>, 'count' | 'getItemKey'> &
  Partial<Pick<Options<Row>, 'scrollPaddingStart' | 'rangeExtractor' | 'overscan'>> & {
    /** the list, or the table around the rows */
    list: RefObject<HTMLElement | null>
    /** expected height of a row, px: as a line, and as a card on narrow screens */
    heights: { line: number; card: number }
  }

export type PageRows<Row extends Element> = {
  virtual: Virtualizer<HTMLElement, Row>
  /** where the rows begin in the page, px; it scrolls with them */
  margin: number
}

/** Where rows are lines rather than cards. */
export const wide = matchMedia('(min-width: 1024px)')

/** Rows of which only those in view exist, in the page that scrolls around them. */
export function usePageRows<Row extends Element>({
  list,
  heights,
  ...options
}: PageRowsInput<Row>): PageRows<Row> {
  const [margin, setMargin] = useState(0)
  const isPrinting = usePrinting()
  // Read once, not for each of 100,000.
  const height = wide.matches ? heights.line : heights.card
  const virtual = useVirtualizer<HTMLElement, Row>({
    overscan: 8,
    ...options,
    ...(isPrinting && { overscan: MOST_PRINTED }),
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => height,
    scrollMargin: margin,
  })
  // The rows begin below what stands above them on the page, which scrolls with them.
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current)
    const rows = list.current instanceof HTMLTableElement ? list.current.tBodies[0] : list.current
    if (!scroller || !rows) return
    const top = rows.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
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
