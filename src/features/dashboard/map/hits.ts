import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITY_OF } from '../../../read-model/severity.ts'
import { type Camera, screenX, screenY, worldPx } from './camera.ts'
import type { Members } from './members.ts'
import type { Mark } from './scene.ts'

/** What a press meets: a mark, or devices that are drawn as points so near to each other that one cannot be meant. */
export type Hit = Mark | { kind: 'several'; members: Members; x: number; y: number }

export type HitInput = {
  /** what may be met; every row where left out */
  rows?: Uint32Array
  columns: FleetColumns
  mask: Uint8Array | undefined
  camera: Camera
  /** px */
  x: number
  y: number
  slack: number
}

/** px around its middle that a point is pressed at */
const POINT = 5

/** The devices drawn as points at a place of the map. */
export function hitAt({ rows, columns, mask, camera, x, y, slack }: HitInput): Hit | undefined {
  const reach = (POINT + slack) / worldPx(camera.zoom)
  const atX = camera.x + (x - camera.width / 2) / worldPx(camera.zoom)
  const atY = camera.y + (y - camera.height / 2) / worldPx(camera.zoom)
  const members: Members = { rows: [], west: 1, east: 0, north: 1, south: 0 }
  const length = rows?.length ?? columns.size
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : (rows[i] as number)
    const rowX = columns.x[row] as number
    const rowY = columns.y[row] as number
    if (!(Math.abs(rowX - atX) <= reach && Math.abs(rowY - atY) <= reach)) continue
    if (mask !== undefined && mask[row] === 0) continue
    members.rows.push(row)
    members.west = Math.min(members.west, rowX)
    members.east = Math.max(members.east, rowX)
    members.north = Math.min(members.north, rowY)
    members.south = Math.max(members.south, rowY)
  }
  const [row] = members.rows
  if (row === undefined) return undefined
  if (members.rows.length > 1) return { kind: 'several', members, x, y }
  return {
    kind: 'device',
    row,
    x: screenX(camera, columns.x[row] as number),
    y: screenY(camera, columns.y[row] as number),
    radius: POINT,
    severity: SEVERITY_OF[columns.state[row] as number] as number,
    isSelected: false,
  }
}
