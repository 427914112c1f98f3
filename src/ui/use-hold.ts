import { type DOMAttributes, useEffect, useLayoutEffect, useRef } from 'react'

/** A finger that rests for so long means more than a press, as on phones; ms. */
const HELD_MS = 500
/** One that goes farther scrolls; px. */
const STILL_PX = 10

type Handlers = Pick<
  DOMAttributes<HTMLElement>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onClickCapture' | 'onContextMenu'
>

/**
 * What a finger is held on; the press that ends it counts for nothing. Whoever has a mouse has Shift in its place. For an element
 * around all that can be held, as thousands of rows listen to nothing themselves.
 */
export function useHold(onHold: (on: Element) => void): Handlers {
  const latest = useRef(onHold)
  useLayoutEffect(() => {
    latest.current = onHold
  })
  const down = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined)
  const wasHeld = useRef(false)
  const end = (): void => {
    clearTimeout(down.current?.timer)
    down.current = undefined
  }
  useEffect(() => () => clearTimeout(down.current?.timer), [])
  return {
    onPointerDown({ pointerType, isPrimary, target, clientX: x, clientY: y }) {
      end()
      wasHeld.current = false
      if (pointerType === 'mouse' || !isPrimary) return
      const hold = (): void => {
        wasHeld.current = true
        latest.current(target as Element)
      }
      down.current = { x, y, timer: setTimeout(hold, HELD_MS) }
    },
    onPointerMove({ clientX, clientY }) {
      const from = down.current
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > STILL_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture(event) {
      // a key presses without a pointer
      if (!wasHeld.current || event.detail === 0) return
      wasHeld.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu(event) {
      if (down.current) event.preventDefault()
    },
  }
}
