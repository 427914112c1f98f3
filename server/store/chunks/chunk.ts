import {
  createReadings,
  fieldsOfVersion,
  LATE_UNKNOWN,
  READING_FIELD_NAMES,
  READING_FIELDS,
  READINGS_VERSION,
  type ReadingColumns,
  type ReadingField,
} from '#machines/contracts/readings.ts'
import { BitReader, BitWriter } from './bits.ts'
import { readColumn, writeColumn } from './column.ts'

/** Milliseconds of a UTC day. */
export const DAY = 86_400_000

/** From this version on a chunk says when its readings were received. */
const SAYS_LATE = 2
/** times as whole multiples of a unit after the first, or as they are */
const STEPS = 0
const FLOATS = 1

const out = new BitWriter()
const float = new DataView(new ArrayBuffer(8))
let steps = new Int32Array(4096)

/**
 * Some readings of one device and one UTC day, ascending by `at`, as bytes: version, count, times, how late each was
 * received (not in version 1), then the version's fields in their order. Exact in every column; 5 to 6 bytes a reading for an hour at one reading per 10 s.
 */
export function encodeChunk(readings: ReadingColumns): Uint8Array<ArrayBuffer> {
  const { length, at } = readings
  out.put(READINGS_VERSION, 8)
  out.putVarint(length)
  if (length === 0) return out.finish()
  writeTimes(at, length)
  writeColumn(out, readings.lateBy, length, LATE_UNKNOWN)
  for (const name of READING_FIELD_NAMES)
    writeColumn(out, readings[name] as Int32Array, length, READING_FIELDS[name].missing)
  return out.finish()
}

/** The readings behind `encodeChunk`. @throws RangeError when the bytes are none of its */
export function decodeChunk(bytes: Uint8Array, device: number, day: number): ReadingColumns {
  const from = new BitReader(bytes)
  const { version, fields, count } = readHead(from)
  const readings = createReadings(count)
  readings.length = count
  if (count === 0) return readings
  readings.device.fill(device)
  readTimes(from, readings.at, day)
  if (version >= SAYS_LATE) readColumn(from, readings.lateBy, count, LATE_UNKNOWN)
  for (const name of fields)
    readColumn(from, readings[name] as Int32Array, count, READING_FIELDS[name].missing)
  return readings
}

/** How many readings a chunk says it has. @throws RangeError when the bytes are none of its */
export const countIn = (bytes: Uint8Array): number => readHead(new BitReader(bytes)).count

/** Only the times of a chunk, ascending. */
export function decodeTimes(bytes: Uint8Array, day: number): Float64Array {
  const from = new BitReader(bytes)
  const at = new Float64Array(readHead(from).count)
  if (at.length > 0) readTimes(from, at, day)
  return at
}

function readHead(from: BitReader): { version: number; fields: readonly ReadingField[]; count: number } {
  const version = from.take(8)
  const fields = fieldsOfVersion(version)
  if (fields === undefined) throw new RangeError(`chunk: version ${version} is not known`)
  return { version, fields, count: from.takeVarint() }
}

function writeTimes(at: Float64Array, count: number): void {
  const first = at[0] as number
  const unit = commonUnit(at, count)
  if (unit === 0) {
    out.put(FLOATS, 1)
    for (let i = 0; i < count; i++) {
      float.setFloat64(0, at[i] as number)
      out.put32(float.getUint32(0))
      out.put32(float.getUint32(4))
    }
    return
  }
  reserve(count)
  for (let i = 0; i < count; i++) steps[i] = ((at[i] as number) - first) / unit
  out.put(STEPS, 1)
  out.putVarint(first % DAY)
  out.putVarint(unit)
  writeColumn(out, steps, count, undefined)
}

function readTimes(from: BitReader, at: Float64Array, day: number): void {
  const count = at.length
  if (from.take(1) === FLOATS) {
    for (let i = 0; i < count; i++) {
      float.setUint32(0, from.take32())
      float.setUint32(4, from.take32())
      at[i] = float.getFloat64(0)
    }
    return
  }
  const first = day * DAY + from.takeVarint()
  const unit = from.takeVarint()
  reserve(count)
  readColumn(from, steps, count, undefined)
  for (let i = 0; i < count; i++) at[i] = first + (steps[i] as number) * unit
}

function reserve(count: number): void {
  if (steps.length < count) steps = new Int32Array(count * 2)
}

/** The largest number of ms all distances are multiples of; 1 for a single time, 0 when a time is not whole. */
function commonUnit(at: Float64Array, count: number): number {
  let unit = 0
  for (let i = 0; i < count; i++) {
    if (!Number.isInteger(at[i])) return 0
    if (i === 0 || unit === 1) continue
    let rest = (at[i] as number) - (at[i - 1] as number)
    while (rest !== 0) [unit, rest] = [rest, unit % rest]
  }
  return Math.max(unit, 1)
}
