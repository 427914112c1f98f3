import type { FleetColumns } from '../../../read-model/columns.ts'
import { worldPx } from './camera.ts'

/** Rows of a cluster, and the box they lie in on the unit square. */
export type Members = { rows: number[]; west: number; east: number; north: number; south: number }

const CELL_PX = 60
/** Where too many cells are taken, clustering makes them larger by this, several times if need be. */
const GROWTH = 1.5
const STEPS = 8

/**
 * Who is in a cluster: asked when it is pressed, so that clustering need not remember.
 * @param cluster its mean place and how many it counts @param zoom the half step it was made at @param mask 1 for rows that take part
 */
export function membersOf(
  columns: FleetColumns,
  cluster: { x: number; y: number; count: number },
  zoom: number,
  mask: Uint8Array | undefined,
): Members {
  let members = inCell(columns, cluster, CELL_PX / worldPx(zoom), mask)
  for (let step = 1; step < STEPS && members.rows.length < cluster.count; step++)
    members = inCell(columns, cluster, (CELL_PX * GROWTH ** step) / worldPx(zoom), mask)
  return members
}

function inCell(
  { x, y, size }: FleetColumns,
  cluster: { x: number; y: number },
  cell: number,
  mask: Uint8Array | undefined,
): Members {
  const left = Math.floor(cluster.x / cell) * cell
  const top = Math.floor(cluster.y / cell) * cell
  const found: Members = { rows: [], west: 1, east: 0, north: 1, south: 0 }
  for (let row = 0; row < size; row++) {
    const rowX = x[row] as number
    const rowY = y[row] as number
    if (!(rowX >= left && rowX < left + cell && rowY >= top && rowY < top + cell)) continue
    if (mask !== undefined && mask[row] === 0) continue
    found.rows.push(row)
    found.west = Math.min(found.west, rowX)
    found.east = Math.max(found.east, rowX)
    found.north = Math.min(found.north, rowY)
    found.south = Math.max(found.south, rowY)
  }
  return found
}
