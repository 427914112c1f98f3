import { Download, UnfoldVertical } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { clockTime, exactTime, span } from '../../format/time.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { chartFigure, closeUp } from './chart-figure.ts'
import { QUANTITIES } from './quantities.ts'
import { type Quantity, type Series, seriesOf } from './series.ts'

const HEIGHT = 280

export type ChartPanelProps = {
  quantity: Quantity
  history: DeviceHistory
  range: { from: number; to: number }
  /** saves the figure as an image */
  onSave: (figure: SVGSVGElement, quantity: Quantity) => void
}

/** One quantity of a history: what happened in words, the chart, and the chart as an image. */
export function ChartPanel({ quantity, history, range, onSave }: ChartPanelProps) {
  const { title } = QUANTITIES[quantity]
  const series = useMemo(() => seriesOf(history, quantity), [history, quantity])
  const [isCloseUp, setCloseUp] = useState(false)
  const figure = useRef<SVGSVGElement>(null)
  const isEmpty = series.samples.length === 0
  return (
    <section
      aria-label={`${title} chart`}
      className="flex min-w-0 flex-col rounded-panel bg-surface p-4 shadow-soft"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{title}</h2>
          <p className="min-h-5 text-dense text-ink-soft tabular">
            {isEmpty ? '' : format(series, quantity)}
          </p>
        </div>
        <Tooltip text={isCloseUp ? 'Show the whole axis' : 'Fit the axis to the readings'}>
          <ToggleButton
            aria-label="Close-up"
            isSelected={isCloseUp}
            onChange={setCloseUp}
            isDisabled={isEmpty}
            className="inline-flex size-control items-center justify-center rounded-small text-ink-soft data-hovered:bg-hover data-selected:bg-accent-soft data-selected:text-accent disabled:opacity-50"
          >
            <UnfoldVertical size={16} aria-hidden />
          </ToggleButton>
        </Tooltip>
        <Tooltip text="Download as image">
          <IconButton
            aria-label={`Download ${title.toLowerCase()} chart as image`}
            isDisabled={isEmpty}
            onPress={() => figure.current && onSave(figure.current, quantity)}
          >
            <Download size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      </div>
      <div style={{ height: HEIGHT }}>
        {isEmpty ? (
          <EmptyState title="There is no data" />
        ) : (
          <Figure series={series} quantity={quantity} range={range} isCloseUp={isCloseUp} figure={figure} />
        )}
      </div>
    </section>
  )
}

type FigureProps = {
  series: Series
  quantity: Quantity
  range: { from: number; to: number }
  isCloseUp: boolean
  figure: { current: SVGSVGElement | null }
}

/** The SVG is drawn by Plot outside React, anew when readings, width or axis change. */
function Figure({ series, quantity, range, isCloseUp, figure }: FigureProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const id = useId()
  const { title, unit, decimals } = QUANTITIES[quantity]
  useEffect(() => {
    if (place.current === null || width === 0) return
    const last = series.samples.at(-1)?.at.getTime() ?? range.to
    const drawn = chartFigure({
      series,
      width,
      height: HEIGHT,
      from: new Date(range.from),
      to: new Date(Math.max(range.to, last)),
      domain: isCloseUp ? closeUp(series) : [series.limits.min, series.limits.max],
      unit,
      decimals,
      time: (at) => exactTime(at.getTime()),
      tick: (at) => clockTime(at.getTime()),
      id,
    })
    // The whole is one image with one name; names of its parts would be of no use to a reader.
    for (const part of drawn.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label')
    drawn.setAttribute('role', 'img')
    drawn.setAttribute('aria-label', `${title}. ${format(series, quantity)}`)
    figure.current = drawn
    place.current.replaceChildren(drawn)
  }, [series, quantity, range, width, isCloseUp, unit, decimals, title, id, figure])
  return <div ref={place} className="h-full min-w-0 overflow-hidden" />
}

/** "1.2 to 9.4 °C · 42 min out of range" */
function format(series: Series, quantity: Quantity): string {
  const { minimum, maximum, beyond, limits } = series
  const { format: value } = QUANTITIES[quantity]
  const extent = `Lowest ${value(minimum?.value)}, highest ${value(maximum?.value)}`
  if (limits.low >= limits.high) return `${extent} · no thresholds set`
  return `${extent} · ${beyond < 1000 ? 'never out of range' : `${span(beyond / 1000)} out of range`}`
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (place.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return width
}
