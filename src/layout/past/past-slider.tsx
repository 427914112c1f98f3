import { useMemo } from 'react'
import type { AsOfOverview } from '#machines/contracts/calls/as-of-calls.ts'
import { counted } from '#machines/rules/figures.ts'
import { spokenTime } from '../../format/spoken-time.ts'
import { writtenTime } from '../../format/time.ts'

const MINUTE = 60_000

export type PastSliderProps = {
  overview: AsOfOverview
  /** epoch ms */
  at: number
  now: number
  onChange: (at: number) => void
}

/** All that is kept, minute by minute, with how many violations opened in each hour. */
export function PastSlider({ overview, at, now, onChange }: PastSliderProps) {
  const { from, opened } = overview
  const first = Math.ceil(Date.parse(from as string) / MINUTE)
  const last = Math.floor(now / MINUTE)
  const bars = useMemo(() => barsOf(opened), [opened])
  const minutes = Math.max(1, last - first)
  const total = opened.reduce((sum, count) => sum + count, 0)
  return (
    <div className="relative h-control">
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, minutes / 60)} 1`}
        preserveAspectRatio="none"
        className="absolute inset-x-2 bottom-1/2 h-3.5 w-[calc(100%-16px)] text-hot"
      >
        <path d={bars} fill="currentColor" />
      </svg>
      <input
        type="range"
        aria-label={`Time; ${counted(total, 'violation')} opened since ${writtenTime(first * MINUTE)}`}
        aria-valuetext={spokenTime(at)}
        min={first}
        max={last}
        step={1}
        value={Math.floor(at / MINUTE)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value) * MINUTE)}
        className="absolute inset-x-0 bottom-0 h-2/3 w-full cursor-pointer accent-caution"
      />
    </div>
  )
}

/** A bar an hour, as high as its share of the highest, in units of an hour by one. */
function barsOf(opened: readonly number[]): string {
  const most = Math.max(1, ...opened)
  return opened
    .map((count, hour) => (count === 0 ? '' : `M${hour} 1V${1 - Math.max(0.15, count / most)}h1V1z`))
    .join('')
}
