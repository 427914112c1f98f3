import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Fleet } from '../../../read-model/fleet.ts'
import { DETAILS_HEIGHT } from './details-look.ts'

const ROW_HEIGHT = 60

export type WalkedRowsInput = {
  fleet: Fleet
  /** rows of the fleet in the order of the list */
  rows: Uint32Array
  /** imei of the selected device: its row is open */
  selected: string | null
  scroller: RefObject<HTMLDivElement | null>
}

/** Rows of which only those in sight exist, and the one the keys stand on. */
export type WalkedRows = {
  virtual: Virtualizer<HTMLDivElement, Element>
  activeIndex: number
  idOf(row: number): string
  /** puts the focus on the row of an index, or the nearest there is */
  to(index: number): void
  /** stands on the selected row, else on the first */
  forget(): void
}

export function useWalkedRows({ fleet, rows, selected, scroller }: WalkedRowsInput): WalkedRows {
  const listId = useId()
  const [activeImei, setActive] = useState<string | null>(null)
  const selectedIndex = useIndexOf(fleet, rows, selected)
  const activeIndex = Math.max(0, useIndexOf(fleet, rows, activeImei ?? selected))
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHT + (index === selectedIndex ? DETAILS_HEIGHT : 0),
    overscan: 4,
    // The row that Tab comes to exists wherever the list is scrolled: focus is never lost.
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range)
      if (activeIndex >= rows.length || inSight.includes(activeIndex)) return inSight
      return [...inSight, activeIndex].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes follow from which row is selected
  useEffect(() => virtual.measure(), [virtual, selectedIndex])
  // Selected on the map or in the list, it comes into view; not when the order changes around it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setActive(null)
    const room = scroller.current?.clientHeight ?? 0
    const align = room < 2 * (ROW_HEIGHT + DETAILS_HEIGHT) ? 'start' : 'auto'
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align })
  }, [selected])

  const idOf = (row: number): string => `${listId}-${row}`
  return {
    virtual,
    activeIndex,
    idOf,
    forget: () => setActive(null),
    to(wanted) {
      const index = Math.max(0, Math.min(rows.length - 1, wanted))
      const row = rows[index]
      if (row === undefined) return
      // The row must be there before it can have the focus.
      flushSync(() => setActive(fleet.names.of(row, 'imei')))
      virtual.scrollToIndex(index, { align: 'auto' })
      document.getElementById(idOf(row))?.focus({ preventScroll: true })
    },
  }
}

/** Place of a device among the rows; -1 where it is not. */
function useIndexOf(fleet: Fleet, rows: Uint32Array, imei: string | null): number {
  return useMemo(() => (imei === null ? -1 : rows.indexOf(fleet.names.rowOf(imei))), [fleet, rows, imei])
}
