import type { FleetColumns } from '../../../read-model/columns.ts'
import { type Camera, screenX, screenY } from './camera.ts'

/** A box on the unit square of the Mercator map; y grows southwards. */
export type Bounds = { west: number; east: number; north: number; south: number }
/** px */
export type Padding = { top: number; right: number; bottom: number; left: number }

/** The box around all devices that are shown and have a place; undefined where there is none. */
export function boundsOf({ size, x, y }: FleetColumns, mask: Uint8Array | undefined): Bounds | undefined {
  const box: Bounds = { west: 1, east: 0, north: 1, south: 0 }
  for (let row = 0; row < size; row++) {
    const atX = x[row] as number
    const atY = y[row] as number
    if (!(atX >= 0) || (mask !== undefined && mask[row] === 0)) continue
    if (atX < box.west) box.west = atX
    if (atX > box.east) box.east = atX
    if (atY < box.north) box.north = atY
    if (atY > box.south) box.south = atY
  }
  return box.west <= box.east ? box : undefined
}

/** Whether a box is seen whole, clear of what covers the edges. `camera`: looks at the middle of what is left clear */
export function liesWithin({ west, east, north, south }: Bounds, camera: Camera, padding: Padding): boolean {
  const up = (padding.bottom - padding.top) / 2
  return (
    screenX(camera, west) >= padding.left &&
    screenX(camera, east) <= camera.width - padding.right &&
    screenY(camera, north) - up >= padding.top &&
    screenY(camera, south) - up <= camera.height - padding.bottom
  )
}
