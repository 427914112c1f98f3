import { PolygonLayer } from '@deck.gl/layers'
import type { Position } from 'geojson'
import { useMemo } from 'react'
import { ScaleControl } from 'react-map-gl/maplibre'
import { circleAround } from '../../map/circle.ts'
import DeckLayers from '../../map/deck-layers.tsx'
import { palettes } from '../../map/palette.ts'
import PlaceMap from '../../map/place-map.tsx'
import { rgbOf } from '../../map/way-layers.ts'
import { useTheme } from '../../ui/use-theme.ts'

/** m */
const RADIUS = 300
/** The circle fills about half of the dialog's map. */
const ZOOM = 14.4

export type LocationMapProps = { name: string; lng: number; lat: number }

/** Where it happened, with the documents' circle around it. */
export default function LocationMap({ name, lng, lat }: LocationMapProps) {
  const { mark } = palettes[useTheme()]
  const layers = useMemo(() => {
    const [red, green, blue] = rgbOf(mark)
    return [
      new PolygonLayer<Position[][]>({
        id: 'around',
        data: [circleAround({ lng, lat }, RADIUS).geometry.coordinates],
        getPolygon: (rings) => rings,
        stroked: true,
        getFillColor: [red, green, blue, 41],
        getLineColor: [red, green, blue],
        getLineWidth: 1.5,
        lineWidthUnits: 'pixels',
        parameters: { depthCompare: 'always', depthWriteEnabled: false },
      }),
    ]
  }, [lng, lat, mark])
  return (
    <PlaceMap lng={lng} lat={lat} zoom={ZOOM} label={`Location of ${name}`} markLabel={`${name} was here`}>
      <DeckLayers layers={layers} />
      <ScaleControl position="top-left" />
    </PlaceMap>
  )
}
