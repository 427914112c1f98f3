import type { Layer } from '@deck.gl/core'
import { PathLayer, ScatterplotLayer } from '@deck.gl/layers'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { type Band, type Rgb, type Scheme, temperatureRgb } from '../format/temperature-colour.ts'
import { palettes } from './palette.ts'
import { type Stop, stopsOf, type WayPoint, wayOf, wayTo } from './way.ts'

/** Draws a way up to where its device is now; only as far as it was told where that is left out. Once a frame. */
export type DrawWay = (scheme: Scheme, now?: Pick<WayPoint, 'at' | 'lng' | 'lat'>) => Layer[]

/** On a flat map in the order they are named; depth is of no use. */
const FLAT = { depthCompare: 'always', depthWriteEnabled: false } as const
const UNKNOWN: Rgb = [128, 138, 148]

/** The way a device came, each stretch in the colour of the temperature it was driven at, and where it stopped. */
export function drawWayOf({ points, thresholds }: Pick<DeviceHistory, 'points' | 'thresholds'>): DrawWay {
  const told = wayOf(points)
  const stops = stopsOf(told)
  const band: Band = {
    low: thresholds.lowTemperatureThreshold,
    high: thresholds.highTemperatureThreshold,
  }
  return (scheme, now) => wayLayers(now ? wayTo(told, now) : told, stops, band, scheme)
}

function wayLayers(points: readonly WayPoint[], stops: Stop[], band: Band, scheme: Scheme): Layer[] {
  if (points.length < 2) return []
  const colourOf = (temperature: number | null): Rgb =>
    temperature === null || band.low >= band.high ? UNKNOWN : temperatureRgb(temperature, band, scheme)
  const { mark } = palettes[scheme]
  return [
    new PathLayer<readonly WayPoint[]>({
      id: 'way',
      data: [points],
      getPath: (way) => way.map(({ lng, lat }): [number, number] => [lng, lat]),
      getColor: (way) => way.map(({ temperature }) => [...colourOf(temperature)]),
      getWidth: 3,
      widthUnits: 'pixels',
      capRounded: true,
      jointRounded: true,
      parameters: FLAT,
      updateTriggers: { getColor: [band.low, band.high, scheme] },
    }),
    new ScatterplotLayer<Stop>({
      id: 'stops',
      data: stops,
      getPosition: ({ lng, lat }) => [lng, lat],
      getRadius: 5,
      radiusUnits: 'pixels',
      stroked: true,
      getFillColor: scheme === 'dark' ? [20, 27, 34] : [255, 255, 255],
      getLineColor: rgbOf(mark),
      getLineWidth: 2,
      lineWidthUnits: 'pixels',
      parameters: FLAT,
    }),
  ]
}

/** #rrggbb as bytes. */
export const rgbOf = (hex: string): [number, number, number] => {
  const whole = Number.parseInt(hex.slice(1), 16)
  return [whole >> 16, (whole >> 8) & 255, whole & 255]
}
