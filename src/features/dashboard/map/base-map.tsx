import { latOf, lngOf, unitX, unitY } from '../../../read-model/mercator.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import '../../../map/map.css'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Map as MapLibre } from 'maplibre-gl'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import {
  AttributionControl,
  type MapProps,
  Map as MapView,
  ScaleControl,
  useMap,
  type ViewStateChangeEvent,
} from 'react-map-gl/maplibre'
import { flatMapLibre } from '../../../map/flat-map.ts'
import { useMapStyle } from '../../../map/use-map-style.ts'
import { WhenRestored } from '../../../map/when-restored.tsx'
import type { Camera } from './camera.ts'
import { createFleetLayer } from './fleet-layer.ts'
import type { Fitting } from './flights.ts'
import type { Attached } from './map-controller.ts'

export type BaseMapProps = {
  /** where it opens */
  opensAt: Camera | Fitting
  /** answers how to let go of it */
  onReady(given: Omit<Attached, 'room'>): () => void
  /** the browser took its context away and gave one back: it is to be made anew */
  onRestored(): void
  /** as it moves, before the frame is drawn */
  onLook(camera: Camera): void
  /** `isByHand`: as the visitor has it */
  onMoving(isMoving: boolean, isByHand: boolean): void
  /** the visitor moved it to another place */
  onTaken(): void
  onPress(x: number, y: number): void
  /** answers whether something was opened: else the map zooms in */
  onDoublePress(x: number, y: number): boolean
  onHover(x: number, y: number): void
}

/** The land, and deck.gl in its context. They come in a bundle of their own. */
export default function BaseMap({
  opensAt,
  onReady,
  onRestored,
  onLook,
  onMoving,
  onTaken,
  onPress,
  onDoublePress,
  onHover,
}: BaseMapProps) {
  const style = useMapStyle()
  const opened = useRef(viewOf(opensAt))
  const moving = (isMoving: boolean, { originalEvent }: ViewStateChangeEvent): void => {
    if (isMoving && originalEvent instanceof KeyboardEvent && originalEvent.key.startsWith('Arrow')) onTaken()
    onMoving(isMoving, originalEvent !== undefined)
  }
  return (
    <MapView
      mapLib={flatMapLibre}
      initialViewState={opened.current}
      mapStyle={style}
      maxZoom={20}
      minZoom={2}
      attributionControl={false}
      renderWorldCopies={false}
      fadeDuration={0}
      onMove={({ target }) => onLook(cameraOf(target as MapLibre))}
      onResize={({ target }) => onLook(cameraOf(target as MapLibre))}
      onMoveStart={(event) => moving(true, event)}
      onMoveEnd={(event) => moving(false, event)}
      onDragStart={({ originalEvent }) => originalEvent && onTaken()}
      onBoxZoomEnd={onTaken}
      onError={({ error }) => complain(error)}
      onClick={({ point }) => onPress(point.x, point.y)}
      onDblClick={(event) => {
        if (onDoublePress(event.point.x, event.point.y)) event.preventDefault()
      }}
      onMouseMove={({ point }) => onHover(point.x, point.y)}
    >
      <Fleet onReady={onReady} onRestored={onRestored} onLook={onLook} />
      {/* On a phone the sheet covers the lower edge. */}
      <Sources />
      <ScaleControl position={onDesk() ? 'bottom-left' : 'top-left'} />
    </MapView>
  )
}

/** Who made the land. Where it would lie over the fleet, on a phone, it waits behind its sign from the start. */
function Sources() {
  const map = useMap().current
  const isOpen = onDesk()
  useEffect(() => {
    const sources = isOpen ? null : map?.getContainer().querySelector('.maplibregl-ctrl-attrib')
    // what is compact already MapLibre does not open by itself
    sources?.classList.add('maplibregl-compact')
    sources?.classList.remove('maplibregl-compact-show')
    sources?.removeAttribute('open')
  }, [map, isOpen])
  return <AttributionControl compact position={isOpen ? 'bottom-right' : 'top-left'} />
}

/**
 * A tile that a flight left behind is given up, and MapLibre says nothing of it. A request that failed at the network is
 * of a server that is away or of a page that is being left: the header tells of the one, nobody is there for the other,
 * and the tile is asked for again when it is looked at.
 */
function complain(error: Error): void {
  if (!/Failed to fetch/.test(error.message)) console.error(error)
}

/** What draws the fleet, as soon as it may: before the land is there it draws on the bare ground. */
function Fleet({ onReady, onRestored, onLook }: Pick<BaseMapProps, 'onReady' | 'onRestored' | 'onLook'>) {
  const map = useMap().current?.getMap() as MapLibre | undefined
  const ready = useEffectEvent(onReady)
  const look = useEffectEvent(onLook)
  const letGo = useRef<() => void>(undefined)
  useEffect(() => {
    if (map === undefined) return
    const overlay: MapLibreOverlay = new MapLibreOverlay({
      interleaved: true,
      layers: [],
      onDeviceInitialized(device) {
        look(cameraOf(map))
        letGo.current = ready({ map, overlay, device, createLayer: createFleetLayer })
      },
    })
    map.addControl(overlay)
    return () => {
      stop(letGo)
      map.removeControl(overlay)
    }
  }, [map])
  return <WhenRestored onLost={() => stop(letGo)} onRestored={onRestored} />
}

/** Lets go of what draws the fleet, once. */
function stop(letGo: RefObject<(() => void) | undefined>): void {
  letGo.current?.()
  letGo.current = undefined
}

/** As the map is told where to open. */
function viewOf(at: Camera | Fitting): NonNullable<MapProps['initialViewState']> {
  if ('zoom' in at) return { longitude: lngOf(at.x), latitude: latOf(at.y), zoom: at.zoom }
  const { bounds, ...fitBoundsOptions } = at
  return { bounds, fitBoundsOptions }
}

function cameraOf(map: MapLibre): Camera {
  const { lng, lat } = map.getCenter()
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  return { x: unitX(lng), y: unitY(lat), zoom: map.getZoom(), width, height }
}

/** As wide as tokens.css has it for `desk`. */
const onDesk = (): boolean => matchMedia('(min-width: 1024px)').matches
