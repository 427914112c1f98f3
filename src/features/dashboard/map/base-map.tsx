import 'maplibre-gl/dist/maplibre-gl.css'
import '../../../map/map.css'
import * as maplibre from 'maplibre-gl'
import { useCallback, useRef } from 'react'
import {
  AttributionControl,
  type MapRef,
  Map as MapView,
  ScaleControl,
  type ViewStateChangeEvent,
} from 'react-map-gl/maplibre'
import { prepareMapLibre } from '../../../map/setup.ts'
import { useMapStyle } from '../../../map/use-map-style.ts'
import { type Camera, latOf, lngOf, unitX, unitY } from './camera.ts'

prepareMapLibre()

export type BaseMapProps = {
  /** where it opens */
  opensAt: Camera
  onReady(map: maplibre.Map): void
  /** as it moves, before the frame is drawn */
  onLook(camera: Camera): void
  /** the visitor dragged it */
  onTaken(): void
  onPress(x: number, y: number): void
  /** answers whether something was opened: else the map zooms in */
  onDoublePress(x: number, y: number): boolean
  onHover(x: number, y: number): void
}

/** The land below the fleet. It comes in its own bundle, after the first markers. */
export default function BaseMap({
  opensAt,
  onReady,
  onLook,
  onTaken,
  onPress,
  onDoublePress,
  onHover,
}: BaseMapProps) {
  const style = useMapStyle()
  const opened = useRef({ longitude: lngOf(opensAt.x), latitude: latOf(opensAt.y), zoom: opensAt.zoom })
  const taken = ({ originalEvent }: ViewStateChangeEvent): void => {
    if (originalEvent) onTaken()
  }
  return (
    <MapView
      mapLib={maplibre}
      ref={useCallback((view: MapRef | null) => view?.getMap() && onReady(view.getMap()), [onReady])}
      initialViewState={opened.current}
      mapStyle={style}
      maxZoom={20}
      minZoom={2}
      attributionControl={false}
      dragRotate={false}
      pitchWithRotate={false}
      touchPitch={false}
      renderWorldCopies={false}
      fadeDuration={0}
      onMove={({ target }) => onLook(cameraOf(target as maplibre.Map))}
      onResize={({ target }) => onLook(cameraOf(target as maplibre.Map))}
      onDragStart={taken}
      onClick={({ point }) => onPress(point.x, point.y)}
      onDblClick={(event) => {
        if (onDoublePress(event.point.x, event.point.y)) event.preventDefault()
      }}
      onMouseMove={({ point }) => onHover(point.x, point.y)}
    >
      {/* On a phone the sheet covers the lower edge. */}
      <AttributionControl compact position={onDesk() ? 'bottom-right' : 'top-left'} />
      <ScaleControl position={onDesk() ? 'bottom-left' : 'top-left'} />
    </MapView>
  )
}

function cameraOf(map: maplibre.Map): Camera {
  const { lng, lat } = map.getCenter()
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  return { x: unitX(lng), y: unitY(lat), zoom: map.getZoom(), width, height }
}

/** As wide as tokens.css has it for `desk`. */
const onDesk = (): boolean => matchMedia('(min-width: 1024px)').matches
