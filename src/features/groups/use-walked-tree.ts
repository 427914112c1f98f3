import type { KeyboardEvent, RefObject } from 'react'
import { rowByKey } from '../../ui/row-keys.ts'
import { wide } from '../../ui/use-page-rows.ts'
import { useWalkedRows, type WalkedRows } from '../../ui/use-walked-rows.ts'
import type { GroupRow } from './group-rows.ts'

type Input = {
  rows: readonly GroupRow[]
  table: RefObject<HTMLTableElement | null>
  onExpand: (id: string, isExpanded: boolean) => void
  onEnter: (row: GroupRow) => void
}

const keyOf = ({ group }: GroupRow): string => group._id

/** Rows of a tree, walked like a treegrid: arrows, J and K walk, arrows unfold and fold, Enter opens. */
export function useWalkedTree({
  rows,
  table,
  onExpand,
  onEnter,
}: Input): WalkedRows<HTMLTableRowElement> & { onKeyDown(event: KeyboardEvent): void } {
  const walked = useWalkedRows<GroupRow, HTMLTableRowElement>({
    list: table,
    rows,
    keyOf,
    heights: { line: 44, card: 92 },
    // The heads stay at the top: no row with the focus hides below them.
    scrollPaddingStart: wide.matches ? HEADS_HEIGHT : 0,
  })
  const { activeIndex, idOf, to } = walked

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[activeIndex]
    // Keys in a button or link of the row are its own.
    if (row === undefined || event.target !== document.getElementById(idOf(keyOf(row)))) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = stepOf(event.key, rows, activeIndex)
    if (step === undefined) return
    event.preventDefault()
    if (step === 'enter') onEnter(row)
    else if (step === 'unfold' || step === 'fold') onExpand(row.group._id, step === 'unfold')
    else to(step)
  }

  return { ...walked, onKeyDown }
}

/** What a key does in a treegrid: the index to go to, or something with the row itself. */
function stepOf(
  key: string,
  rows: readonly GroupRow[],
  index: number,
): number | 'unfold' | 'fold' | 'enter' | undefined {
  const { above, hasChildren, isExpanded } = rows[index] as GroupRow
  switch (key) {
    case 'ArrowRight':
      if (!hasChildren) return undefined
      return isExpanded ? index + 1 : 'unfold'
    case 'ArrowLeft':
      if (isExpanded) return 'fold'
      return above === null ? undefined : rows.findIndex(({ group }) => group._id === above)
    case 'Enter':
      return 'enter'
    default:
      return rowByKey(key, index, rows.length)
  }
}

const HEADS_HEIGHT = 56
