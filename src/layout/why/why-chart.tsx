import type { NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import { isAbove, withUnit } from '#machines/rules/why-words.ts'
import { clockTime, span } from '../../format/time.ts'

type Violation = NotificationWhy['violation']

const WIDTH = 440
const HEIGHT = 132
const LEFT = 8
const RIGHT = 8
const TOP = 14
const BOTTOM = 20

/** The readings that opened a violation against the threshold they crossed; shaded: how long it had to last. */
export function WhyChart({ violation }: { violation: Violation }) {
  const { readings, threshold, since, openedAt, delaySeconds } = violation
  if (readings.length === 0) return null
  const times = [...readings.map(({ at }) => Date.parse(at)), Date.parse(since), Date.parse(openedAt)]
  const from = Math.min(...times)
  const to = Math.max(...times, from + 1)
  const values = [...readings.map(({ value }) => value), threshold]
  const low = Math.min(...values)
  const high = Math.max(...values, low + 0.1)
  const room = (high - low) * 0.12
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number) =>
    HEIGHT - BOTTOM - ((value - low + room) / (high - low + 2 * room)) * (HEIGHT - TOP - BOTTOM)
  const points = readings.map(({ at, value }) => ({
    x: x(Date.parse(at)),
    y: y(value),
    isBeyond: beyond(violation, value),
  }))
  const limit = y(threshold)
  const isLow = limit > HEIGHT / 2
  const shade = { from: x(Date.parse(since)), to: x(Date.parse(openedAt)) }

  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-auto w-full max-w-110"
      role="img"
      aria-label={`${readings.length} readings from ${clockTime(from)} to ${clockTime(to)}, threshold ${withUnit(violation, threshold)}`}
    >
      <rect
        x={shade.from}
        width={Math.max(0, shade.to - shade.from)}
        y={TOP}
        height={HEIGHT - TOP - BOTTOM}
        className="fill-hot-soft"
      />
      <line
        x1={LEFT}
        x2={WIDTH - RIGHT}
        y1={limit}
        y2={limit}
        strokeDasharray="4 3"
        className="stroke-ink-faint"
      />
      <text x={LEFT + 4} y={limit + (isLow ? -5 : 13)} className="tabular fill-ink-soft text-[11px]">
        {`Threshold ${withUnit(violation, threshold)}`}
      </text>
      <polyline
        points={points.map((point) => `${point.x},${point.y}`).join(' ')}
        className="fill-none stroke-chart-line"
        strokeWidth="1.5"
      />
      {points.map((point) => (
        <circle
          key={point.x}
          cx={point.x}
          cy={point.y}
          r={2.5}
          className={point.isBeyond ? 'fill-chart-beyond' : 'fill-chart-line'}
        />
      ))}
      {delaySeconds > 0 && shade.to - shade.from > 120 && (
        <text
          x={shade.from + 4}
          y={isLow ? TOP + 12 : HEIGHT - BOTTOM - 5}
          className="tabular fill-ink-soft text-[11px]"
        >
          {`Beyond it for ${span((Date.parse(openedAt) - Date.parse(since)) / 1000)}`}
        </text>
      )}
      <text x={LEFT} y={HEIGHT - 5} className="tabular fill-ink-faint text-[11px]">
        {clockTime(from)}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 5} textAnchor="end" className="tabular fill-ink-faint text-[11px]">
        {clockTime(to)}
      </text>
    </svg>
  )
}

const beyond = (violation: Violation, value: number): boolean =>
  isAbove(violation) ? value > violation.threshold : value < violation.threshold
