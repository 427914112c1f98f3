import { useState } from 'react'
import { usePrinting } from '../../ui/use-printing.ts'

/** Rows in sight at first; paper has them all. */
const FIRST = 20

/** The first rows of a list, or all of them once one asks for them. */
export function useFirstRows<T>(rows: readonly T[]) {
  const [isWhole, setWhole] = useState(false)
  const isPrinting = usePrinting()
  const shown = isWhole || isPrinting ? rows : rows.slice(0, FIRST)
  return { shown, hasMore: shown.length < rows.length, showAll: () => setWhole(true) }
}
