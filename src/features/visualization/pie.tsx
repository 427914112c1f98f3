import { arc, pie } from 'd3-shape'
import { type Ref, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'

export type Slice = {
  label: string
  value: number
  /** what a press on it leads to, in words: 'Show their notifications' */
  action: string
  href: string
  /** filled or striped: colour alone says nothing */
  look: 'trouble' | 'calm'
}

const RADIUS = 120
/** The legend beside the pie, or below it where there is no room beside. */
const WIDE = { box: '-130 -130 494 260', legend: (i: number) => `translate(154 ${-34 + i * 64})` }
const NARROW = { box: '-160 -130 320 390', legend: (i: number) => `translate(-100 ${160 + i * 56})` }
const phone = matchMedia('(max-width: 639px)')
const followPhone = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Shares of a whole, each drawn, told in words and leading to what is behind it. */
export function Pie({ slices, figure }: { slices: readonly Slice[]; figure: Ref<SVGSVGElement> }) {
  const isNarrow = useSyncExternalStore(followPhone, () => phone.matches)
  const whole = slices.reduce((sum, { value }) => sum + value, 0)
  const parts = pie<Slice>()
    .sort(null)
    .value(({ value }) => value)([...slices])
  const shape = arc<(typeof parts)[number]>()
    .innerRadius(RADIUS * 0.56)
    .outerRadius(RADIUS)
    .padAngle(whole > 0 && slices.every(({ value }) => value > 0) ? 0.015 : 0)
    .cornerRadius(2)
  const texts = slices.map(
    ({ label, value }) => `${label}: ${formatCount(value)}, ${percentOf(value, whole)}`,
  )
  return (
    <figure aria-label={texts.join('. ')} className="w-full max-w-160">
      <svg ref={figure} viewBox={isNarrow ? NARROW.box : WIDE.box} style={{ fontSize: 13 }}>
        <title>Violation Devices against Normal Devices</title>
        <defs>
          <pattern
            id="pie-calm"
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="8" height="8" style={{ fill: 'var(--color-hover)' }} />
            <rect width="2" height="8" style={{ fill: 'var(--color-edge)' }} />
          </pattern>
        </defs>
        {parts.map((part, i) => (
          // What it leads to is also told in words beside it, where the Tab key stops.
          <Link key={part.data.label} href={part.data.href} tabIndex={-1} aria-label={texts[i]}>
            <path
              d={shape(part) ?? ''}
              style={{ fill: FILLS[part.data.look] }}
              className="hover:opacity-85"
            />
          </Link>
        ))}
        <text
          pointerEvents="none"
          textAnchor="middle"
          y={2}
          style={{ fill: 'var(--color-ink)', fontSize: 28, fontWeight: 600 }}
        >
          {percentOf(slices[0]?.value ?? 0, whole)}
        </text>
        <text
          pointerEvents="none"
          textAnchor="middle"
          y={24}
          style={{ fill: 'var(--color-ink-soft)', fontSize: 12 }}
        >
          with violations
        </text>
        {slices.map(({ label, value, look }, i) => (
          <g key={label} transform={(isNarrow ? NARROW : WIDE).legend(i)}>
            <rect width="16" height="16" y="-12" rx="3" style={{ fill: FILLS[look] }} />
            <text x="26" y="1" style={{ fill: 'var(--color-ink-soft)' }}>
              {label}
            </text>
            <text x="26" y="24" style={{ fill: 'var(--color-ink)', fontSize: 18, fontWeight: 600 }}>
              {`${formatCount(value)} · ${percentOf(value, whole)}`}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}

const FILLS = { trouble: 'var(--color-hot)', calm: 'url(#pie-calm)' }
