import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'

const TEXTS = 3
const COLUMNS = [
  'at',
  'device',
  'lat',
  'lng',
  'group',
  'temperature',
  'humidity',
  'speed',
  'heading',
  'state',
  'kind',
] as const
/** What two views of a device may disagree on. */
const COMPARED = ['at', 'state', 'lat', 'lng', 'temperature', 'humidity'] as const

/** The devices of a fleet of which another view of the same time says something else, or nothing. */
export function differingFrom(fleet: FleetSnapshot, other: FleetSnapshot): FleetSnapshot {
  const rowOf = new Map(Array.from(other.device, (no, row) => [no, row]))
  const rows: number[] = []
  for (let row = 0; row < fleet.head.devices; row++) {
    const there = rowOf.get(fleet.device[row] as number)
    if (there === undefined || COMPARED.some((name) => fleet[name][row] !== other[name][there]))
      rows.push(row)
  }
  return withRows(fleet, rows)
}

/** A fleet with only these rows, which ascend. */
function withRows(fleet: FleetSnapshot, rows: readonly number[]): FleetSnapshot {
  const next = { ...fleet, head: { ...fleet.head, devices: rows.length } }
  for (const name of COLUMNS) {
    const column = fleet[name].slice(0, rows.length)
    for (const [i, row] of rows.entries()) column[i] = fleet[name][row] as number
    Object.assign(next, { [name]: column })
  }
  const offsets = fleet.textOffsets
  const parts = rows.map((row) => fleet.text.subarray(offsets[row * TEXTS], offsets[row * TEXTS + TEXTS]))
  const text = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  const textOffsets = new Uint32Array(rows.length * TEXTS + 1)
  let end = 0
  for (const [i, row] of rows.entries()) {
    const begin = offsets[row * TEXTS] as number
    for (let one = 0; one < TEXTS; one++)
      textOffsets[i * TEXTS + one] = end + (offsets[row * TEXTS + one] as number) - begin
    text.set(parts[i] as Uint8Array, end)
    end += (parts[i] as Uint8Array).length
  }
  textOffsets[rows.length * TEXTS] = end
  return { ...next, text, textOffsets }
}
