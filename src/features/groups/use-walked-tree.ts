import { defaultRangeExtractor, type Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTableRows, wide } from '../../ui/use-table-rows.ts'
import type { GroupRow } from './group-rows.ts'

export type WalkedTree = {
  virtual: Virtualizer<HTMLElement, HTMLTableRowElement>
  /** where the rows begin on the page, which scrolls with them */
  margin: number
  /** the row that Tab comes to */
  activeIndex: number
  idOf(row: GroupRow): string
  /** stands on a row without moving the focus */
  stand(row: GroupRow): void
  onKeyDown(event: KeyboardEvent): void
}

type Input = {
  rows: readonly GroupRow[]
  table: RefObject<HTMLTableElement | null>
  onExpand: (id: string, isExpanded: boolean) => void
  onEnter: (row: GroupRow) => void
}

/** Rows of a tree of which only those in sight exist, walked like a treegrid: arrows walk, unfold and fold, Enter opens. */
export function useWalkedTree({ rows, table, onExpand, onEnter }: Input): WalkedTree {
  const treeId = useId()
  const [activeId, setActive] = useState<string | null>(null)
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ group }) => group._id === activeId),
  )
  const { virtual, margin } = useTableRows({
    table,
    count: rows.length,
    getItemKey: (index) => rows[index]?.group._id ?? index,
    heights: { line: 44, card: 92 },
    // The heads stay at the top: no row with the focus hides below them.
    scrollPaddingStart: wide.matches ? HEADS_HEIGHT : 0,
    // The row that Tab comes to exists wherever the page is scrolled: focus is never lost.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      if (activeIndex >= rows.length || visible.includes(activeIndex)) return visible
      return [...visible, activeIndex].sort((a, b) => a - b)
    },
  })
  const idOf = ({ group }: GroupRow): string => `${treeId}-${group._id}`
  function to(wanted: number): void {
    const index = Math.max(0, Math.min(rows.length - 1, wanted))
    const row = rows[index]
    if (row === undefined) return
    // The row must be there before it can have the focus.
    flushSync(() => setActive(row.group._id))
    virtual.scrollToIndex(index, { align: 'auto' })
    document.getElementById(idOf(row))?.focus({ preventScroll: true })
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[activeIndex]
    // Keys in a button or link of the row are its own.
    if (row === undefined || event.target !== document.getElementById(idOf(row))) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = stepOf(event.key, rows, activeIndex)
    if (step === undefined) return
    event.preventDefault()
    if (step === 'enter') onEnter(row)
    else if (step === 'unfold' || step === 'fold') onExpand(row.group._id, step === 'unfold')
    else to(step)
  }

  return {
    virtual,
    margin,
    activeIndex,
    idOf,
    stand: ({ group }) => setActive(group._id),
    onKeyDown,
  }
}

/** What a key does in a treegrid: the index to go to, or something with the row itself. */
function stepOf(
  key: string,
  rows: readonly GroupRow[],
  index: number,
): number | 'unfold' | 'fold' | 'enter' | undefined {
  const { above, hasChildren, isExpanded } = rows[index] as GroupRow
  switch (key) {
    case 'ArrowDown':
      return index + 1
    case 'ArrowUp':
      return index - 1
    case 'PageDown':
      return index + PAGE
    case 'PageUp':
      return index - PAGE
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case 'ArrowRight':
      if (!hasChildren) return undefined
      return isExpanded ? index + 1 : 'unfold'
    case 'ArrowLeft':
      if (isExpanded) return 'fold'
      return above === null ? undefined : rows.findIndex(({ group }) => group._id === above)
    case 'Enter':
      return 'enter'
    default:
      return undefined
  }
}

const PAGE = 10
const HEADS_HEIGHT = 56
