import { useMemo, useRef, useState } from 'react'
import type { Fleet } from '../../../read-model/fleet.ts'

/** Rows of a list that something is to be done with. */
export type PickedRows = {
  /** those in the list, in its order: what is hidden meanwhile is not meant */
  readonly rows: Uint32Array
  has(row: number): boolean
  /** each press picks, as on a screen that is touched */
  readonly isPicking: boolean
  setPicking(isPicking: boolean): void
  /** the boxes of the rows are to be seen */
  readonly isPickable: boolean
  toggle(row: number): void
  /** all from where one stood to here, or this one where that row left; the end that moves takes back what it leaves */
  through(from: number, to: number): void
  /** the next `through` begins anew */
  loosen(): void
  all(): void
  clear(): void
}

type Span = { from: number; before: ReadonlySet<number> }

const NOTHING: ReadonlySet<number> = new Set()
const NO_ROWS = new Uint32Array(0)

/** Kept by device number, which stays where rows are counted anew. */
export function usePickedRows({ columns }: Fleet, list: Uint32Array): PickedRows {
  const [picked, setPicked] = useState(NOTHING)
  const [isPicking, setPicking] = useState(false)
  const span = useRef<Span>(undefined)
  const noOf = (row: number | undefined): number => columns.device[row as number] as number
  const rows = useMemo(
    () => (picked.size === 0 ? NO_ROWS : list.filter((row) => picked.has(columns.device[row] as number))),
    [columns, list, picked],
  )
  function loosen(): void {
    span.current = undefined
  }
  return {
    rows,
    isPicking,
    has: (row) => picked.has(noOf(row)),
    setPicking,
    isPickable: isPicking || picked.size > 0,
    toggle(row) {
      loosen()
      const next = new Set(picked)
      if (!next.delete(noOf(row))) next.add(noOf(row))
      setPicked(next)
    },
    through(from, to) {
      span.current ??= { from: noOf(list[from]), before: picked }
      let begin = list.findIndex((row) => noOf(row) === span.current?.from)
      if (begin < 0) {
        begin = to
        span.current = { from: noOf(list[to]), before: picked }
      }
      const next = new Set(span.current.before)
      for (let i = Math.min(begin, to); i <= Math.max(begin, to); i++)
        if (list[i] !== undefined) next.add(noOf(list[i]))
      setPicked(next)
    },
    loosen,
    all() {
      loosen()
      setPicked(new Set(Array.from(list, noOf)))
    },
    clear() {
      loosen()
      setPicked(NOTHING)
      setPicking(false)
    },
  }
}
