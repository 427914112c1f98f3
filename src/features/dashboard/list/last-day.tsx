import { useMemo } from 'react'
import { Link } from 'wouter'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { useLastHours } from '../../../actors/use-last-hours.ts'
import { clockTime } from '../../../format/time.ts'
import { type Series, seriesOf } from '../../../layout/measured/series.ts'
import { summaryOf } from '../../../layout/measured/spell-words.ts'
import { STATES } from '../../../layout/measured/summary-line.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useNow } from '../../../ui/clock-context.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { STATE_INK } from '../../../ui/state-glyph.tsx'
import { historyPath } from '../device.ts'

const WIDTH = 300
const HEIGHT = 44

/** Why a device is where it is in the list, and its last 24 h against the band: pressed, its page. */
export function LastDayInBrief({ imei }: { imei: string }) {
  // a line in a list needs no more points
  const day = useLastHours(imei, 24, 300)
  if (day === undefined) return <Skeleton className="h-18 w-full" />
  const { history, to } = day
  if (history === null) return <p className="h-18 text-ink-faint">What it measured could not be loaded.</p>
  return <Brief {...{ history, to, imei }} />
}

function Brief({ history, to, imei }: { history: DeviceHistory; to: number; imei: string }) {
  const now = useNow(10_000)
  const series = useMemo(() => seriesOf(history, 'temperature'), [history])
  const summary = summaryOf(series, 'temperature', now, { from: to - DAY_MS, to })
  if (summary === undefined)
    return <p className="h-18 text-ink-faint">It measured no temperature in the last 24 h.</p>
  const { side, headline, details } = summary
  return (
    <Link href={historyPath(imei)} className="flex h-18 flex-col rounded-small hover:bg-hover">
      <span className="tabular truncate" title={[headline, ...details].join(' · ')}>
        <strong className={classNames('font-semibold', side && STATE_INK[STATES.temperature[side]])}>
          {headline}
        </strong>
        {` · ${details.join(' · ')}`}
        <span className="sr-only">, its last 24 h</span>
      </span>
      <DayLine series={series} to={to} />
      <span aria-hidden className="tabular flex justify-between text-ink-faint leading-none">
        <span>{clockTime(to - DAY_MS)}</span>
        <span>24 h</span>
        <span>{clockTime(to)}</span>
      </span>
    </Link>
  )
}

const DAY_MS = 86_400_000

/** For the eye: the sentence above says it in words. */
function DayLine({ series, to }: { series: Series; to: number }) {
  const { samples, limits, spells } = series
  const values = samples.flatMap(({ value }) => (Number.isNaN(value) ? [] : [value]))
  const hasLimits = limits.low < limits.high
  const shown = hasLimits ? [...values, limits.low, limits.high] : values
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  const x = (at: number) => Math.max(0, ((at - to + DAY_MS) / DAY_MS) * WIDTH)
  const y = (value: number) => 2 + (1 - (value - low) / Math.max(0.1, high - low)) * (HEIGHT - 4)
  let line = ''
  for (const [i, { at, value }] of samples.entries()) {
    const begins = i === 0 || Number.isNaN(samples[i - 1]?.value)
    if (!Number.isNaN(value))
      line += `${begins ? 'M' : 'L'}${x(at.getTime()).toFixed(1)} ${y(value).toFixed(1)}`
  }
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="min-h-0 w-full flex-1 overflow-visible"
    >
      {hasLimits && (
        <rect
          width={WIDTH}
          y={y(limits.high)}
          height={y(limits.low) - y(limits.high)}
          className="fill-chart-band"
        />
      )}
      {spells.map(({ from, to: end, side }) => (
        <rect
          key={from.getTime()}
          x={x(from.getTime())}
          width={Math.max(1, x(end.getTime()) - x(from.getTime()))}
          height={HEIGHT}
          fill="currentColor"
          opacity={0.16}
          className={STATE_INK[STATES.temperature[side]]}
        />
      ))}
      <path
        d={line}
        fill="none"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        className="stroke-chart-line"
      />
    </svg>
  )
}
