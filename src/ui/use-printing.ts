import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

/** Rows on paper before and after those in view. */
export const MOST_PRINTED = 500

let isPrinting = false

/** Whether the page is being put on paper: lists then show all their rows. */
export function usePrinting(): boolean {
  return useSyncExternalStore(follow, () => isPrinting)
}

/** React draws at once what a change of an outside store asks for, so the paper has it. */
function follow(notify: () => void): () => void {
  const begin = () => set(true, notify)
  const end = () => set(false, notify)
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  return () => {
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  }
}

function set(now: boolean, notify: () => void): void {
  isPrinting = now
  flushSync(notify)
}
