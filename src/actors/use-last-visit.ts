import { useCallback, useEffect, useState } from 'react'
import { keepVisit, readVisits, visited } from '../effects/last-visit.ts'
import { useRoot, useSignedIn } from './use-root.ts'

/** A sign of life is noted so often at most, ms. */
const NOTED_EACH = 30_000
/** A press counts when it is over: what comes of it moves the page, and not from under the press. */
const SIGNS = ['click', 'keydown', 'wheel', 'touchmove'] as const

/** When the visitor left before this visit, by the server's clock, epoch ms; null: they did not, or have seen what happened since. */
export function useLastVisit(): { left: number | null; seen: () => void } {
  const { clock } = useRoot()
  const { _id } = useSignedIn().user
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    let noted = Number.NEGATIVE_INFINITY
    const note = (): void => {
      const wall = Date.now()
      if (wall - noted < NOTED_EACH) return
      noted = wall
      const visit = visited(readVisits(document.cookie)[_id], { at: clock.now(), wall })
      keepVisit(_id, visit)
      setLeft(visit.left)
    }
    note()
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true })
    }
  }, [_id, clock])
  const seen = useCallback(() => {
    const visit = readVisits(document.cookie)[_id]
    if (visit) keepVisit(_id, { ...visit, left: null })
    setLeft(null)
  }, [_id])
  return { left, seen }
}

/** When somebody who is active at `at` left before, by the server's clock, epoch ms, as `useLastVisit` will have it. */
export const leftNow = (userId: string, at: number): number | null =>
  visited(readVisits(document.cookie)[userId], { at, wall: Date.now() }).left

/** When somebody left before this visit, as `useLastVisit` has it. */
export const leftBefore = (userId: string): number | null => readVisits(document.cookie)[userId]?.left ?? null
