/**
 * `application/vnd.frostline.fleet`: the whole visible fleet at one `seq`, as columns.
 *
 * Little-endian: u32 magic 'FRLF', u32 version (1), u32 devices, u32 bytes of the JSON head, u32 bytes of the text, u32 reserved,
 * then the columns in FLEET_COLUMNS order, each padded to 8; text offsets u32 [3 * devices + 1] (imei, name, plate number of each
 * device in turn); the text (UTF-8); the head (JSON, see `FleetHead`).
 * Columns come before text, so a map can be drawn before a single name is decoded.
 */
import { array, type Infer, nullable, object, string } from 'superstruct'
import { decodeJson } from './decode.ts'
import { Celsius, Count, EpochMs, HumidityThreshold, Id, Seq } from './scalars.ts'

/** Group as the map and list need it; `parentId` is null for the visitor's top group. */
export const FleetGroup = object({
  _id: Id,
  name: string(),
  parentId: nullable(Id),
  lowTemperatureThreshold: Celsius,
  highTemperatureThreshold: Celsius,
  lowHumidityThreshold: HumidityThreshold,
  highHumidityThreshold: HumidityThreshold,
})
export type FleetGroup = Infer<typeof FleetGroup>

export const FleetHead = object({ seq: Seq, now: EpochMs, devices: Count, groups: array(FleetGroup) })
export type FleetHead = Infer<typeof FleetHead>

const FLEET_COLUMNS = {
  at: Float64Array,
  device: Uint32Array,
  lat: Int32Array,
  lng: Int32Array,
  group: Uint16Array,
  temperature: Int16Array,
  humidity: Uint16Array,
  speed: Uint16Array,
  heading: Uint16Array,
  state: Uint8Array,
  kind: Uint8Array,
} as const
type ColumnName = keyof typeof FLEET_COLUMNS
const COLUMN_NAMES = Object.keys(FLEET_COLUMNS) as ColumnName[]

/**
 * Rows ascend by device number. `group`: index into `head.groups`. `kind`: 0 vehicle, 1 warehouse. `at` 0: never heard.
 * Units and missing values of the rest: READING_FIELDS; `state`: device-state.ts.
 */
export type FleetSnapshot = {
  head: FleetHead
  textOffsets: Uint32Array
  text: Uint8Array
} & { [C in ColumnName]: InstanceType<(typeof FLEET_COLUMNS)[C]> }

export const FLEET_CONTENT_TYPE = 'application/vnd.frostline.fleet'
const MAGIC = 0x464c5246
const HEADER = 24

/** The bytes of a fleet, its sizes and head written, and its columns and text upon them, to be filled in. */
export type FleetRoom = { bytes: Uint8Array<ArrayBuffer>; fleet: FleetSnapshot }

/** @param textBytes how long the text is going to be */
export function roomForFleet(head: FleetHead, textBytes: number): FleetRoom {
  const headText = new TextEncoder().encode(JSON.stringify(head))
  const n = head.devices
  let size = HEADER + padded((3 * n + 1) * Uint32Array.BYTES_PER_ELEMENT) + padded(textBytes)
  for (const name of COLUMN_NAMES) size += padded(n * FLEET_COLUMNS[name].BYTES_PER_ELEMENT)
  const bytes = new Uint8Array(size + padded(headText.length))
  bytes.set(headText, size)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, 1, true)
  view.setUint32(8, n, true)
  view.setUint32(12, headText.length, true)
  view.setUint32(16, textBytes, true)
  return { bytes, fleet: { ...partsOf(bytes.buffer, n, textBytes).parts, head } }
}

/** The bytes of a snapshot, as `decodeFleetSnapshot` reads them. */
export function encodeFleetSnapshot(fleet: FleetSnapshot): Uint8Array<ArrayBuffer> {
  const room = roomForFleet(fleet.head, fleet.text.length)
  for (const name of [...COLUMN_NAMES, 'textOffsets', 'text'] as const) room.fleet[name].set(fleet[name])
  return room.bytes
}

/** @throws RangeError or ContractError saying what does not fit */
export function decodeFleetSnapshot(buffer: ArrayBuffer): FleetSnapshot {
  if (buffer.byteLength < HEADER) throw new RangeError('fleet: too short for a header')
  const view = new DataView(buffer)
  if (view.getUint32(0, true) !== MAGIC) throw new RangeError('fleet: not a fleet')
  if (view.getUint32(4, true) !== 1)
    throw new RangeError(`fleet: version ${view.getUint32(4, true)} is not known`)
  const n = view.getUint32(8, true)
  const { parts, take } = partsOf(buffer, n, view.getUint32(16, true))
  const head = new TextDecoder().decode(take(Uint8Array, view.getUint32(12, true)))
  const fleet = { ...parts, head: decodeJson(head, FleetHead, 'fleet head') }
  checkConsistent(fleet, n)
  return fleet
}

type Taken<A> = { new (b: ArrayBuffer, o: number, n: number): A; BYTES_PER_ELEMENT: number }

/** Columns and text where they lie in these bytes; `take` goes on behind them. */
function partsOf(buffer: ArrayBuffer, n: number, textBytes: number) {
  let offset = HEADER
  const take = <A>(type: Taken<A>, count: number): A => {
    const size = count * type.BYTES_PER_ELEMENT
    if (offset + size > buffer.byteLength)
      throw new RangeError(`fleet: ${n} devices do not fit ${buffer.byteLength} bytes`)
    const part = new type(buffer, offset, count)
    offset += padded(size)
    return part
  }
  const columns: Record<string, unknown> = {}
  for (const name of COLUMN_NAMES) columns[name] = take<unknown>(FLEET_COLUMNS[name], n)
  const textOffsets = take(Uint32Array, 3 * n + 1)
  const text = take(Uint8Array, textBytes)
  return { parts: { ...columns, textOffsets, text } as Omit<FleetSnapshot, 'head'>, take }
}

/** Columns and head come from one place, but not always unharmed. */
function checkConsistent({ head, group, textOffsets, text }: FleetSnapshot, n: number): void {
  if (head.devices !== n) throw new RangeError(`fleet: ${n} devices, the head says ${head.devices}`)
  if (textOffsets[3 * n] !== text.length) throw new RangeError('fleet: the text does not end where it should')
  for (const index of group)
    if (index >= head.groups.length) throw new RangeError(`fleet: group ${index} of ${head.groups.length}`)
}

function padded(size: number): number {
  return (size + 7) & ~7
}
