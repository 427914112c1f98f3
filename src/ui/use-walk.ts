import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MOST_PRINTED, usePrinting } from './use-printing.ts'

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
  /** somebody chose that row; false: it stands in the place of one that left, or there is none to stand on */
  isMeant: boolean
  /** id of the element of a row that takes the focus */
  idOf(key: string): string
  /** stands on a row without moving the focus; undefined: on the preferred one */
  stand(key: string | undefined): void
  rangeExtractor(range: Range): number[]
  /** puts the focus on the row of an index, or the nearest there is */
  go(virtual: { scrollToIndex: Virtualizer<Element, Element>['scrollToIndex'] }, wanted: number): void
}

/** `isNext`: it came into the place, and to the focus, of one that left */
type Stood = { key?: string | undefined; isNext?: true }

/** The row that keys stand on, of rows of which only those in view exist. Where it leaves, its focus goes to the row in its place. */
export function useWalk({ count, keyAt, indexOf, preferred }: WalkInput): Walk {
  const listId = useId()
  const [stood, setStood] = useState<Stood>({})
  const last = useRef({ key: '', index: 0 })
  const idOf = (of: string): string => `${listId}-${of}`
  const stand = (key: string | undefined): void => setStood({ key })
  const key = stood.key ?? preferred ?? ''
  // where it stood before is looked at first, not each of 100,000
  const at = key === '' ? -1 : keyAt(last.current.index) === key ? last.current.index : indexOf(key)
  if (at >= 0) last.current = { key, index: at }
  const place = key === last.current.key ? Math.min(last.current.index, count - 1) : 0
  const activeIndex = Math.max(0, place)
  if (at < 0 && place >= 0 && document.getElementById(idOf(key))?.contains(document.activeElement))
    setStood({ key: keyAt(place), isNext: true })
  useLayoutEffect(() => {
    if (stood.isNext) document.getElementById(`${listId}-${stood.key}`)?.focus()
  }, [stood, listId])
  return {
    activeIndex,
    isMeant: at >= 0 && !stood.isNext,
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

export type ScrolledRows = Omit<Walk, 'go' | 'rangeExtractor'> & {
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
  const { rangeExtractor, go, ...walk } = useWalk(input)
  const isPrinting = usePrinting()
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: input.count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: isPrinting ? MOST_PRINTED : 4,
    rangeExtractor,
  })
  return { ...walk, virtual, to: (wanted) => go(virtual, wanted) }
}
