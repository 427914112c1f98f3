import { PathLayer } from '@deck.gl/layers'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import { useEffect } from 'react'
import { useControl } from 'react-map-gl/maplibre'
import { type Band, type Rgb, type Scheme, temperatureRgb } from '../../format/temperature-colour.ts'

/** A place the device was at, with what it measured there. */
export type WayPoint = { lng: number; lat: number; temperature: number | null }

export type WayOverlayProps = { way: readonly WayPoint[]; band: Band; scheme: Scheme }

/** The way a device came, each stretch in the colour of the temperature it was driven at. */
export default function WayOverlay({ way, band, scheme }: WayOverlayProps) {
  const overlay = useControl(() => new MapLibreOverlay({ interleaved: true, layers: [] }))
  useEffect(() => {
    overlay.setProps({
      layers: [
        new PathLayer<readonly WayPoint[]>({
          id: 'way',
          data: [way],
          getPath: (points) => points.map(({ lng, lat }): [number, number] => [lng, lat]),
          getColor: (points) => points.map(({ temperature }) => [...colourOf(temperature, band, scheme)]),
          getWidth: 3,
          widthUnits: 'pixels',
          capRounded: true,
          jointRounded: true,
          updateTriggers: { getColor: [band.low, band.high, scheme] },
        }),
      ],
    })
  }, [overlay, way, band, scheme])
  return null
}

const colourOf = (temperature: number | null, band: Band, scheme: Scheme): Rgb =>
  temperature === null || band.low >= band.high ? UNKNOWN : temperatureRgb(temperature, band, scheme)

const UNKNOWN: Rgb = [128, 138, 148]
