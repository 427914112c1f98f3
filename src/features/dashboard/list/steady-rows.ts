import { type RefObject, useEffect, useReducer, useRef } from 'react'

/** So long after the visitor's last move in the list its rows stay where they are, ms. */
const CALM_MS = 3000

/**
 * Rows in their order, except that they do not jump away under the pointer or the keys: they come into order a moment
 * after the visitor was last at them. `question`: what was asked for; another one is answered at once.
 */
export function useSteadyRows(
  rows: Uint32Array,
  question: unknown,
  touchedAt: RefObject<number>,
): Uint32Array {
  const kept = useRef({ rows, question })
  const isTouched = performance.now() - touchedAt.current < CALM_MS
  if (!isTouched || kept.current.question !== question) kept.current = { rows, question }
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  useEffect(() => {
    if (kept.current.rows === rows) return
    const timer = setTimeout(lookAgain, CALM_MS)
    return () => clearTimeout(timer)
  })
  return kept.current.rows
}
