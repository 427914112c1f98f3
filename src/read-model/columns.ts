import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { unitX, unitY } from './mercator.ts'

const COLUMNS = {
  /** device number (`no`) */
  device: Uint32Array,
  /** of the newest reading, by the device's clock, epoch ms; 0: never heard */
  at: Float64Array,
  /** where it is, degrees × 1e6, and on the unit square of the Mercator map, NaN while unknown */
  lat: Int32Array,
  lng: Int32Array,
  x: Float64Array,
  y: Float64Array,
  /** where it was before that; the same as now until it first moves */
  previousX: Float64Array,
  previousY: Float64Array,
  /** how long that way took it, from the last reading there to the first one here, ms */
  wayMs: Float32Array,
  /** when the newest position came in, ms on the page's monotonic clock; 0: it came with the snapshot */
  movedAt: Float64Array,
  /** index into the fleet's groups */
  group: Uint16Array,
  temperature: Int16Array,
  humidity: Uint16Array,
  speed: Uint16Array,
  heading: Uint16Array,
  /** device-state.ts */
  state: Uint8Array,
  /** how early it stands in the list (rank.ts) */
  rank: Uint8Array,
  /** 0 vehicle, 1 warehouse */
  kind: Uint8Array,
  /** position in the log at which the row, and its place, was last sent */
  rowSeq: Float64Array,
  placeSeq: Float64Array,
} as const
type ColumnName = keyof typeof COLUMNS
const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

/** The fleet in the browser: row = place in the snapshot, then in order of appearance. Arrays are at least `size` long. */
export type FleetColumns = { size: number } & { [C in ColumnName]: InstanceType<(typeof COLUMNS)[C]> }

/** Empty columns with room for `capacity` rows. */
export function createColumns(capacity: number): FleetColumns {
  const columns = { size: 0 } as Record<string, unknown>
  for (const name of COLUMN_NAMES) columns[name] = new COLUMNS[name](capacity)
  return columns as FleetColumns
}

/** Makes room for one more row and answers its number; arrays are replaced when they are full. */
export function appendRow(columns: FleetColumns): number {
  const row = columns.size
  if (row >= columns.device.length) {
    const larger = createColumns(Math.max(64, row * 2))
    for (const name of COLUMN_NAMES) (larger[name] as Float64Array).set(columns[name])
    Object.assign(columns, larger)
  }
  columns.size = row + 1
  return row
}

const { missing: MISSING, scale: SCALE } = READING_FIELDS.lat

/** Stores a place of a row, on the map too; there it is nowhere (NaN) while a part of it is missing. */
export function putPlace(columns: FleetColumns, row: number, lat: number, lng: number): void {
  const isSomewhere = lat !== MISSING && lng !== MISSING
  columns.lat[row] = lat
  columns.lng[row] = lng
  columns.x[row] = isSomewhere ? unitX(lng / SCALE) : Number.NaN
  columns.y[row] = isSomewhere ? unitY(lat / SCALE) : Number.NaN
}
