import type { FleetColumns } from '../../../read-model/columns.ts'

/** Rows of a cluster, and the box they lie in on the unit square. */
export type Members = { rows: number[]; west: number; east: number; north: number; south: number }

/**
 * Who is in a cluster: asked when it is pressed, so that clustering need not remember. Where no two are left of those that were,
 * nobody is, and the box is the cluster's cell.
 * @param cluster its mean place on the unit square, and how wide its cell is there @param mask 1 for rows that take part
 */
export function membersOf(
  { x, y, size }: FleetColumns,
  cluster: { unitX: number; unitY: number; cell: number },
  mask: Uint8Array | undefined,
): Members {
  const { cell } = cluster
  const left = Math.floor(cluster.unitX / cell) * cell
  const top = Math.floor(cluster.unitY / cell) * cell
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
  if (found.rows.length > 1) return found
  return { rows: [], west: left, east: left + cell, north: top, south: top + cell }
}
