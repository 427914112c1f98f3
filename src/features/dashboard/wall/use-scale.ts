import { useSyncExternalStore } from 'react'

/** So wide a screen is read from a desk, px; what is wider hangs farther away. */
const DESK = 1440
const scaleNow = (): number => Math.max(1, window.innerWidth / DESK)

/** How much larger type is on this screen than on a desk. */
export const useScale = (): number => useSyncExternalStore(onResize, scaleNow)

function onResize(call: () => void): () => void {
  window.addEventListener('resize', call)
  return () => window.removeEventListener('resize', call)
}
