import { useMemo } from 'react'
import { Layer, ScaleControl, Source } from 'react-map-gl/maplibre'
import { circleAround } from '../../map/circle.ts'
import { palettes } from '../../map/palette.ts'
import PlaceMap from '../../map/place-map.tsx'
import { useTheme } from '../../ui/use-theme.ts'

/** m */
const RADIUS = 300
/** The circle fills about half of the dialog's map. */
const ZOOM = 14.4

export type LocationMapProps = { name: string; lng: number; lat: number }

/** Where it happened, with the documents' circle around it. */
export default function LocationMap({ name, lng, lat }: LocationMapProps) {
  const { mark } = palettes[useTheme()]
  const circle = useMemo(() => circleAround({ lng, lat }, RADIUS), [lng, lat])
  return (
    <PlaceMap lng={lng} lat={lat} zoom={ZOOM} label={`Location of ${name}`} markLabel={`${name} was here`}>
      <Source id="around" type="geojson" data={circle}>
        <Layer id="around-ground" type="fill" paint={{ 'fill-color': mark, 'fill-opacity': 0.16 }} />
        <Layer id="around-line" type="line" paint={{ 'line-color': mark, 'line-width': 1.5 }} />
      </Source>
      <ScaleControl position="top-left" />
    </PlaceMap>
  )
}
