import { Crosshair, Info, LocateFixed, Minus, Plus } from 'lucide-react'
import { memo } from 'react'
import { lazyPart } from '../../layout/lazy-part.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PopUp } from '../../ui/pop-up.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { DrawingFigures } from './map/drawing-pace.ts'

const MapLegend = lazyPart(() => import('./map-legend.tsx'))

export type MapControlsProps = {
  /** how the map is drawn; undefined before it is */
  figures: () => DrawingFigures | undefined
  /** a device is selected and the map does not go along with it */
  canFollow: boolean
  onFollow: () => void
  onZoom: (steps: number) => void
  onReset: () => void
}

/** Over the map, at its right edge; on a phone the last goes beside the others, out of the way of the sheet. */
export const MapControls = memo(function MapControls(props: MapControlsProps) {
  const { figures, canFollow, onFollow, onZoom, onReset } = props
  return (
    <div className="absolute top-3 right-3 z-[6] flex flex-col items-end gap-2 max-desk:max-h-48 max-desk:flex-wrap-reverse max-desk:[@media(height<=640px)]:flex-row">
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
      {() => <MapLegend figures={figures} />}
    </PopUp>
  )
}
