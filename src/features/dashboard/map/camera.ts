import type { MapView } from '../../../read-model/clusters.ts'
import { latOf, lngOf } from '../../../read-model/mercator.ts'

/** Where the map looks: its centre on the unit square of the Mercator map, MapLibre's zoom, its size in px. */
export type Camera = { x: number; y: number; zoom: number; width: number; height: number }

/** The documents' centre. */
export const CENTRE = { lat: 30.1575, lng: 71.5249 }

const TILE_PX = 512

/** How many px wide the world is at a zoom. */
export const worldPx = (zoom: number): number => TILE_PX * 2 ** zoom

/** Px from the left edge; of the two ways round the world, the shorter. */
export function screenX(camera: Camera, x: number): number {
  const dx = x - camera.x
  return (dx - Math.round(dx)) * worldPx(camera.zoom) + camera.width / 2
}

/** Px from the upper edge. */
export const screenY = (camera: Camera, y: number): number =>
  (y - camera.y) * worldPx(camera.zoom) + camera.height / 2

/** Where what is at a place of the screen now, px, was when the map looked elsewhere. */
export function placeThen(at: { x: number; y: number }, now: Camera, then: Camera): { x: number; y: number } {
  const x = now.x + (at.x - now.width / 2) / worldPx(now.zoom)
  const y = now.y + (at.y - now.height / 2) / worldPx(now.zoom)
  return { x: screenX(then, x), y: screenY(then, y) }
}

/** The same look in degrees, as clustering wants it. */
export function viewOf({ x, y, zoom, width, height }: Camera): MapView {
  const halfX = width / 2 / worldPx(zoom)
  const halfY = height / 2 / worldPx(zoom)
  return {
    bounds: {
      west: lngOf(x - halfX),
      east: lngOf(x + halfX),
      north: latOf(Math.max(0, y - halfY)),
      south: latOf(Math.min(1, y + halfY)),
    },
    zoom,
    width,
    height,
  }
}
