import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { useWalkedRows, type WalkedRows } from '../../ui/use-walked-rows.ts'

/** px of a closed entry before it is measured */
const HEIGHTS = { line: 61, card: 101 }

const idOf = ({ _id }: Notification): string => _id

/** Entries that are walked by keys; what somebody reads stays where it is when others come in above it. */
export function useWalkedEntries(
  list: RefObject<HTMLElement | null>,
  entries: readonly Notification[],
): WalkedRows<HTMLLIElement> {
  const walked = useWalkedRows<Notification, HTMLLIElement>({
    list,
    rows: entries,
    keyOf: idOf,
    heights: HEIGHTS,
    overscan: 6,
  })
  useKeptPlace(walked.virtual, entries, walked.margin)
  return walked
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
  // The first in view, as it stands after each drawing.
  useLayoutEffect(() => {
    const offset = virtual.scrollOffset ?? 0
    const first = virtual.getVirtualItems().find(({ end }) => end > offset)
    const entry = first && entries[first.index]
    kept.current = entry && { id: entry._id, start: first.start }
  })
}
