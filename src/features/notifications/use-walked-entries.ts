import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { wide } from '../../ui/use-table-rows.ts'

/** px of a closed entry before it is measured */
const LINE = 61
const CARD = 101

/** Entries of which only those in sight exist, in the page that scrolls around them, and the one the keys stand on. */
export type WalkedEntries = {
  virtual: Virtualizer<HTMLElement, HTMLLIElement>
  /** where the list begins in the page, px */
  margin: number
  activeId: string | undefined
  /** of the button that opens an entry */
  idOf(entryId: string): string
  /** puts the focus on the entry of an index, or the nearest there is */
  to(index: number): void
}

export function useWalkedEntries(
  list: RefObject<HTMLElement | null>,
  entries: readonly Notification[],
): WalkedEntries {
  const listId = useId()
  const [walkedTo, setWalkedTo] = useState<string>()
  const [margin, setMargin] = useState(0)
  const walkedIndex = entries.findIndex(({ _id }) => _id === walkedTo)
  const activeIndex = Math.max(0, walkedIndex)
  // Asked once, not for each of 100,000.
  const closed = wide.matches ? LINE : CARD
  // Another function has all entries measured anew.
  const getItemKey = useCallback((index: number) => entries[index]?._id ?? index, [entries])
  const virtual = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: entries.length,
    getScrollElement: () => scrollerOf(list.current),
    getItemKey,
    estimateSize: () => closed,
    scrollMargin: margin,
    overscan: 6,
    // The entry that Tab comes to exists wherever the page is scrolled: focus is never lost.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      if (activeIndex >= entries.length || visible.includes(activeIndex)) return visible
      return [...visible, activeIndex].sort((a, b) => a - b)
    },
  })
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current)
    if (!scroller || !list.current) return
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    setMargin(Math.round(top + scroller.scrollTop))
  })
  useKeptPlace(virtual, entries, margin)

  const idOf = (entryId: string): string => `${listId}-${entryId}`
  return {
    virtual,
    margin,
    activeId: entries[activeIndex]?._id,
    idOf,
    to(wanted) {
      const index = Math.max(0, Math.min(entries.length - 1, wanted))
      const entry = entries[index]
      if (entry === undefined) return
      // The entry must be there before it can have the focus.
      flushSync(() => setWalkedTo(entry._id))
      virtual.scrollToIndex(index, { align: 'auto' })
      document.getElementById(idOf(entry._id))?.focus({ preventScroll: true })
    },
  }
}

/** What comes live above does not push away what somebody reads: only at the top the list moves down for it. */
function useKeptPlace(
  virtual: Virtualizer<HTMLElement, HTMLLIElement>,
  entries: readonly Notification[],
  margin: number,
): void {
  const kept = useRef<{ id: string; start: number }>(undefined)
  useLayoutEffect(() => {
    const scroller = virtual.scrollElement
    const offset = virtual.scrollOffset ?? 0
    const before = kept.current
    if (scroller && before && offset > margin) {
      const index = entries.findIndex(({ _id }) => _id === before.id)
      const start = virtual.measurementsCache[index]?.start
      if (start !== undefined && start !== before.start) scroller.scrollTop += start - before.start
    }
  }, [virtual, entries, margin])
  // The first in sight, as it stands after each drawing.
  useLayoutEffect(() => {
    const offset = virtual.scrollOffset ?? 0
    const first = virtual.getVirtualItems().find(({ end }) => end > offset)
    const entry = first && entries[first.index]
    kept.current = entry && { id: entry._id, start: first.start }
  })
}

const scrollerOf = (element: HTMLElement | null): HTMLElement | null =>
  element?.closest('main') ?? document.documentElement
