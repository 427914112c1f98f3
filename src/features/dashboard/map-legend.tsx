import { BellOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { DOOR_SIGN } from '../../map/door-sign.ts'
import { type GlyphState, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import type { DrawingFigures } from './map/drawing-pace.ts'
import { WAREHOUSE } from './map/shapes.ts'

/** `figures`: how the map is drawn; undefined before it is */
type Props = { figures: () => DrawingFigures | undefined }

/** What the signs of the map mean, and how it is drawn. */
export default function MapLegend({ figures }: Props) {
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {(Object.keys(STATE_WORDS) as GlyphState[]).map((state) => (
          <Sign key={state} text={STATE_WORDS[state]}>
            <StateGlyph state={state} size={14} isDecorative />
          </Sign>
        ))}
        <Sign text="Warehouse">
          <svg aria-hidden viewBox="-11 -11 22 22" className="-mx-px size-4 fill-current text-fine">
            <rect
              {...{ x: -10, y: -10, width: 20, height: 20, rx: 5 }}
              className="fill-surface stroke-current"
              strokeWidth="1.5"
            />
            <path d={WAREHOUSE} fillRule="evenodd" transform="scale(.9)" />
          </svg>
        </Sign>
        <Sign text="Budget at risk">
          <RingSign className="text-caution" dashes="3.1 2" />
        </Sign>
        <Sign text="Budget exhausted">
          <RingSign className="text-error" />
        </Sign>
        <Sign text="Who has it">
          <Badge>AM</Badge>
        </Sign>
        <Sign text="Shelved">
          <Badge>
            <BellOff size={9} strokeWidth={2.5} />
          </Badge>
        </Sign>
        <Sign text="Stopped on its way">
          <WaySign>
            <circle cx="8" cy="8" r="5" />
          </WaySign>
        </Sign>
        <Sign text="Opened a door there">
          <WaySign>
            <path d={DOOR_SIGN.frame} />
            <path d={DOOR_SIGN.leaf} className="fill-accent" strokeWidth="0" />
          </WaySign>
        </Sign>
      </ul>
      <p className="mt-2 max-w-56 text-dense text-ink-soft">
        Each device is a point. A circle counts those that are close together: “3 of 120” are out of limits. A
        press comes nearer.
      </p>
      <Drawing figures={figures} />
    </>
  )
}

/** A sign and what it means. */
function Sign({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3">
      {children}
      {text}
    </li>
  )
}

/** As it stands around a device whose load somebody must look at. `dashes`: px of strokes and gaps; whole where left out */
function RingSign({ className, dashes }: { className: string; dashes?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={`-mx-px size-4 ${className}`}>
      <circle
        cx="8"
        cy="8"
        r="6.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray={dashes}
      />
      <circle cx="8" cy="8" r="2.5" className="fill-fine" />
    </svg>
  )
}

/** As it stands beside the sign of a device on the map. */
function Badge({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden
      className="-mx-px flex size-4 items-center justify-center rounded-full border border-ink-soft bg-surface font-bold text-[8px]"
    >
      {children}
    </span>
  )
}

/** As it stands on the way of the selected device. */
function WaySign({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" strokeWidth="2" className="-mx-px size-4 fill-surface stroke-accent">
      {children}
    </svg>
  )
}

/** ms */
const EACH_SECOND = 1000

/** What draws the map, how much of it while it moves, and how quickly. */
function Drawing({ figures }: Props) {
  const [current, setCurrent] = useState(figures)
  useEffect(() => {
    const timer = setInterval(() => setCurrent(figures()), EACH_SECOND)
    return () => clearInterval(timer)
  }, [figures])
  if (current === undefined) return null
  const { drawing, whileMoving, framesPerSecond } = current
  return (
    <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 border-line border-t pt-2 text-dense text-ink-soft">
      <dt>Drawn by</dt>
      <dd>{drawing === 'gpu' ? 'graphics card' : 'processor'}</dd>
      <dt>Points while it moves</dt>
      <dd className="tabular">
        {Number.isFinite(whileMoving) ? `at most ${formatCount(whileMoving)}` : 'all'}
      </dd>
      <dt>Frames a second</dt>
      <dd className="tabular">{formatCount(framesPerSecond)}</dd>
    </dl>
  )
}
