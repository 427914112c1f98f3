import type { HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { clockTime, lasting } from '../../format/time.ts'
import { doorsOf, stopsOf, wayOf } from '../../map/way.ts'
import { MARGIN } from './chart-figure.ts'

type Span = { from: number; to: number }

/** Beneath the chart, on its axis: when the door stood open and when the device stood still. What was never told has no strip. */
export function Strips({ points, range }: { points: readonly HistoryPoint[]; range: Span }) {
  const doors = doorsOf(points)
  const stops = stopsOf(wayOf(points))
  const hasDoor = points.some(({ door }) => door !== undefined && door !== null)
  const hasPlace = points.some(({ lat }) => lat !== null)
  if (!hasDoor && !hasPlace) return null
  return (
    <dl className="tabular flex flex-col gap-1 pt-2 text-dense">
      {hasDoor && <Strip name="Door open" none="never" spans={doors} range={range} look="bg-ink-soft" />}
      {hasPlace && <Strip name="Standing" none="never" spans={stops} range={range} look="bg-ink-faint" />}
    </dl>
  )
}

type StripProps = { name: string; none: string; spans: readonly Span[]; range: Span; look: string }

function Strip({ name, none, spans, range, look }: StripProps) {
  const share = (at: number): number =>
    (100 * (Math.min(Math.max(at, range.from), range.to) - range.from)) / (range.to - range.from)
  const total = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  return (
    <div>
      <dt className="inline text-ink-soft">{name}</dt>{' '}
      <dd className="inline text-ink-faint">
        {spans.length === 0
          ? none
          : `${lasting(total / 1000)} in ${spans.length === 1 ? 'one time' : `${spans.length} times`}`}
      </dd>
      <dd
        aria-hidden
        className="relative mt-0.5 h-2 overflow-hidden rounded-small bg-sunken"
        style={{ marginLeft: MARGIN.left, marginRight: MARGIN.right }}
      >
        {spans.map(({ from, to }) => (
          <span
            key={from}
            title={`${name} ${clockTime(from)}–${clockTime(to)}`}
            className={`absolute inset-y-0 ${look}`}
            style={{ left: `${share(from)}%`, width: `max(2px, ${share(to) - share(from)}%)` }}
          />
        ))}
      </dd>
    </div>
  )
}
