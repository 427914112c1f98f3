import type { Layer } from '@deck.gl/core'
import { IconLayer, PathLayer, ScatterplotLayer } from '@deck.gl/layers'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { type Band, type Rgb, type Scheme, temperatureRgb } from '../format/temperature-colour.ts'
import { DOOR_SIGN, DOOR_SIZE } from './door-sign.ts'
import { palettes } from './palette.ts'
import { doorsOf, type OpenDoor, type Stop, stopsOf, stretchesOf, type WayPoint, wayOf } from './way.ts'

type Marks = { stops: Stop[]; doors: OpenDoor[] }

/** Draws a way up to where its device is now; only as far as its readings go where that is left out. Once a frame. */
export type DrawWay = (scheme: Scheme, now?: Pick<WayPoint, 'at' | 'lng' | 'lat'>) => Layer[]

/** On a flat map in the order they are named; depth is of no use. */
const FLAT = { depthCompare: 'always', depthWriteEnabled: false } as const
/** of what is marked on a way */
const GROUND = { light: '#ffffff', dark: '#141b22' }
const UNKNOWN: Rgb = [128, 138, 148]

/**
 * The way a device came, in the colours of the temperatures it was driven at and broken where nothing was told, where it stopped,
 * and where a door was opened.
 */
export function drawWayOf({ points, thresholds }: Pick<DeviceHistory, 'points' | 'thresholds'>): DrawWay {
  const way = wayOf(points)
  const last = way.at(-1)
  const marks = { stops: stopsOf(way), doors: doorsOf(points).filter(({ place }) => place !== null) }
  const band: Band = {
    low: thresholds.lowTemperatureThreshold,
    high: thresholds.highTemperatureThreshold,
  }
  return (scheme, now) =>
    wayLayers(stretchesOf(last && now ? [...way, { ...last, ...now }] : way), marks, band, scheme)
}

function wayLayers(
  stretches: readonly WayPoint[][],
  { stops, doors }: Marks,
  band: Band,
  scheme: Scheme,
): Layer[] {
  const colourOf = (temperature: number | null): Rgb =>
    temperature === null || band.low >= band.high ? UNKNOWN : temperatureRgb(temperature, band, scheme)
  const { mark } = palettes[scheme]
  return [
    new PathLayer<WayPoint[]>({
      id: 'way',
      data: stretches,
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
      getFillColor: rgbOf(GROUND[scheme]),
      getLineColor: rgbOf(mark),
      getLineWidth: 2,
      lineWidthUnits: 'pixels',
      parameters: FLAT,
    }),
    new IconLayer<OpenDoor>({
      id: 'doors',
      data: doors,
      // its types leave out pictures that are there already
      iconAtlas: pictureOf(scheme) as unknown as string,
      iconMapping: MAPPING,
      getIcon: () => 'door',
      getPosition: ({ place }) => [place?.lng ?? 0, place?.lat ?? 0],
      getSize: DOOR_SIZE,
      getPixelOffset: ABOVE_STOP,
      parameters: FLAT,
    }),
  ]
}

/** A door is opened where it stops, mostly: both are seen, px. */
const ABOVE_STOP: [number, number] = [0, -13]
/** px of the door's picture: more than any screen shows of it */
const PICTURE = 64
const MAPPING = { door: { x: 0, y: 0, width: PICTURE, height: PICTURE } }
const pictures: Partial<Record<Scheme, ImageData>> = {}

/** An open door, drawn once a theme. */
function pictureOf(scheme: Scheme): ImageData {
  pictures[scheme] ??= drawDoor(GROUND[scheme], palettes[scheme].mark)
  return pictures[scheme]
}

/** It fills its box: an edge that is seen through would be drawn darker. */
function drawDoor(ground: string, ink: string): ImageData {
  const ctx = new OffscreenCanvas(PICTURE, PICTURE).getContext('2d') as OffscreenCanvasRenderingContext2D
  ctx.fillStyle = ground
  ctx.fillRect(0, 0, PICTURE, PICTURE)
  ctx.scale(PICTURE / DOOR_SIZE, PICTURE / DOOR_SIZE)
  ctx.strokeStyle = ink
  ctx.lineWidth = 1.5
  ctx.stroke(new Path2D(DOOR_SIGN.frame))
  ctx.fillStyle = ink
  ctx.fill(new Path2D(DOOR_SIGN.leaf))
  return ctx.getImageData(0, 0, PICTURE, PICTURE)
}

/** #rrggbb as bytes. */
export const rgbOf = (hex: string): [number, number, number] => {
  const whole = Number.parseInt(hex.slice(1), 16)
  return [whole >> 16, (whole >> 8) & 255, whole & 255]
}
