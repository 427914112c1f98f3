import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITY_OF } from '../../../read-model/severity.ts'
import { type Camera, screenX, screenY, worldPx } from './camera.ts'
import type { Members } from './members.ts'
import { type Motion, placeOf, progressOf } from './motion.ts'
import type { Mark } from './scene.ts'

/** What a press meets: a mark, or devices that are drawn as points so near to each other that one cannot be meant. */
export type Hit = Mark | { kind: 'several'; members: Members; x: number; y: number }

export type HitInput = {
  /** what may be met; every row where left out */
  rows?: Uint32Array
  columns: FleetColumns
  mask: Uint8Array | undefined
  /** as they were drawn: on their way they are not yet where they were measured */
  motion: Motion
  camera: Camera
  /** px */
  x: number
  y: number
  slack: number
}

/** px around its middle that a point is pressed at */
const POINT = 5

/** The devices drawn as points at a place of the map. */
export function hitAt({ rows, columns, mask, motion, camera, x, y, slack }: HitInput): Hit | undefined {
  const reach = (POINT + slack) / worldPx(camera.zoom)
  const atX = camera.x + (x - camera.width / 2) / worldPx(camera.zoom)
  const atY = camera.y + (y - camera.height / 2) / worldPx(camera.zoom)
  const members: Members = { rows: [], west: 1, east: 0, north: 1, south: 0 }
  const length = rows?.length ?? columns.size
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : (rows[i] as number)
    if (mask !== undefined && mask[row] === 0) continue
    if (!isBetween(atX, columns.previousX[row] as number, columns.x[row] as number, reach)) continue
    if (!isBetween(atY, columns.previousY[row] as number, columns.y[row] as number, reach)) continue
    const place = placeOf(columns, row, progressOf(columns, row, motion))
    if (Math.abs(place.x - atX) > reach || Math.abs(place.y - atY) > reach) continue
    members.rows.push(row)
    members.west = Math.min(members.west, place.x)
    members.east = Math.max(members.east, place.x)
    members.north = Math.min(members.north, place.y)
    members.south = Math.max(members.south, place.y)
  }
  const [row] = members.rows
  if (row === undefined) return undefined
  if (members.rows.length > 1) return { kind: 'several', members, x, y }
  return {
    kind: 'device',
    row,
    x: screenX(camera, members.west),
    y: screenY(camera, members.north),
    radius: POINT,
    severity: SEVERITY_OF[columns.state[row] as number] as number,
    isSelected: false,
  }
}

/** Whether a place is no farther than `reach` from a way between two; never for ends that are not known (NaN). */
const isBetween = (at: number, from: number, to: number, reach: number): boolean =>
  at >= Math.min(from, to) - reach && at <= Math.max(from, to) + reach
