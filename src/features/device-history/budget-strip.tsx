import { Link } from 'wouter'
import type { BudgetTrack } from '#machines/contracts/entities/loads.ts'
import { LOAD_STATE_WORDS } from '#machines/rules/load-state-words.ts'
import { useBudgetTracks } from '../../actors/loads.ts'
import { usedWords } from '../../format/load-words.ts'
import { lookOf } from '../../layout/loads/load-badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LOAD_INK, LoadGlyph } from '../../ui/load-glyph.tsx'
import { MARGIN } from './chart-figure.ts'

type Range = { from: number; to: number }

const HEIGHT = 32

/** Beneath the chart, on its axis: how the budgets of what the device carried were used in this time. The upper edge is all of it. */
export default function BudgetStrip({ imei, range }: { imei: string; range: Range }) {
  const tracks = useBudgetTracks(imei, range)
  if (tracks.length === 0) return null
  return (
    <section aria-label="Budgets of loads" className="tabular flex flex-col gap-1 pt-2 text-dense">
      <ul className="flex flex-wrap gap-x-4">
        {tracks.map((track) => (
          <li key={track.loadId} className="flex min-w-0 items-center gap-1.5">
            <LoadGlyph look={lookOf(track.state)} />
            <span className="text-ink-soft">Budget of</span>
            <Link href={`/loads/${track.loadId}`} className="min-w-0 truncate text-link hover:underline">
              {track.reference}
            </Link>
            <span className="text-ink-faint">
              {`${usedWords(lastOf(track), null)}${lastOf(track) === null ? '' : ' used'} · ${LOAD_STATE_WORDS[track.state].toLowerCase()}`}
            </span>
          </li>
        ))}
      </ul>
      <div
        aria-hidden
        className="relative overflow-hidden rounded-small bg-sunken"
        style={{ height: HEIGHT, marginLeft: MARGIN.left, marginRight: MARGIN.right }}
      >
        {tracks.map((track) => (
          <Track key={track.loadId} track={track} range={range} />
        ))}
      </div>
    </section>
  )
}

/** %, of the newest that was measured; null: nothing was */
const lastOf = ({ course }: BudgetTrack): number | null =>
  course.percent.findLast((percent) => percent !== null) ?? null

function Track({ track: { course, state }, range: { from, to } }: { track: BudgetTrack; range: Range }) {
  const points = course.at.flatMap((at, i) => {
    const percent = course.percent[i]
    return percent === null || percent === undefined
      ? []
      : [{ x: (100 * (at - from)) / (to - from), y: HEIGHT * (1 - Math.min(percent, 100) / 100) }]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const line = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(1)}`).join('')
  return (
    <svg
      aria-hidden
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames('absolute inset-0 size-full', LOAD_INK[lookOf(state)])}
    >
      <path
        d={`${line}L${last.x.toFixed(2)} ${HEIGHT}L${first.x.toFixed(2)} ${HEIGHT}Z`}
        fill="currentColor"
        opacity={0.3}
      />
      <path d={line} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
