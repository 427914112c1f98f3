import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { DateRange } from '#machines/rules/date-range.ts'
import { counted } from '#machines/rules/figures.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { formatCount } from '../../format/numbers.ts'
import { rowHeight } from '../../ui/row-height.ts'
import { usePrinting } from '../../ui/use-printing.ts'
import { type Bar, barInWords, ticksOf } from './bars.ts'
import { SEGMENT_LOOK } from './segment-look.ts'

export type BarChartProps = {
  bars: readonly Bar[]
  /** violations of the worst of all devices, found or not: the axis stays while one searches */
  most: number
  /** of when they are: where the bars lead to */
  range: DateRange
}

/**
 * A bar a device, worst first, of which only those in view exist. A press leads to the notifications behind it: of the
 * device, or of one kind where it falls on a part of the bar.
 */
export function BarChart({ bars, most, range }: BarChartProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [height] = useState(rowHeight)
  const isPrinting = usePrinting()
  const rows = useVirtualizer({
    count: bars.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => (bars[index] as Bar).imei,
    overscan: 10,
    ...(isPrinting && { rangeExtractor: worst }),
  })
  const left = bars.length - MOST_PRINTED
  const ticks = ticksOf(most)
  const end = ticks.at(-1) as number
  return (
    <div
      ref={scroller}
      className="relative max-h-[max(24rem,calc(100dvh-25rem))] overflow-y-auto print:max-h-none print:overflow-visible"
    >
      <div aria-hidden className={`${track} sticky top-0 z-20 h-7 bg-surface print:static`}>
        <span className="self-center text-dense text-ink-faint">Plate number</span>
        <div className="tabular relative mr-14 text-dense text-ink-faint">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute top-1 -translate-x-1/2"
              style={{ left: `${(100 * tick) / end}%` }}
            >
              {formatCount(tick)}
            </span>
          ))}
        </div>
      </div>
      <ul
        aria-label="Violations by device"
        className="relative print:h-auto!"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            aria-setsize={bars.length}
            aria-posinset={index + 1}
            className={`${track} group absolute inset-x-0 items-center hover:bg-hover print:relative print:transform-none!`}
            style={{ height, transform: `translateY(${start}px)` }}
          >
            <Row bar={bars[index] as Bar} ticks={ticks} end={end} range={range} />
          </li>
        ))}
      </ul>
      {isPrinting && left > 0 && (
        <p className="tabular px-4 py-2 text-dense text-ink-soft">{`and ${counted(left, 'device')} with fewer`}</p>
      )}
    </div>
  )
}

/** More are no list that anybody reads on paper; it says how many are left out. */
const MOST_PRINTED = 500
/** The first bars, wherever the list was scrolled. */
const worst = ({ count }: { count: number }): number[] =>
  Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => index)

/** Plate numbers, then bars, then room for a number beyond the longest. */
const track = 'grid grid-cols-[7.5rem_1fr] gap-x-3 px-4 tablet:grid-cols-[9rem_1fr]'

type RowProps = { bar: Bar; ticks: readonly number[]; end: number; range: DateRange }

function Row({ bar, ticks, end, range }: RowProps) {
  const { imei, plate, total, segments } = bar
  const behind = { range, thing: imei, plate }
  return (
    <>
      <Link
        href={notificationsAddress(behind)}
        aria-label={barInWords(bar)}
        className="truncate font-medium text-dense -outline-offset-2 after:absolute after:inset-0"
      >
        {plate}
      </Link>
      <div className="relative mr-14 h-full">
        {ticks.map((tick) => (
          <span
            key={tick}
            aria-hidden
            className="absolute inset-y-0 w-px bg-line"
            style={{ left: `${(100 * tick) / end}%` }}
          />
        ))}
        <div
          className="absolute inset-y-2.5 left-0 flex items-stretch gap-px"
          style={{ width: `${(100 * total) / end}%` }}
        >
          {segments.map(({ kind, count }) => (
            <Link
              key={kind.type}
              href={notificationsAddress({ ...behind, types: [kind.type] })}
              // The page behind the bar has the kinds to choose from: hundreds of stops for the Tab key would be in the way.
              tabIndex={-1}
              title={`${plate}: ${formatCount(count)} ${kind.word.toLowerCase()}`}
              aria-label={`${formatCount(count)} ${kind.word.toLowerCase()}`}
              className={`z-10 min-w-1 rounded-[2px] hover:brightness-110 ${SEGMENT_LOOK[kind.glyph]}`}
              style={{ flexGrow: count, flexBasis: 0 }}
            />
          ))}
          <span aria-hidden className="tabular absolute left-full self-center pl-2 font-medium text-dense">
            {formatCount(total)}
          </span>
        </div>
      </div>
    </>
  )
}
