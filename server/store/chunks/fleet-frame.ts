import { READING_FIELDS, type ReadingField } from '#machines/contracts/readings.ts'
import { emptyLatest, type Latest } from '#machines/projections/latest.ts'
import { BitReader, BitWriter } from './bits.ts'
import { DAY } from './chunk.ts'
import { readColumn, unzigzag, writeColumn, zigzag } from './column.ts'
import { readNumbers, writeNumbers } from './run-length-golomb-rice.ts'

/** What a frame holds of each device, beside when that was and its state. A field is appended as a new version. */
export const FRAME_FIELDS = [
  'lat',
  'lng',
  'speed',
  'heading',
  'temperature',
  'humidity',
  'temperature2',
  'door',
] as const satisfies ReadingField[]

const VERSION = 1
/** times as whole multiples of a unit, or as they are */
const STEPS = 0
const FLOATS = 1

const out = new BitWriter()
const float = new DataView(new ArrayBuffer(8))
/** of one column, in the order of the rows that are written */
let values = new Int32Array(4096)
let numbers = new Uint32Array(4096)

/**
 * The fleet as bytes: version, whether it is whole, devices, which rows are written, and of these each column. A frame that is
 * not whole has the rows that are other than `before`, as their distance from it; whole it takes some 14 bytes a device,
 * else some 8 a device that reported. Exact in every column.
 * @param before the frame that it stands upon; left out: it is whole
 */
export function encodeFrame(fleet: Latest, before?: Latest): Uint8Array<ArrayBuffer> {
  reserve(fleet.size)
  out.put(VERSION, 8)
  out.put(before === undefined ? 1 : 0, 8)
  out.putVarint(fleet.size)
  const base = before && withRoom(before, fleet.size)
  const rows = base === undefined ? allRows(fleet.size) : rowsOther(fleet, base)
  if (base !== undefined) writeRows(rows, fleet.size)
  writeTimes(fleet.readings.at, base?.readings.at, rows)
  writeDistances(fleet.state, base?.state, rows, undefined)
  for (const name of FRAME_FIELDS)
    writeDistances(fleet.readings[name], base?.readings[name], rows, READING_FIELDS[name].missing)
  return out.finish()
}

/**
 * What `encodeFrame` wrote: of a frame that is not whole upon what `before` is, in place.
 * @throws RangeError when the bytes are none of its
 */
export function decodeFrame(bytes: Uint8Array, before?: Latest): Latest {
  const from = new BitReader(bytes)
  const version = from.take(8)
  if (version !== VERSION) throw new RangeError(`frame: version ${version} is not known`)
  const isWhole = from.take(8) === 1
  const size = from.takeVarint()
  if (!isWhole && before === undefined) throw new RangeError('frame: the one it stands upon is missing')
  reserve(size)
  const fleet = isWhole || before === undefined ? emptyLatest(size) : withRoom(before, size)
  fleet.size = size
  fleet.readings.length = size
  const rows = isWhole ? allRows(size) : readRows(from, size)
  readTimes(from, fleet.readings.at, rows, isWhole)
  readDistances(from, fleet.state, rows, isWhole, undefined)
  for (const name of FRAME_FIELDS)
    readDistances(from, fleet.readings[name], rows, isWhole, READING_FIELDS[name].missing)
  return fleet
}

/** What a frame of it would hold, by itself. */
export const copyOfFleet = (fleet: Latest): Latest => copiedInto(emptyLatest(fleet.state.length), fleet)

const allRows = (size: number): Uint32Array => Uint32Array.from({ length: size }, (_, i) => i)

function rowsOther(fleet: Latest, before: Latest): Uint32Array {
  const rows = new Uint32Array(fleet.size)
  let count = 0
  for (let i = 0; i < fleet.size; i++) if (isOther(fleet, before, i)) rows[count++] = i
  return rows.subarray(0, count)
}

function isOther({ readings, state }: Latest, before: Latest, i: number): boolean {
  if (readings.at[i] !== before.readings.at[i] || state[i] !== before.state[i]) return true
  for (const name of FRAME_FIELDS) if (readings[name][i] !== before.readings[name][i]) return true
  return false
}

/** Of each device 0 where it is written, or not, as the one before it; the first: as if that was not. */
function writeRows(rows: Uint32Array, size: number): void {
  numbers.fill(0, 0, size)
  for (const row of rows) {
    numbers[row] = (numbers[row] as number) ^ 1
    if (row + 1 < size) numbers[row + 1] = (numbers[row + 1] as number) ^ 1
  }
  writeNumbers(out, numbers, size)
}

function readRows(from: BitReader, size: number): Uint32Array {
  readNumbers(from, numbers, size)
  const rows = new Uint32Array(size)
  let isHere = false
  let count = 0
  for (let i = 0; i < size; i++) {
    if (numbers[i] !== 0) isHere = !isHere
    if (isHere) rows[count++] = i
  }
  return rows.subarray(0, count)
}

type Column = { readonly [row: number]: number }

/** Whole: a column of its own. Else how far each value is from the one before, which wraps at 32 bits. */
function writeDistances(
  column: Column,
  before: Column | undefined,
  rows: Uint32Array,
  missing: number | undefined,
): void {
  if (before === undefined) {
    for (let i = 0; i < rows.length; i++) values[i] = column[rows[i] as number] as number
    writeColumn(out, values, rows.length, missing)
    return
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    numbers[i] = zigzag((column[row] as number) - (before[row] as number))
  }
  writeNumbers(out, numbers, rows.length)
}

function readDistances(
  from: BitReader,
  column: { [row: number]: number },
  rows: Uint32Array,
  isWhole: boolean,
  missing: number | undefined,
): void {
  if (isWhole) {
    readColumn(from, values, rows.length, missing)
    for (let i = 0; i < rows.length; i++) column[rows[i] as number] = values[i] as number
    return
  }
  readNumbers(from, numbers, rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    column[row] = ((column[row] as number) + unzigzag(numbers[i] as number)) | 0
  }
}

/** Days and ms of the day, the latter as multiples of what all are multiples of; as they are where one is no whole number. */
function writeTimes(at: Float64Array, before: Float64Array | undefined, rows: Uint32Array): void {
  if (rows.some((row) => !Number.isInteger(at[row]) || !Number.isInteger(before?.[row] ?? 0))) {
    out.put(FLOATS, 8)
    for (const row of rows) {
      float.setFloat64(0, at[row] as number)
      out.put32(float.getUint32(0))
      out.put32(float.getUint32(4))
    }
    return
  }
  let unit = 0
  for (const row of rows) if (unit !== 1) unit = commonUnit(unit, msFrom(at, before, row))
  unit = Math.max(unit, 1)
  out.put(STEPS, 8)
  out.putVarint(unit)
  writeSteps(rows, before === undefined, (row) => dayOf(at[row]) - dayOf(before?.[row]))
  writeSteps(rows, before === undefined, (row) => msFrom(at, before, row) / unit)
}

function readTimes(from: BitReader, at: Float64Array, rows: Uint32Array, isWhole: boolean): void {
  if (from.take(8) === FLOATS) {
    for (const row of rows) {
      float.setUint32(0, from.take32())
      float.setUint32(4, from.take32())
      at[row] = float.getFloat64(0)
    }
    return
  }
  const unit = from.takeVarint()
  readSteps(from, rows, isWhole, (row, days) => {
    at[row] = (at[row] as number) + days * DAY
  })
  readSteps(from, rows, isWhole, (row, steps) => {
    at[row] = (at[row] as number) + steps * unit
  })
}

const dayOf = (at = 0): number => Math.floor(at / DAY)

const msFrom = (at: Float64Array, before: Float64Array | undefined, row: number): number =>
  ((at[row] as number) % DAY) - ((before?.[row] ?? 0) % DAY)

function commonUnit(one: number, other: number): number {
  let [unit, rest] = [one, Math.abs(other)]
  while (rest !== 0) [unit, rest] = [rest, unit % rest]
  return unit
}

function writeSteps(rows: Uint32Array, isWhole: boolean, stepOf: (row: number) => number): void {
  for (let i = 0; i < rows.length; i++) {
    values[i] = stepOf(rows[i] as number)
    numbers[i] = zigzag(values[i] as number)
  }
  if (isWhole) writeColumn(out, values, rows.length, undefined)
  else writeNumbers(out, numbers, rows.length)
}

function readSteps(
  from: BitReader,
  rows: Uint32Array,
  isWhole: boolean,
  take: (row: number, step: number) => void,
): void {
  if (isWhole) readColumn(from, values, rows.length, undefined)
  else readNumbers(from, numbers, rows.length)
  for (let i = 0; i < rows.length; i++)
    take(rows[i] as number, isWhole ? (values[i] as number) : unzigzag(numbers[i] as number))
}

/** The same with rows for more devices, in place where there is room. */
const withRoom = (fleet: Latest, size: number): Latest =>
  size <= fleet.state.length ? fleet : copiedInto(emptyLatest(Math.max(size, 2 * fleet.state.length)), fleet)

function copiedInto(copy: Latest, { state, readings, size }: Latest): Latest {
  copy.state.set(state)
  copy.readings.at.set(readings.at)
  for (const name of FRAME_FIELDS) copy.readings[name].set(readings[name])
  copy.size = size
  copy.readings.length = size
  return copy
}

function reserve(count: number): void {
  if (count <= values.length) return
  values = new Int32Array(count * 2)
  numbers = new Uint32Array(count * 2)
}
