import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Incident } from '#machines/contracts/entities/incidents.ts'

/** Px. */
export const ROW_HEIGHT = 56

/** Incidents of which only those in sight exist, and the one the keys stand on. */
export type IncidentWalk = {
  virtual: Virtualizer<HTMLDivElement, Element>
  /** those in sight: index, and px from the top */
  items: { index: number; start: number }[]
  active: number
  setActive(index: number): void
  idOf(index: number): string
  /** puts the focus on an incident, or on the nearest there is */
  go(to: number): void
}

export function useIncidentWalk(
  incidents: readonly Incident[],
  scroller: RefObject<HTMLDivElement | null>,
): IncidentWalk {
  const listId = useId()
  const [activeId, setActiveId] = useState<string>()
  const active = Math.max(
    0,
    incidents.findIndex(({ violationId }) => violationId === activeId),
  )
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: incidents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    // the row that Tab comes to exists wherever the list is scrolled
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  })
  const setActive = (index: number): void => setActiveId(incidents[index]?.violationId)
  const idOf = (index: number): string => `${listId}-${incidents[index]?.violationId}`
  return {
    virtual,
    items: virtual.getVirtualItems().filter(({ index }) => index < incidents.length),
    active,
    setActive,
    idOf,
    go(to) {
      const index = Math.max(0, Math.min(incidents.length - 1, to))
      flushSync(() => setActive(index))
      virtual.scrollToIndex(index, { align: 'auto' })
      document.getElementById(idOf(index))?.focus({ preventScroll: true })
    },
  }
}
