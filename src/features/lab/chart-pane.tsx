import { Maximize, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { ChartSvg, type Look, type Pick } from '../../machine-chart/chart-svg.ts'
import type { Drawing } from '../../machine-chart/layout.ts'
import '../../machine-chart/chart.css'
import { IconButton } from '../../ui/icon-button.tsx'

type Props = { name: string; drawing: Drawing; look: Look; onPick: (pick: Pick) => void }

const STEP = 1.25
const LEAST = 0.2
const MOST = 3
/** Room left around a chart that fits, px. */
const EDGE = 24

/** The chart, as large as one likes: it fits at first; drag it, scroll it, Ctrl and wheel or the buttons zoom. */
export function ChartPane({ name, drawing, look, onPick }: Props) {
  const pane = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const zoomBy = (factor: number) => setZoom((now) => Math.min(MOST, Math.max(LEAST, now * factor)))
  const fit = (): void => {
    const { clientWidth = 0, clientHeight = 0 } = pane.current ?? {}
    const room = Math.min((clientWidth - EDGE) / drawing.width, (clientHeight - EDGE) / drawing.height)
    // words that cannot be read are worth nothing: a large chart is rather scrolled
    setZoom(Math.min(1.15, Math.max(0.8, room)))
  }
  useLayoutEffect(fit, [drawing])
  useLayoutEffect(() => {
    const node = pane.current
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      setZoom((now) => Math.min(MOST, Math.max(LEAST, now * Math.exp(-event.deltaY / 300))))
    }
    // React listens to wheels passively: it could not keep the page from zooming
    node?.addEventListener('wheel', onWheel, { passive: false })
    return () => node?.removeEventListener('wheel', onWheel)
  }, [])

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={pane}
        aria-label={`Chart of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys too
        tabIndex={0}
        {...useDragging()}
        className="grid min-h-0 flex-1 cursor-grab overflow-auto rounded-panel bg-surface -outline-offset-2 active:cursor-grabbing"
      >
        <div className="m-auto p-3">
          <ChartSvg name={name} drawing={drawing} look={look} zoom={zoom} onPick={onPick} />
        </div>
      </section>
      <fieldset className="floating absolute right-4 bottom-4 flex" aria-label="Zoom">
        <IconButton aria-label="Zoom out" onPress={() => zoomBy(1 / STEP)}>
          <Minus size={16} aria-hidden />
        </IconButton>
        <IconButton aria-label="Fit the chart" onPress={fit}>
          <Maximize size={16} aria-hidden />
        </IconButton>
        <IconButton aria-label="Zoom in" onPress={() => zoomBy(STEP)}>
          <Plus size={16} aria-hidden />
        </IconButton>
      </fieldset>
    </div>
  )
}

/** Drags what is scrolled with the mouse; fingers and wheels scroll by themselves. */
function useDragging() {
  const from = useRef<{ x: number; y: number; left: number; top: number }>(undefined)
  return {
    onPointerDown({ currentTarget, clientX, clientY, pointerType, button }: PointerEvent<HTMLElement>) {
      if (pointerType !== 'mouse' || button !== 0) return
      const { scrollLeft: left, scrollTop: top } = currentTarget
      from.current = { x: clientX, y: clientY, left, top }
    },
    onPointerMove({ currentTarget, clientX, clientY, buttons }: PointerEvent<HTMLElement>) {
      if (buttons === 0) from.current = undefined
      if (from.current === undefined) return
      const { x, y, left, top } = from.current
      currentTarget.scrollTo({ left: left + x - clientX, top: top + y - clientY, behavior: 'instant' })
    },
  }
}
