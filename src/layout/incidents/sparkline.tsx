import type { Glance } from '#machines/contracts/entities/incidents.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { STATE_INK } from '../../ui/state-glyph.tsx'
import { glyphOfType } from './lines.ts'

const WIDTH = 72
const HEIGHT = 26
/** Nothing measured for longer than this, ms, is a break in the line. */
const GAP = 20 * 60_000

type SparklineProps = { glance: Glance | undefined; type: ViolationType; threshold: number }

/** The last three hours against the limit: the line in its state's colour beyond it. For the eye; the row says it in words. */
export function Sparkline({ glance, type, threshold }: SparklineProps) {
  const { unit, side } = VIOLATION_WORDS[type]
  const values = (unit === '°C' ? glance?.temperature : glance?.humidity) ?? []
  const times = glance?.at ?? []
  const measured = values.filter((value): value is number => value !== null)
  if (measured.length < 2)
    return <span className="block" style={{ width: WIDTH, height: HEIGHT }} aria-hidden />
  const [low, high] = [Math.min(threshold, ...measured), Math.max(threshold, ...measured)]
  const [from, to] = [times[0] as number, times.at(-1) as number]
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * WIDTH
  const y = (value: number) => HEIGHT - 2 - ((value - low) / Math.max(0.1, high - low)) * (HEIGHT - 4)
  const isOut = (value: number) => (side === 'above' ? value > threshold : value < threshold)
  const pieces: [string, string] = ['', '']
  for (let i = 1; i < values.length; i++) {
    const [before, now] = [values[i - 1], values[i]]
    const [atBefore, at] = [times[i - 1] as number, times[i] as number]
    if (before == null || now == null || at - atBefore > GAP) continue
    const piece = `M${x(atBefore).toFixed(1)} ${y(before).toFixed(1)}L${x(at).toFixed(1)} ${y(now).toFixed(1)}`
    pieces[isOut(now) ? 1 : 0] += piece
  }
  const limit = y(threshold)
  const band = side === 'above' ? { y: limit, height: HEIGHT - limit } : { y: 0, height: limit }
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden className="block overflow-visible">
      <rect x={0} width={WIDTH} {...band} className="fill-accent-soft" opacity={0.6} />
      <path d={pieces[0]} fill="none" strokeWidth={1.25} className="stroke-accent" />
      <path
        d={pieces[1]}
        fill="none"
        strokeWidth={1.75}
        stroke="currentColor"
        className={STATE_INK[glyphOfType(type)]}
      />
    </svg>
  )
}
