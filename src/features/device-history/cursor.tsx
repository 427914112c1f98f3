import type { KeyboardEvent, PointerEvent } from 'react'
import { type Store, useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { exactTime, writtenTime } from '../../format/time.ts'
import { QUANTITIES } from '../../layout/measured/quantities.ts'
import type { Quantity, Sample } from '../../layout/measured/series.ts'
import { MARGIN } from './chart-figure.ts'

/** The instant that is looked at on all charts and the map, epoch ms; undefined: none is. */
export type CursorStore = Store<number | undefined>

/** What a cursor tells on one chart: each line with its letter, the device's own first. */
export type CursorLine = { letter: string; samples: readonly Sample[] }

export type CursorProps = {
  cursor: CursorStore
  quantity: Quantity
  lines: readonly CursorLine[]
  /** ends of the axis, epoch ms */
  from: number
  to: number
  /** of the figure, px */
  height: number
}

/** A reading so far from the instant says nothing of it, ms. */
const NEAR_MS = 10 * 60_000

/**
 * Over a figure and the strips beneath: the instant that is pointed at, here or on another chart. Arrow keys go from
 * reading to reading; Enter, or a double press, looks back to it.
 */
export function Cursor({ cursor, quantity, lines, from, to, height }: CursorProps) {
  const at = useStore(cursor)
  const live = useStore(useRoot().live)
  const own = lines[0]?.samples ?? []
  const { title } = QUANTITIES[quantity]
  const here = at === undefined ? undefined : wordsAt(lines, quantity, at)
  const share = at === undefined ? 0 : (at - from) / (to - from)
  const isShown = at !== undefined && share >= 0 && share <= 1

  function point(event: PointerEvent<HTMLElement>): void {
    const box = event.currentTarget.getBoundingClientRect()
    const inner = box.width - MARGIN.left - MARGIN.right
    const wanted = from + ((event.clientX - box.left - MARGIN.left) / inner) * (to - from)
    const near = own[nearestIndex(own, wanted)]
    cursor.set(near && Math.abs(near.at.getTime() - wanted) < NEAR_MS ? near.at.getTime() : clamp(wanted))
  }
  const clamp = (instant: number): number => Math.min(Math.max(instant, from), to)
  const lookBack = (): void => {
    if (at !== undefined) void live?.lookBack(at)
  }
  function step(event: KeyboardEvent): void {
    const [steps, isEnd] = STEPS[event.key] ?? []
    if (event.key === 'Escape') cursor.set(undefined)
    if (event.key === 'Enter') lookBack()
    if (steps === undefined) return
    event.preventDefault()
    const last = own.length - 1
    const now = at === undefined ? (steps > 0 ? -1 : last + 1) : nearestIndex(own, at)
    const next = isEnd ? (steps > 0 ? last : 0) : Math.min(Math.max(now + steps, 0), last)
    const sample = own[next]
    if (sample) cursor.set(sample.at.getTime())
  }
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Instant on the ${title.toLowerCase()} chart`}
        aria-valuemin={from}
        aria-valuemax={to}
        aria-valuenow={at ?? to}
        aria-valuetext={here === undefined ? 'none' : `${here.join(', ')}, ${exactTime(at ?? to)}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => cursor.set(undefined)}
        onBlur={() => cursor.set(undefined)}
        onKeyDown={step}
        onDoubleClick={lookBack}
        className="absolute inset-x-0 top-0 rounded-small print:hidden"
        style={{ height }}
      />
      {isShown && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-y-0 w-px bg-ink-soft print:hidden"
          style={{ left: `calc(${MARGIN.left}px + (100% - ${MARGIN.left + MARGIN.right}px) * ${share})` }}
        >
          <div
            className={`tabular absolute top-1 rounded-small bg-raised px-2 py-1 text-dense whitespace-nowrap shadow-soft ${share > 0.5 ? 'right-2' : 'left-2'}`}
          >
            {here?.map((line, i) => (
              <p key={line} className={i === 0 ? 'font-medium' : undefined}>
                {line}
              </p>
            ))}
            <p className="text-ink-soft">{writtenTime(at)}</p>
          </div>
        </div>
      )}
    </>
  )
}

const PAGE = 12
/** How many readings a key goes, and whether it goes to the end. */
const STEPS: Readonly<Record<string, [number, boolean?]>> = {
  ArrowRight: [1],
  ArrowLeft: [-1],
  PageUp: [PAGE],
  PageDown: [-PAGE],
  Home: [-1, true],
  End: [1, true],
}

/** «−19.1 °C»; of each line that is compared too, «A 3.2 °C». */
function wordsAt(lines: readonly CursorLine[], quantity: Quantity, at: number): string[] {
  const { format } = QUANTITIES[quantity]
  return lines.map(({ letter, samples }) => {
    const near = samples[nearestIndex(samples, at)]
    const isNear = near !== undefined && Math.abs(near.at.getTime() - at) < NEAR_MS
    const words = isNear && !Number.isNaN(near.value) ? format(near.value) : 'nothing measured'
    return letter === '' ? words : `${letter} ${words}`
  })
}

/** Of samples ascending by time, the place of the one nearest to an instant; -1 where there are none. */
export function nearestIndex(samples: readonly { at: Date | number }[], instant: number): number {
  let [low, high] = [0, samples.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(samples[middle]?.at) < instant) low = middle + 1
    else high = middle
  }
  const before = samples[low - 1]
  const isBefore = before !== undefined && instant - Number(before.at) < Number(samples[low]?.at) - instant
  return isBefore ? low - 1 : samples.length === 0 ? -1 : low
}
