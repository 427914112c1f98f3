import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import { appendRow, createColumns, type FleetColumns, putPlace } from './columns.ts'

/** Row by device number. */
export type RowIndex = {
  /** -1 where there is none */
  of(deviceNo: number): number
  put(deviceNo: number, row: number): void
}

export function createRowIndex(): RowIndex {
  let rows = new Int32Array(0)
  return {
    of: (deviceNo) => rows[deviceNo] ?? -1,
    put(deviceNo, row) {
      if (deviceNo >= rows.length) {
        const larger = new Int32Array(Math.max(deviceNo + 1, rows.length * 2)).fill(-1)
        larger.set(rows)
        rows = larger
      }
      rows[deviceNo] = row
    },
  }
}

/** What a merge changed, row by row. */
export type RowChanges = {
  state(row: number, before: number, after: number): void
  /** the row shows a newer reading */
  reading(row: number): void
}

/**
 * Takes a frame into the columns: a row by a frame that ends later than what it was last updated by, its place likewise and
 * on its own, because a frame holds places only of rows that moved. So neither order nor repetition matters.
 * @param now ms on the page's monotonic clock
 * @returns how many rows of the frame are not known
 */
export function mergeFrame(
  columns: FleetColumns,
  rows: RowIndex,
  frame: LiveFrame,
  now: number,
  changes: RowChanges,
): number {
  // Places first: they need the time at which the device was last seen where it was before.
  for (let m = 0; m < frame.movedRow.length; m++) {
    const i = frame.movedRow[m] as number
    const row = rows.of(frame.device[i] as number)
    if (row < 0 || frame.seq <= (columns.placeSeq[row] as number)) continue
    columns.placeSeq[row] = frame.seq
    columns.speed[row] = frame.speed[m] as number
    columns.heading[row] = frame.heading[m] as number
    if (!movePlace(columns, row, frame.lat[m] as number, frame.lng[m] as number)) continue
    columns.wayMs[row] = (frame.at[i] as number) - (columns.at[row] as number)
    columns.movedAt[row] = now
  }
  let strangers = 0
  for (let i = 0; i < frame.device.length; i++) {
    const row = rows.of(frame.device[i] as number)
    if (row < 0) {
      strangers++
      continue
    }
    if (frame.seq <= (columns.rowSeq[row] as number)) continue
    columns.rowSeq[row] = frame.seq
    columns.temperature[row] = frame.temperature[i] as number
    columns.humidity[row] = frame.humidity[i] as number
    const before = columns.state[row] as number
    const state = frame.state[i] as number
    columns.state[row] = state
    if (before !== state) changes.state(row, before, state)
    if (columns.at[row] === frame.at[i]) continue
    columns.at[row] = frame.at[i] as number
    changes.reading(row)
  }
  return strangers
}

/** Answers whether it is elsewhere now. */
function movePlace(columns: FleetColumns, row: number, lat: number, lng: number): boolean {
  if (columns.lat[row] === lat && columns.lng[row] === lng) return false
  const x = columns.x[row] as number
  const y = columns.y[row] as number
  putPlace(columns, row, lat, lng)
  // The first place there is: it was nowhere else before.
  const isFirst = Number.isNaN(x)
  columns.previousX[row] = isFirst ? (columns.x[row] as number) : x
  columns.previousY[row] = isFirst ? (columns.y[row] as number) : y
  return true
}

const VALUES = ['at', 'temperature', 'humidity', 'state', 'rowSeq'] as const
const PLACES = ['lat', 'lng', 'x', 'y', 'speed', 'heading', 'placeSeq'] as const
const MOTION = ['previousX', 'previousY', 'wayMs', 'movedAt'] as const

/**
 * The columns of a snapshot. Where `old` was sent later than the snapshot was made, by a frame that overtook it, the old
 * row stays; where a device is on its way on the map, it goes on from there. Neither where the snapshot is of another time.
 */
export function columnsOf(
  snapshot: FleetSnapshot,
  old: FleetColumns,
  oldRows: RowIndex,
  isOfAnotherTime: boolean,
): { columns: FleetColumns; rows: RowIndex } {
  const size = snapshot.device.length
  const columns = createColumns(size)
  const rows = createRowIndex()
  const { seq } = snapshot.head
  columns.size = size
  for (const name of [
    'device',
    'at',
    'group',
    'temperature',
    'humidity',
    'speed',
    'heading',
    'state',
    'kind',
  ] as const)
    columns[name].set(snapshot[name])
  columns.rowSeq.fill(seq)
  columns.placeSeq.fill(seq)
  for (let row = 0; row < size; row++) {
    const [lat, lng] = [snapshot.lat[row] as number, snapshot.lng[row] as number]
    const was = oldRows.of(columns.device[row] as number)
    // most are where they were: to reckon that anew takes longer than all else
    if (was >= 0 && old.lat[was] === lat && old.lng[was] === lng) {
      columns.lat[row] = lat
      columns.lng[row] = lng
      columns.x[row] = old.x[was] as number
      columns.y[row] = old.y[was] as number
    } else putPlace(columns, row, lat, lng)
  }
  columns.previousX.set(columns.x)
  columns.previousY.set(columns.y)
  for (let row = size - 1; row >= 0; row--) {
    const deviceNo = columns.device[row] as number
    rows.put(deviceNo, row)
    const was = oldRows.of(deviceNo)
    if (was < 0 || isOfAnotherTime) continue
    if ((old.rowSeq[was] as number) > seq)
      for (const name of VALUES) columns[name][row] = old[name][was] as number
    if ((old.placeSeq[was] as number) > seq)
      for (const name of PLACES) columns[name][row] = old[name][was] as number
    if (columns.x[row] === old.x[was] && columns.y[row] === old.y[was])
      for (const name of MOTION) columns[name][row] = old[name][was] as number
  }
  return { columns, rows }
}

/** A row for a device that was registered after the snapshot: never heard, nowhere. */
export function appendDevice(
  columns: FleetColumns,
  rows: RowIndex,
  device: { no: number; group: number; kind: number; blank: BlankRow },
): number {
  const row = appendRow(columns)
  rows.put(device.no, row)
  columns.device[row] = device.no
  columns.group[row] = device.group
  columns.kind[row] = device.kind
  for (const [name, value] of Object.entries(device.blank)) columns[name as keyof BlankRow][row] = value
  putPlace(columns, row, device.blank.lat, device.blank.lng)
  columns.rowSeq[row] = 0
  columns.placeSeq[row] = 0
  return row
}

/** Stored values of a device nobody has heard of. */
export type BlankRow = Record<
  'lat' | 'lng' | 'temperature' | 'humidity' | 'speed' | 'heading' | 'state',
  number
>
