import type { Layer } from '@deck.gl/core'
import type { DrawingPace } from './drawing-pace.ts'
import type { FleetPoints } from './fleet-points.ts'
import type { Icon } from './icons.ts'
import { PictureLayer } from './picture-layer.ts'
import { PointLayer } from './point-layer.ts'
import type { Sprites } from './sprites.ts'

export type LayersInput = {
  points: FleetPoints
  /** of the selected device's way */
  way: readonly Layer[]
  icons: readonly Icon[]
  sprites: Sprites
  /** around each point, 0 to 1 */
  halo: readonly [number, number, number]
  pace: DrawingPace
}

/** px */
const HALO = 1

/** Everything lies flat, in the order it is named: depth is of no use, and pictures are weighed by how opaque they are. */
const FLAT = { depthCompare: 'always', depthWriteEnabled: false } as const
const WEIGHED = { ...FLAT, blendColorSrcFactor: 'one' } as const

/** From the land upwards: calm devices, circles, what is wrong, and what is said of it. */
export function layersOf({ points, way, icons, sprites, halo, pace }: LayersInput): Layer[] {
  const pictures = (id: string, isBelow: boolean): Layer =>
    new PictureLayer({
      id,
      pictures: icons.filter((icon) => icon.isBelow === isBelow),
      texture: sprites.texture,
      ratio: sprites.ratio,
      parameters: WEIGHED,
    })
  return [
    new PointLayer({
      id: 'crowd',
      points: points.crowd,
      version: points.crowd.version,
      isDots: true,
      halo: [...halo, HALO],
      most: pace.most,
      parameters: FLAT,
    }),
    new PointLayer({
      id: 'singles',
      points: points.singles,
      version: points.singles.version,
      halo: [...halo, HALO],
      parameters: FLAT,
    }),
    ...way,
    pictures('circles', true),
    new PointLayer({
      id: 'trouble',
      points: points.trouble,
      version: points.trouble.version,
      halo: [...halo, HALO],
      parameters: FLAT,
    }),
    pictures('marks', false),
  ]
}
