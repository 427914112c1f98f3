import { READING_FIELDS } from '#machines/contracts/readings.ts'
import type { FleetColumns } from './columns.ts'
import type { Fleet } from './fleet.ts'
import { unitX, unitY } from './mercator.ts'
import { FIRST_VIOLATION, SEVERITY_OF } from './severity.ts'

/** What the map shows: degrees, MapLibre's zoom (a world is 512 × 2^zoom px wide), and its size in px. */
export type MapView = {
  bounds: { west: number; south: number; east: number; north: number }
  zoom: number
  width: number
  height: number
}

/**
 * The part of the world clustered for a view: its box in half screens, its zoom in half steps. While the view moves
 * within, `key` stays, and so do the clusters.
 */
export type ClusterBox = {
  key: string
  zoom: number
  /** on the unit square of the map */
  west: number
  north: number
  width: number
  height: number
}

/** Devices that share a cell of the grid; index = cluster. All arrays are `length` long. */
export type Clusters = {
  length: number
  /** how wide a cell is on the unit square */
  cell: number
  /** mean of its devices' places on the unit square */
  x: Float64Array
  y: Float64Array
  count: Uint32Array
  /** devices with an open violation */
  trouble: Uint32Array
  /** index into SEVERITIES: the worst there is, how many are in it, and the row of them that is furthest out of its temperature band */
  worst: Uint8Array
  worstCount: Uint32Array
  worstRow: Uint32Array
  /** °C × 100, of the devices that measure one; NaN where none does. `worstTemperature`: furthest out of its group's band */
  meanTemperature: Float32Array
  worstTemperature: Float32Array
  /** rows that are alone in their cell */
  singles: Uint32Array
}

const CELL_PX = 60
const TILE_PX = 512
const MISSING = READING_FIELDS.temperature.missing

/** What is in view, by half zooms and half screens: while the camera stays within them the box is the same (`key`). */
export function clusterBox({ bounds, zoom, width, height }: MapView): ClusterBox {
  const snapped = Math.floor(zoom * 2) / 2
  const world = TILE_PX * 2 ** snapped
  const halfX = width / world / 2
  const halfY = height / world / 2
  const column = Math.floor(unitX(bounds.west) / halfX)
  const row = Math.floor(unitY(bounds.north) / halfY)
  const eastwards = unitX(bounds.east < bounds.west ? bounds.east + 360 : bounds.east)
  const columns = Math.ceil(eastwards / halfX) - column
  const rows = Math.ceil(unitY(bounds.south) / halfY) - row
  return {
    key: [snapped, column, row, columns, rows, width, height].join(),
    zoom: snapped,
    west: column * halfX,
    north: row * halfY,
    width: columns * halfX,
    height: rows * halfY,
  }
}

/**
 * Puts every device of a box into a grid of 60 px cells that is fixed to the world, of larger ones if more than `most`
 * would be taken. A device in trouble is counted and named by its cell, never swallowed.
 * @param mask 1 for rows that take part; all where left out
 */
export function clusterFleet(
  fleet: Pick<Fleet, 'columns' | 'groups'>,
  box: ClusterBox,
  mask?: Uint8Array,
  most = 500,
): Clusters {
  const world = TILE_PX * 2 ** box.zoom
  let cellPx = CELL_PX
  let grid = assign(fleet.columns, box, mask, cellPx / world)
  // A cell as large as the world cannot be outgrown.
  while (grid.taken > most && cellPx < world) {
    cellPx *= 1.5
    grid = assign(fleet.columns, box, mask, cellPx / world)
  }
  return collect(fleet, box, grid, cellPx / world)
}

/** `slot`: the place of each row's cell among the taken ones, -1 outside; `count`: devices in each. */
type Grid = { slot: Int32Array; count: Uint32Array; taken: number }

function assign(columns: FleetColumns, box: ClusterBox, mask: Uint8Array | undefined, cell: number): Grid {
  const { x, y, size } = columns
  const { west, north, width, height } = box
  const perUnit = 1 / cell
  const firstColumn = Math.floor(west * perUnit)
  const firstRow = Math.floor(north * perUnit)
  const across = Math.floor((west + width) * perUnit) - firstColumn + 1
  const down = Math.floor((north + height) * perUnit) - firstRow + 1
  const slots = new Int32Array(across * down).fill(-1)
  const slot = new Int32Array(size)
  const count = new Uint32Array(across * down)
  let taken = 0
  for (let row = 0; row < size; row++) {
    const dx = eastOf(west, x[row] as number)
    const dy = (y[row] as number) - north
    // Written so that a place that is not known (NaN) is outside.
    if (!(dx <= width && dy >= 0 && dy <= height) || (mask !== undefined && mask[row] === 0)) {
      slot[row] = -1
      continue
    }
    const at =
      (Math.floor((north + dy) * perUnit) - firstRow) * across +
      (Math.floor((west + dx) * perUnit) - firstColumn)
    let s = slots[at] as number
    if (s < 0) {
      s = taken++
      slots[at] = s
    }
    slot[row] = s
    count[s] = (count[s] as number) + 1
  }
  return { slot, count, taken }
}

/** How far east of `west` a place is, going round the world. */
function eastOf(west: number, x: number): number {
  const dx = x - west
  return dx < 0 ? dx + 1 : dx >= 1 ? dx - 1 : dx
}

function collect(
  { columns, groups: { limits } }: Pick<Fleet, 'columns' | 'groups'>,
  box: ClusterBox,
  grid: Grid,
  cell: number,
): Clusters {
  const { slot, count, taken } = grid
  const { x, y, state, temperature, group, size } = columns
  const clusterOf = new Int32Array(taken)
  let length = 0
  for (let s = 0; s < taken; s++) clusterOf[s] = (count[s] as number) > 1 ? length++ : -1
  const clusters: Clusters = {
    length,
    cell,
    x: new Float64Array(length),
    y: new Float64Array(length),
    count: new Uint32Array(length),
    trouble: new Uint32Array(length),
    worst: new Uint8Array(length),
    worstCount: new Uint32Array(length),
    worstRow: new Uint32Array(length),
    meanTemperature: new Float32Array(length),
    worstTemperature: new Float32Array(length).fill(Number.NaN),
    singles: new Uint32Array(taken - length),
  }
  const measured = new Uint32Array(length)
  const sum = new Float64Array(length)
  const furthest = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  const worstBeyond = new Float64Array(length)
  let singles = 0
  for (let row = 0; row < size; row++) {
    const s = slot[row] as number
    if (s < 0) continue
    const c = clusterOf[s] as number
    if (c < 0) {
      clusters.singles[singles++] = row
      continue
    }
    clusters.count[c] = (clusters.count[c] as number) + 1
    clusters.x[c] = (clusters.x[c] as number) + eastOf(box.west, x[row] as number)
    clusters.y[c] = (clusters.y[c] as number) + (y[row] as number)
    let beyond = Number.NEGATIVE_INFINITY
    const t = temperature[row] as number
    if (t !== MISSING) {
      const g = group[row] as number
      beyond = Math.max(t - (limits.highTemperature[g] as number), (limits.lowTemperature[g] as number) - t)
      measured[c] = (measured[c] as number) + 1
      sum[c] = (sum[c] as number) + t
      if (beyond > (furthest[c] as number)) {
        furthest[c] = beyond
        clusters.worstTemperature[c] = t
      }
    }
    const severity = SEVERITY_OF[state[row] as number] as number
    if (severity >= FIRST_VIOLATION) clusters.trouble[c] = (clusters.trouble[c] as number) + 1
    const worst = clusters.worst[c] as number
    if (clusters.count[c] === 1 || severity > worst) {
      clusters.worst[c] = severity
      clusters.worstCount[c] = 1
      clusters.worstRow[c] = row
      worstBeyond[c] = beyond
    } else if (severity === worst) {
      clusters.worstCount[c] = (clusters.worstCount[c] as number) + 1
      if (beyond > (worstBeyond[c] as number)) {
        clusters.worstRow[c] = row
        worstBeyond[c] = beyond
      }
    }
  }
  for (let c = 0; c < length; c++) {
    const n = clusters.count[c] as number
    clusters.x[c] = box.west + (clusters.x[c] as number) / n
    clusters.y[c] = (clusters.y[c] as number) / n
    clusters.meanTemperature[c] =
      (measured[c] as number) === 0 ? Number.NaN : (sum[c] as number) / (measured[c] as number)
  }
  return clusters
}
