import { type Glance, type Incident, isViolation } from '#machines/contracts/entities/incidents.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { type GlyphState, STATE_INK } from '../../ui/state-glyph.tsx'

const WIDTH = 72
const HEIGHT = 26
/** Nothing measured for longer than this, ms, is a break in the line. */
const GAP = 20 * 60_000

type SparklineProps = { glance: Glance | undefined; incident: Incident; glyph: GlyphState }

/**
 * The last three hours against the limit: the line in its state's colour beyond it. Of a lost device what it measured, without a
 * limit. For the eye; the row says it in words.
 */
export function Sparkline({ glance, incident, glyph }: SparklineProps) {
  const { unit, side, threshold } = limitOf(incident)
  const values = (unit === '°C' ? glance?.temperature : glance?.humidity) ?? []
  const times = glance?.at ?? []
  const measured = values.filter((value): value is number => value !== null)
  if (measured.length < 2)
    return <span className="block" style={{ width: WIDTH, height: HEIGHT }} aria-hidden />
  const shown = threshold === null ? measured : [threshold, ...measured]
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  const [from, to] = [times[0] as number, times.at(-1) as number]
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * WIDTH
  const y = (value: number) => HEIGHT - 2 - ((value - low) / Math.max(0.1, high - low)) * (HEIGHT - 4)
  const isOut = (value: number) =>
    threshold !== null && (side === 'above' ? value > threshold : value < threshold)
  const pieces: [string, string] = ['', '']
  for (let i = 1; i < values.length; i++) {
    const [before, now] = [values[i - 1], values[i]]
    const [atBefore, at] = [times[i - 1] as number, times[i] as number]
    if (before == null || now == null || at - atBefore > GAP) continue
    const piece = `M${x(atBefore).toFixed(1)} ${y(before).toFixed(1)}L${x(at).toFixed(1)} ${y(now).toFixed(1)}`
    pieces[isOut(now) ? 1 : 0] += piece
  }
  const limit = threshold === null ? 0 : y(threshold)
  const band = side === 'above' ? { y: limit, height: HEIGHT - limit } : { y: 0, height: limit }
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden className="block overflow-visible">
      {threshold !== null && (
        <rect x={0} width={WIDTH} {...band} className="fill-accent-soft" opacity={0.6} />
      )}
      <path d={pieces[0]} fill="none" strokeWidth={1.25} className="stroke-accent" />
      <path d={pieces[1]} fill="none" strokeWidth={1.75} stroke="currentColor" className={STATE_INK[glyph]} />
    </svg>
  )
}

const limitOf = (incident: Incident) =>
  isViolation(incident)
    ? { ...VIOLATION_WORDS[incident.type], threshold: incident.threshold }
    : { unit: '°C', side: 'above', threshold: null }
