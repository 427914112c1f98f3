import { Crosshair, Info, LocateFixed, Minus, Plus } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PopUp } from '../../ui/pop-up.tsx'
import { type GlyphState, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { DrawingFigures } from './map/drawing-pace.ts'

export type MapControlsProps = {
  /** how the map is drawn; undefined before it is */
  figures: () => DrawingFigures | undefined
  /** a device is selected and the map does not go along with it */
  canFollow: boolean
  onFollow: () => void
  onZoom: (steps: number) => void
  onReset: () => void
}

/** Over the map, at its right edge. */
export const MapControls = memo(function MapControls(props: MapControlsProps) {
  const { figures, canFollow, onFollow, onZoom, onReset } = props
  return (
    <div className="absolute top-3 right-3 z-[6] flex flex-col gap-2">
      <div className="floating flex flex-col">
        <IconButton aria-label="Zoom in" onPress={() => onZoom(1)}>
          <Plus size={18} aria-hidden />
        </IconButton>
        <IconButton aria-label="Zoom out" onPress={() => onZoom(-1)}>
          <Minus size={18} aria-hidden />
        </IconButton>
      </div>
      <div className="floating flex flex-col">
        <Tooltip text="Reset the map and let go of the device">
          <IconButton aria-label="Reset the map" onPress={onReset}>
            <LocateFixed size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <Legend figures={figures} />
      </div>
      {canFollow && (
        <div className="floating flex flex-col">
          <Tooltip text="Follow the selected device">
            <IconButton aria-label="Follow the selected device" onPress={onFollow}>
              <Crosshair size={18} aria-hidden />
            </IconButton>
          </Tooltip>
        </div>
      )}
    </div>
  )
})

function Legend({ figures }: Pick<MapControlsProps, 'figures'>) {
  return (
    <PopUp
      label="What the signs mean"
      placement="left top"
      className="p-3"
      button={
        <IconButton aria-label="What the signs mean">
          <Info size={18} aria-hidden />
        </IconButton>
      }
    >
      {() => (
        <>
          <ul className="flex flex-col gap-1.5">
            {(Object.keys(STATE_WORDS) as GlyphState[]).map((state) => (
              <li key={state} className="flex items-center gap-3">
                <StateGlyph state={state} size={14} isDecorative />
                {STATE_WORDS[state]}
              </li>
            ))}
          </ul>
          <p className="mt-2 max-w-56 text-dense text-ink-soft">
            Each device is a point. A circle counts those that are close together: “3 of 120” are out of
            limits. A press comes nearer.
          </p>
          <Drawing figures={figures} />
        </>
      )}
    </PopUp>
  )
}

/** ms */
const EACH_SECOND = 1000

/** What draws the map, how much of it while it moves, and how quickly. */
function Drawing({ figures }: Pick<MapControlsProps, 'figures'>) {
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
