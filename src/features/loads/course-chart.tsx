import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import { figure } from '#machines/rules/figures.ts'
import { formatTemperature } from '../../format/numbers.ts'
import { clockTime, writtenTime } from '../../format/time.ts'
import { lookOf } from '../../layout/loads/load-badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LOAD_INK } from '../../ui/load-glyph.tsx'

const WIDTH = 720
const HEIGHT = 180
const BUDGET_HEIGHT = 56
/** px between labels, so that neither is on the other; a unit of the height is one */
const LABEL = 16
const DAY_MS = 86_400_000

type Points = { at: number; value: number | null }[]
/** epoch ms to a place on the axis of time */
type Across = (at: number) => number

/**
 * What a load measured against the limits of its profile, and beneath it how its budget was used: on one axis. For the eye; what it shows is
 * said in words beside it.
 */
export function CourseChart({ load }: { load: LoadStory }) {
  const { budget, course, reference } = load
  const [from, to] = [course.at[0], course.at.at(-1)]
  const values = course.temperature.filter((value): value is number => value !== null)
  if (from === undefined || to === undefined || values.length === 0)
    return (
      <p className="px-4 pb-4 text-ink-faint">
        {load.keptFrom === undefined ? 'Nothing was measured yet.' : 'What was measured is no longer kept.'}
      </p>
    )
  // of all readings, where the line has but some of them
  const lowest = Math.min(...values, budget.lowest ?? Number.POSITIVE_INFINITY)
  const highest = Math.max(...values, budget.highest ?? Number.NEGATIVE_INFINITY)
  const x: Across = (at) => ((at - from) / Math.max(1, to - from)) * WIDTH
  return (
    <figure
      aria-label={`${reference}: ${formatTemperature(lowest)} to ${formatTemperature(highest)}`}
      className="px-4 pb-4"
    >
      <Temperature load={load} lowest={lowest} highest={highest} x={x} />
      <p aria-hidden className="pt-3 pb-1 text-dense text-ink-soft">
        Budget used
      </p>
      <BudgetUsed load={load} x={x} />
      <p aria-hidden className="tabular mr-14 flex justify-between pt-1 text-dense text-ink-faint">
        <span>{shortTime(from, to)}</span>
        <span>{shortTime(to, from)}</span>
      </p>
    </figure>
  )
}

type TemperatureProps = { load: LoadStory; lowest: number; highest: number; x: Across }

function Temperature({ load: { profile, course }, lowest, highest, x }: TemperatureProps) {
  const limits = [...new Set(profile.rules.map(({ limit }) => limit))]
  // limits far from all that was measured would flatten the line
  const room = Math.max(4, (highest - lowest) * 0.5)
  const near = limits.filter((limit) => limit >= lowest - room && limit <= highest + room)
  const [low, high] = [Math.min(lowest, ...near) - 1, Math.max(highest, ...near) + 1]
  const y = (value: number): number => HEIGHT - ((value - low) / (high - low)) * HEIGHT
  return (
    <div className="relative mr-14">
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-45 w-full overflow-visible"
      >
        {near.map((limit) => (
          <line
            key={limit}
            x1={0}
            x2={WIDTH}
            y1={y(limit)}
            y2={y(limit)}
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink-faint"
          />
        ))}
        <path
          d={lineOf(pointsOf(course.at, course.temperature), x, y)}
          fill="none"
          strokeWidth={1.75}
          vectorEffect="non-scaling-stroke"
          className="stroke-chart-line"
        />
      </svg>
      {near.map((limit) => (
        <span
          key={limit}
          aria-hidden
          className="tabular absolute left-0 rounded-small bg-surface/80 px-1 text-dense text-ink-soft leading-none"
          style={{ top: `calc(${(100 * y(limit)) / HEIGHT}% - 15px)` }}
        >
          {`${figure(limit)} °C`}
        </span>
      ))}
      {[
        { value: highest, top: y(highest) },
        { value: lowest, top: Math.max(y(lowest), y(highest) + LABEL) },
      ].map(({ value, top }) => (
        <span
          key={top}
          aria-hidden
          className="tabular absolute -right-14 -translate-y-1/2 text-dense text-ink-faint leading-none"
          style={{ top }}
        >
          {formatTemperature(value)}
        </span>
      ))}
    </div>
  )
}

function BudgetUsed({ load: { course, state }, x }: { load: LoadStory; x: Across }) {
  const points = pointsOf(course.at, course.percent)
  const y = (percent: number): number => BUDGET_HEIGHT * (1 - Math.min(percent, 100) / 100)
  return (
    <div className="mr-14">
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${BUDGET_HEIGHT}`}
        preserveAspectRatio="none"
        className={classNames('block h-14 w-full rounded-small bg-sunken', LOAD_INK[lookOf(state)])}
      >
        <path d={areaOf(points, x, y, BUDGET_HEIGHT)} fill="currentColor" opacity={0.35} />
        <path
          d={lineOf(points, x, y)}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.75}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  )
}

const pointsOf = (at: readonly number[], values: readonly (number | null)[]): Points =>
  at.map((time, i) => ({ at: time, value: values[i] ?? null }))

const shortTime = (at: number, other: number): string =>
  Math.abs(at - other) < DAY_MS ? clockTime(at) : writtenTime(at)

function lineOf(points: Points, x: Across, y: (value: number) => number): string {
  let path = ''
  let begins = true
  for (const { at, value } of points) {
    if (value !== null) path += `${begins ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    begins = value === null
  }
  return path
}

/** Across gaps too: what is used stays used. */
function areaOf(points: Points, x: Across, y: (value: number) => number, floor: number): string {
  const there = points.filter((point): point is { at: number; value: number } => point.value !== null)
  const [first, last] = [there[0], there.at(-1)]
  if (first === undefined || last === undefined) return ''
  const top = there.map(({ at, value }) => `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  return `M${x(first.at).toFixed(1)} ${floor}${top}L${x(last.at).toFixed(1)} ${floor}Z`
}
