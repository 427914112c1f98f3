import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'

/** How much of the map the sheet covers on a phone. */
type Rest = 'low' | 'half' | 'high'
const SHARES: Record<Rest, number> = { low: 0.185, half: 0.74, high: 0.94 }
/** What the buttons of the map need above the list, px: a bar at the top of the portal takes from the list, not from them. */
const BUTTONS = 204
/** What the list needs for its first row, px, which it takes from the buttons: in a short window they are side by side. */
const FIRST_ROW = 340
const NEXT: Record<Rest, Rest> = { low: 'half', half: 'high', high: 'low' }
/** Lower than this, px, as at 200 % zoom, half a window has no room for a row. */
const SHORT = 520
const WORDS: Record<Rest, string> = {
  low: 'Show the list',
  half: 'Show more of the list',
  high: 'Show the map',
}

/**
 * Beside the map on a desk; on a phone a sheet at its lower edge, with a handle to pull or press. @param onCover how much of the map
 * it covers, px
 */
export function SidePanel({ children, onCover }: { children: ReactNode; onCover: (px: number) => void }) {
  const sheet = useRef<HTMLElement>(null)
  const [rest, setRest] = useState<Rest>(() => (innerHeight < SHORT ? 'high' : 'half'))
  const [pulled, setPulled] = useState<number | null>(null)
  const share = pulled ?? SHARES[rest]
  const percent = `${share * 100}%`
  const leavesButtons = pulled === null && rest === 'half'

  function settle(next: Rest): void {
    setRest(next)
    setPulled(null)
  }
  useEffect(() => {
    const panel = sheet.current as HTMLElement
    const measure = (): void =>
      onCover(getComputedStyle(panel).position === 'absolute' ? panel.offsetHeight : 0)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(panel)
    return () => sizes.disconnect()
  }, [onCover])

  function onPointerDown(event: PointerEvent<HTMLButtonElement>): void {
    const room = sheet.current?.parentElement?.clientHeight ?? 1
    const handle = event.currentTarget
    const from = share
    const startY = event.clientY
    let to: number | undefined
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = (move) => {
      if (Math.abs(move.clientY - startY) < 6 && to === undefined) return
      to = Math.max(0.1, Math.min(0.96, from + (startY - move.clientY) / room))
      setPulled(to)
    }
    handle.onpointerup = handle.onpointercancel = () => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null
      if (to !== undefined) settle(nearest(to))
    }
  }

  return (
    <aside
      ref={sheet}
      aria-label="Devices"
      style={
        {
          '--sheet': leavesButtons ? `max(${FIRST_ROW}px, min(${percent}, 100% - ${BUTTONS}px))` : percent,
        } as React.CSSProperties
      }
      className={classNames(
        'absolute inset-x-0 bottom-0 z-10 flex h-(--sheet) flex-col gap-2 rounded-t-panel bg-surface pb-1 shadow-soft',
        'desk:static desk:h-full desk:w-100 desk:shrink-0 min-[1440px]:w-120 desk:rounded-none desk:pt-3 desk:shadow-none',
        pulled === null && 'transition-[height] duration-200 ease-settle',
      )}
    >
      <button
        type="button"
        aria-label={WORDS[rest]}
        onPointerDown={onPointerDown}
        onClick={() => pulled === null && settle(NEXT[rest])}
        className="-mb-2 flex h-7 w-full shrink-0 touch-none items-center justify-center desk:hidden"
      >
        <span className="h-1 w-10 rounded-full bg-line" />
      </button>
      {children}
    </aside>
  )
}

function nearest(share: number): Rest {
  const rests = Object.keys(SHARES) as Rest[]
  return rests.reduce((best, rest) =>
    Math.abs(SHARES[rest] - share) < Math.abs(SHARES[best] - share) ? rest : best,
  )
}
