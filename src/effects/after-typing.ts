/** A key counts as part of the same typing for so long, ms. */
const BETWEEN_KEYS = 400
/** News waits no longer than this for somebody who types on and on, ms. */
const LONGEST = 5_000

/**
 * A frame scheduler that lets typing go first: while somebody types, what only repaints waits until they pause, five
 * seconds at most: a name is typed by then. Painting 100,000 devices anew takes longer than a key may take to be answered.
 * @param target where keys are heard, a window
 */
export function frameAfterTyping(target: EventTarget): (call: () => void) => void {
  let typedAt = Number.NEGATIVE_INFINITY
  const onKey = (): void => {
    typedAt = performance.now()
  }
  target.addEventListener('keydown', onKey, { capture: true, passive: true })
  return (call) => {
    const latest = performance.now() + LONGEST
    const attempt = (): void => {
      const now = performance.now()
      const calm = Math.min(typedAt + BETWEEN_KEYS, latest)
      if (now < calm) setTimeout(attempt, calm - now)
      else requestAnimationFrame(call)
    }
    attempt()
  }
}
