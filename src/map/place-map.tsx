import { type ReactNode, useReducer } from 'react'
import { Map as MapView, Marker } from 'react-map-gl/maplibre'
import { coordinates } from '#machines/rules/figures.ts'
import { flatMapLibre } from './flat-map.ts'
import { hasWebGl2, NoMap } from './no-map.tsx'
import { useMapStyle } from './use-map-style.ts'
import { WhenRestored } from './when-restored.tsx'

export type PlaceMapProps = {
  lng: number
  lat: number
  zoom: number
  /** of the map, and of the mark on it */
  label: string
  markLabel: string
  /** what is drawn below the mark */
  children?: ReactNode
}

/** One place on the land, marked; in words where the browser draws no map. It comes in its own bundle: import it lazily. */
export default function PlaceMap(props: PlaceMapProps) {
  if (hasWebGl2()) return <DrawnPlace {...props} />
  return <NoMap>{`${props.markLabel}: ${coordinates(props)}.`}</NoMap>
}

function DrawnPlace({ lng, lat, zoom, label, markLabel, children }: PlaceMapProps) {
  const style = useMapStyle()
  const [nth, makeAnew] = useReducer((count: number) => count + 1, 0)
  return (
    <MapView
      key={nth}
      mapLib={flatMapLibre}
      initialViewState={{ longitude: lng, latitude: lat, zoom }}
      mapStyle={style}
      attributionControl={{ compact: true }}
      aria-label={label}
    >
      <WhenRestored onRestored={makeAnew} />
      {children}
      <Marker longitude={lng} latitude={lat}>
        <span
          role="img"
          aria-label={markLabel}
          className="block size-4 rounded-full border-2 border-surface bg-accent shadow-soft"
        />
      </Marker>
    </MapView>
  )
}
