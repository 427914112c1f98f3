import type { ReactNode } from 'react'
import { Map as MapView, Marker } from 'react-map-gl/maplibre'
import { prepareMapLibre } from './setup.ts'
import { useMapStyle } from './use-map-style.ts'

prepareMapLibre()

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

/** One place on the land, marked. It comes in its own bundle: import it lazily. */
export default function PlaceMap({ lng, lat, zoom, label, markLabel, children }: PlaceMapProps) {
  const style = useMapStyle()
  return (
    <MapView
      initialViewState={{ longitude: lng, latitude: lat, zoom }}
      mapStyle={style}
      attributionControl={{ compact: true }}
      dragRotate={false}
      pitchWithRotate={false}
      aria-label={label}
    >
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
