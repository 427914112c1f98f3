import { Download, UnfoldVertical } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { counted, figure } from '#machines/rules/figures.ts'
import { timeSteps } from '#machines/rules/time-steps.ts'
import { clockTime, dayOfMonth, lasting, zoneName } from '../../format/time.ts'
import { QUANTITIES } from '../../layout/measured/quantities.ts'
import { type Quantity, type Series, type Spell, seriesOf } from '../../layout/measured/series.ts'
import { spellTime, spellWords } from '../../layout/measured/spell-words.ts'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { chartFigure, closeUp } from './chart-figure.ts'
import { Cursor, type CursorStore } from './cursor.tsx'
import { LETTERS } from './other-lines.ts'

/** Room for a label of the time axis, px. */
const LABEL_PX = 75
/** Of a device whose history is on its way. */
const NOTHING: Series = {
  samples: [],
  gaps: [],
  limits: { low: 0, high: 0, min: 0, max: 0 },
  minimum: undefined,
  maximum: undefined,
  beyond: 0,
  spells: [],
  patience: 0,
}

export type ChartPanelProps = {
  quantity: Quantity
  history: DeviceHistory
  range: { from: number; to: number }
  /** of the figure, px */
  height: number
  /** saves the figure as an image */
  onSave: (figure: SVGSVGElement, quantity: Quantity) => void
  /** shows a spell by itself */
  onSpell: (spell: Spell) => void
  /** the instant looked at on all charts and the map */
  cursor: CursorStore
  /** histories of devices it is compared with; undefined while one is on its way */
  others?: readonly (DeviceHistory | undefined)[]
  /** beside the title: what else can be done with the chart */
  actions?: ReactNode
  /** beneath the figure, on its axis */
  children?: ReactNode
}

/** One quantity of a history: what happened in words, the chart, and the chart as an image. */
export function ChartPanel(props: ChartPanelProps) {
  const { quantity, history, range, height, onSave, onSpell, cursor, others, actions, children } = props
  const { title } = QUANTITIES[quantity]
  const series = useMemo(() => seriesOf(history, quantity), [history, quantity])
  const compared = useMemo(
    () => (others ?? []).map((other) => (other ? seriesOf(other, quantity) : NOTHING)),
    [others, quantity],
  )
  const last = series.samples.at(-1)?.at.getTime() ?? range.to
  const end = Math.max(range.to, last)
  // the documents' range is one press away, and remembered
  const [isWhole, setWhole] = useUnfolded('whole-axis', false)
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
        {actions}
        <Tooltip
          text={
            isWhole ? 'Fit the axis to the readings' : `Show the whole axis: ${axisWords(series, quantity)}`
          }
        >
          <ToggleButton
            aria-label="Whole axis"
            isSelected={isWhole}
            onChange={setWhole}
            isDisabled={isEmpty}
            className="inline-flex size-control items-center justify-center rounded-small text-ink-soft data-hovered:bg-hover data-selected:bg-accent-soft data-selected:text-accent disabled:opacity-50 print:hidden"
          >
            <UnfoldVertical size={16} aria-hidden />
          </ToggleButton>
        </Tooltip>
        <Tooltip text="Download as image">
          <IconButton
            className="print:hidden"
            aria-label={`Download ${title.toLowerCase()} chart as image`}
            isDisabled={isEmpty}
            onPress={() => figure.current && onSave(figure.current, quantity)}
          >
            <Download size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      </div>
      <div className="relative">
        <div style={{ height }} className="print:h-auto!">
          {isEmpty ? (
            <EmptyState title="There is no data" />
          ) : (
            <Figure {...{ series, compared, quantity, range, end, height, isWhole, figure }} />
          )}
        </div>
        {children}
        {!isEmpty && (
          <Cursor
            cursor={cursor}
            quantity={quantity}
            lines={[series, ...compared].map(({ samples }, i) => ({ letter: LETTERS[i - 1] ?? '', samples }))}
            from={range.from}
            to={end}
            height={height}
          />
        )}
      </div>
      {series.spells.length > 0 && <Spells {...{ series, quantity, range, onSpell }} />}
    </section>
  )
}

/** Shown at most: a device at its limit for a week has hundreds. */
const MOST_SPELLS = 12

/** Each time beyond the limits in words, the newest first; a press shows it by itself. */
function Spells({
  series: { spells },
  quantity,
  range,
  onSpell,
}: { series: Series } & Pick<ChartPanelProps, 'quantity' | 'range' | 'onSpell'>) {
  const shown = spells.toReversed().slice(0, MOST_SPELLS)
  return (
    <ul aria-label={`${QUANTITIES[quantity].title} out of limits`} className="flex flex-col pt-2 text-dense">
      {shown.map((spell) => (
        <li key={spell.from.getTime()}>
          <button
            type="button"
            onClick={() => onSpell(spell)}
            className="tabular flex w-full flex-wrap gap-x-2 rounded-small px-2 py-1 text-left hover:bg-hover touch:min-h-control"
          >
            <span className="font-medium">{spellTime(spell, range.to)}</span>
            <span className="text-ink-soft">{spellWords(spell, quantity)}</span>
          </button>
        </li>
      ))}
      {spells.length > shown.length && (
        <li className="px-2 py-1 text-ink-faint">and {spells.length - shown.length} more before</li>
      )}
    </ul>
  )
}

type FigureProps = {
  series: Series
  compared: readonly Series[]
  /** of the axis, epoch ms */
  end: number
  quantity: Quantity
  range: { from: number; to: number }
  height: number
  isWhole: boolean
  figure: { current: SVGSVGElement | null }
}

/** The SVG is drawn by Plot outside React, anew when readings, width or axis change. */
function Figure({ series, compared, quantity, range, end, height, isWhole, figure }: FigureProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const id = useId()
  const { title, unit, decimals } = QUANTITIES[quantity]
  useEffect(() => {
    if (place.current === null || width === 0) return
    const drawn = chartFigure({
      series,
      others: compared,
      width,
      height,
      from: new Date(range.from),
      to: new Date(end),
      domain: isWhole ? [series.limits.min, series.limits.max] : closeUp(series, compared),
      unit,
      decimals,
      ticks: ticksOf(range.from, end, width),
      id,
    })
    // The whole is one image with one name; names of its parts would be of no use to a reader.
    for (const part of drawn.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label')
    drawn.setAttribute('role', 'img')
    drawn.setAttribute('aria-label', `${title}. ${format(series, quantity)}`)
    figure.current = drawn
    place.current.replaceChildren(drawn)
  }, [series, compared, quantity, range, end, width, height, isWhole, unit, decimals, title, id, figure])
  return <div ref={place} className="h-full min-w-0 overflow-hidden" />
}

/** Labels of the time axis by epoch ms, as many as have room in so many px. */
const ticksOf = (from: number, to: number, width: number): ReadonlyMap<number, string> =>
  new Map(
    timeSteps(from, to, zoneName, width / LABEL_PX).map(({ at, isDay }) => [
      at,
      isDay ? dayOfMonth(at) : clockTime(at),
    ]),
  )

/** "−30 to 70 °C" */
const axisWords = ({ limits }: Series, quantity: Quantity): string =>
  `${figure(limits.min)} to ${figure(limits.max)} ${QUANTITIES[quantity].unit}`

/** "Lowest 1.2, highest 9.4 °C · 42 min out of range" */
function format(series: Series, quantity: Quantity): string {
  const { minimum, maximum, limits } = series
  const { format: value } = QUANTITIES[quantity]
  const extent = `Lowest ${value(minimum?.value)}, highest ${value(maximum?.value)}`
  return `${extent} · ${limits.low >= limits.high ? 'no thresholds set' : outWords(series)}`
}

/** Readings that stand alone are beyond for no time. */
function outWords({ samples, beyond, limits, spells }: Series): string {
  if (beyond >= 1000) return `${lasting(beyond / 1000)} out of range`
  if (spells.length === 0) return 'never out of range'
  const out = samples.filter(({ value }) => value > limits.high || value < limits.low)
  return `beyond its limits in ${counted(out.length, 'reading')}; too few to say how long`
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
