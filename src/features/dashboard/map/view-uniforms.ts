import type { LayerContext } from '@deck.gl/core'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import { worldPx } from './camera.ts'
import { PLACE_STEPS } from './points.ts'

/** Where the map looks, as every shader of ours has it; `size` is px of the page. First in the block of its uniforms. */
export const VIEW_BLOCK = /* glsl */ `\
  highp uvec2 centre;
  highp vec2 size;
  highp float pxPerStep;
`
export const VIEW_TYPES = { centre: 'vec2<u32>', size: 'vec2<f32>', pxPerStep: 'f32' } as const

/** Px of the page from the middle of the map. Differences of whole numbers are exact wherever one looks, and go the shorter way round the world. */
export const pxFromMiddle = (block: string): string =>
  `vec2(ivec2(place - ${block}.centre)) * ${block}.pxPerStep`

/** What `VIEW_BLOCK` holds now. */
export function viewUniforms({ viewport }: LayerContext) {
  const { longitude, latitude, zoom, width, height } = viewport as unknown as {
    longitude: number
    latitude: number
    zoom: number
    width: number
    height: number
  }
  return {
    centre: [unitX(longitude) * PLACE_STEPS, unitY(latitude) * PLACE_STEPS].map((at) => at >>> 0),
    size: [width, height],
    pxPerStep: worldPx(zoom) / PLACE_STEPS,
  }
}
