import { BellOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { DOOR_SIGN } from '../../map/door-sign.ts'
import { type GlyphState, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import type { DrawingFigures } from './map/drawing-pace.ts'

/** `figures`: how the map is drawn; undefined before it is */
type Props = { figures: () => DrawingFigures | undefined }

/** What the signs of the map mean, and how it is drawn. */
export default function MapLegend({ figures }: Props) {
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {(Object.keys(STATE_WORDS) as GlyphState[]).map((state) => (
          <li key={state} className="flex items-center gap-3">
            <StateGlyph state={state} size={14} isDecorative />
            {STATE_WORDS[state]}
          </li>
        ))}
        <li className="flex items-center gap-3">
          <Sign>AM</Sign>
          Who has it
        </li>
        <li className="flex items-center gap-3">
          <Sign>
            <BellOff size={9} strokeWidth={2.5} />
          </Sign>
          Shelved
        </li>
        <li className="flex items-center gap-3">
          <WaySign>
            <circle cx="8" cy="8" r="5" />
          </WaySign>
          Stopped on its way
        </li>
        <li className="flex items-center gap-3">
          <WaySign>
            <path d={DOOR_SIGN.frame} />
            <path d={DOOR_SIGN.leaf} className="fill-accent" strokeWidth="0" />
          </WaySign>
          Opened a door there
        </li>
      </ul>
      <p className="mt-2 max-w-56 text-dense text-ink-soft">
        Each device is a point. A circle counts those that are close together: “3 of 120” are out of limits. A
        press comes nearer.
      </p>
      <Drawing figures={figures} />
    </>
  )
}

/** As it stands beside the sign of a device on the map. */
function Sign({ children }: { children: ReactNode }) {
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
  const [told, setTold] = useState(figures)
  useEffect(() => {
    const timer = setInterval(() => setTold(figures()), EACH_SECOND)
    return () => clearInterval(timer)
  }, [figures])
  if (told === undefined) return null
  const { drawing, whileMoving, framesPerSecond } = told
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
