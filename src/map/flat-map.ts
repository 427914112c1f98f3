import * as maplibre from 'maplibre-gl'
import { prepareMapLibre } from './setup.ts'

prepareMapLibre()

/**
 * MapLibre's map, looked at from straight above. MapLibre paints its sky over the whole picture before each frame, also where
 * the land covers all of it: without a graphics card that was a third of what a frame takes (docs/decisions/0205).
 */
export class FlatMap extends maplibre.Map {
  constructor(options: maplibre.MapOptions) {
    super({ ...options, dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0 })
    this.painter.drawFunctions = { ...this.painter.drawFunctions, sky: () => {} }
    // North is up: fingers and keys turn nothing either.
    this.touchZoomRotate.disableRotation()
    this.keyboard.disableRotation()
  }
}

/** MapLibre as react-map-gl takes it, whose maps are flat. */
export const flatMapLibre = { ...maplibre, Map: FlatMap }
