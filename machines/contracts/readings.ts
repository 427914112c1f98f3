/**
 * Readings travel as columns, never as objects: one typed array a field, scaled to whole numbers, so that the
 * same bytes serve the wire, the store and the screen. A missing value is the field's `missing`.
 */
type Field = {
  /** stored = round(value * scale) */
  scale: number
  /** stored value that means "not measured" */
  missing: number
  /** bounds of a possible value, in `unit`; outside is refused */
  min: number
  max: number
  unit: string
}

export const READING_FIELDS = {
  lat: { scale: 1e6, missing: -0x80000000, min: -90, max: 90, unit: '°' },
  lng: { scale: 1e6, missing: -0x80000000, min: -180, max: 180, unit: '°' },
  speed: { scale: 10, missing: 0xffff, min: 0, max: 400, unit: 'km/h' },
  heading: { scale: 1, missing: 0xffff, min: 0, max: 360, unit: '°' },
  temperature: { scale: 100, missing: -0x8000, min: -200, max: 300, unit: '°C' },
  temperature2: { scale: 100, missing: -0x8000, min: -200, max: 300, unit: '°C' },
  humidity: { scale: 100, missing: 0xffff, min: 0, max: 100, unit: '%' },
  gsmSignal: { scale: 1, missing: 0xff, min: 0, max: 5, unit: 'bars' },
  gnssStatus: { scale: 1, missing: 0xff, min: 0, max: 4, unit: '' },
  externalVoltage: { scale: 1000, missing: 0xffff, min: 0, max: 65.5, unit: 'V' },
  batteryVoltage: { scale: 1000, missing: 0xffff, min: 0, max: 65.5, unit: 'V' },
  ignition: { scale: 1, missing: 0xff, min: 0, max: 1, unit: '' },
  unplug: { scale: 1, missing: 0xff, min: 0, max: 1, unit: '' },
  /** of the cargo: 1 open, 0 closed */
  door: { scale: 1, missing: 0xff, min: 0, max: 1, unit: '' },
} as const satisfies Record<string, Field>

export type ReadingField = keyof typeof READING_FIELDS

const ARRAYS = {
  lat: Int32Array,
  lng: Int32Array,
  speed: Uint16Array,
  heading: Uint16Array,
  temperature: Int16Array,
  temperature2: Int16Array,
  humidity: Uint16Array,
  gsmSignal: Uint8Array,
  gnssStatus: Uint8Array,
  externalVoltage: Uint16Array,
  batteryVoltage: Uint16Array,
  ignition: Uint8Array,
  unplug: Uint8Array,
  door: Uint8Array,
} as const satisfies Record<ReadingField, unknown>

/** In the order they are written to bytes. A field is appended at the end, as a new version of batches and chunks. */
export const READING_FIELD_NAMES = Object.keys(READING_FIELDS) as ReadingField[]

/** How many fields, from the first, are in the bytes of each version of batches and chunks. */
const FIELDS_BY_VERSION: { [version: number]: number } = { 1: 13, 2: 14 }

/** The version that batches and chunks are written in. */
export const READINGS_VERSION = 2

/** The fields in the bytes of a version, in their order; undefined for a version that is not known. */
export function fieldsOfVersion(version: number): readonly ReadingField[] | undefined {
  const count = FIELDS_BY_VERSION[version]
  return count === undefined ? undefined : READING_FIELD_NAMES.slice(0, count)
}

/**
 * `length` readings; every array is at least that long.
 * `device`: device number (`no`), a gapless ordinal given at registration. `at`: the device's clock, epoch ms.
 * `lateBy`: s between `at` and when the reading was received, see `lateByOf`; LATE_UNKNOWN where that is not known.
 */
export type ReadingColumns = {
  length: number
  device: Uint32Array
  at: Float64Array
  lateBy: Int32Array
} & {
  [F in ReadingField]: InstanceType<(typeof ARRAYS)[F]>
}

/** Stored where it is not known when a reading was received: it is older than this being kept, or came in no batch. */
export const LATE_UNKNOWN = -0x80000000

/** Columns as they lie in memory, widest first, so that each begins at a multiple of its width. */
const LAYOUT = [
  { name: 'at', array: Float64Array, missing: 0 },
  { name: 'device', array: Uint32Array, missing: 0 },
  { name: 'lateBy', array: Int32Array, missing: LATE_UNKNOWN },
  ...READING_FIELD_NAMES.map((name) => ({ name, array: ARRAYS[name], ...READING_FIELDS[name] })),
].sort((a, b) => b.array.BYTES_PER_ELEMENT - a.array.BYTES_PER_ELEMENT)

const BYTES_OF_A_ROW = LAYOUT.reduce((sum, { array }) => sum + array.BYTES_PER_ELEMENT, 0)

/** All the columns of readings. */
export const READING_COLUMN_NAMES = ['device', 'at', 'lateBy', ...READING_FIELD_NAMES] as const

/** A reading received so long after its time, ms, is on time. */
export const ON_TIME = 120_000

/**
 * How late a reading is that is received at `receivedAt`, in whole seconds: more than 120 where it is late, 0 where it is on
 * time, negative where its time is ahead of that.
 */
export function lateByOf(at: number, receivedAt: number): number {
  const late = receivedAt - at
  return late >= 0 && late <= ON_TIME ? 0 : late < 0 ? Math.floor(late / 1000) : Math.ceil(late / 1000)
}

/** Notes in the rows that they were received at `receivedAt`, epoch ms. */
export function noteReceived({ at, lateBy, length }: ReadingColumns, receivedAt: number): void {
  for (let i = 0; i < length; i++) lateBy[i] = lateByOf(at[i] as number, receivedAt)
}

/** One reading in the field's own units (see READING_FIELDS); what is not there was not measured. */
export type Reading = { device: number; at: number } & { [F in ReadingField]?: number | undefined }

/** Empty columns with room for `capacity` readings, in one piece of memory: a piece each would take several times as long. */
export function createReadings(capacity: number): ReadingColumns {
  const memory = new ArrayBuffer(capacity * BYTES_OF_A_ROW)
  let offset = 0
  const columns: Partial<Record<string, unknown>> = { length: 0 }
  for (const { name, array, missing } of LAYOUT) {
    const column = new array(memory, offset, capacity)
    offset += column.byteLength
    if (missing !== 0) column.fill(missing)
    columns[name] = column
  }
  return columns as ReadingColumns
}

/** Gives columns that an earlier release saved those that are new since, with nothing known in them. */
export function withAllColumns(columns: ReadingColumns): ReadingColumns {
  return { ...createReadings(columns.at.length), ...columns }
}

/** Appends one reading given in units. @throws RangeError when the columns are full */
export function pushReading(columns: ReadingColumns, reading: Reading): void {
  const i = columns.length
  if (i >= columns.device.length) throw new RangeError('reading columns are full')
  columns.device[i] = reading.device
  columns.at[i] = reading.at
  columns.lateBy[i] = LATE_UNKNOWN
  for (const name of READING_FIELD_NAMES) columns[name][i] = toStored(name, reading[name])
  columns.length = i + 1
}

/** Copies row `i` of `from` to the end of `to`. @throws RangeError when `to` is full */
export function copyReading(to: ReadingColumns, from: ReadingColumns, i: number): void {
  const n = to.length
  if (n >= to.device.length) throw new RangeError('reading columns are full')
  for (const name of READING_COLUMN_NAMES) to[name][n] = from[name][i] as number
  to.length = n + 1
}

/** Row `i` in units; missing fields are left out. */
export function readingAt(columns: ReadingColumns, i: number): Reading {
  const reading: Reading = { device: columns.device[i] as number, at: columns.at[i] as number }
  for (const name of READING_FIELD_NAMES) {
    const value = toUnits(name, columns[name][i] as number)
    if (value !== undefined) reading[name] = value
  }
  return reading
}

/** A new set of columns with rows `from` (included) to `to` (not). */
export function sliceReadings(columns: ReadingColumns, from: number, to: number): ReadingColumns {
  const part = { length: to - from } as ReadingColumns
  for (const name of READING_COLUMN_NAMES)
    (part as Record<string, unknown>)[name] = columns[name].slice(from, to)
  return part
}

/** A value in units as it is stored; undefined and NaN become the field's `missing`. */
export function toStored(field: ReadingField, value: number | undefined): number {
  const { scale, missing } = READING_FIELDS[field]
  return value === undefined || Number.isNaN(value) ? missing : Math.round(value * scale)
}

/** A stored value in units; undefined where it was not measured. */
export function toUnits(field: ReadingField, stored: number): number | undefined {
  const { scale, missing } = READING_FIELDS[field]
  return stored === missing ? undefined : stored / scale
}

const FIXED_BYTES = 16

/**
 * Bytes of a batch, little-endian: u32 version (2), u32 count, 8 bytes reserved, then `at` (f64), `device` (u32) and the
 * version's fields in their order, each padded to 8 bytes. When they were received is said of the batch as a whole.
 */
export function encodeReadings(columns: ReadingColumns): Uint8Array {
  const n = columns.length
  const arrays = orderedArrays(columns)
  let size = FIXED_BYTES
  for (const a of arrays) size += padded(n * a.BYTES_PER_ELEMENT)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, READINGS_VERSION, true)
  view.setUint32(4, n, true)
  let offset = FIXED_BYTES
  for (const a of arrays) {
    bytes.set(new Uint8Array(a.buffer, a.byteOffset, n * a.BYTES_PER_ELEMENT), offset)
    offset += padded(n * a.BYTES_PER_ELEMENT)
  }
  return bytes
}

/** The batch behind `encodeReadings`. @throws RangeError when version or length do not fit */
export function decodeReadings(bytes: Uint8Array): ReadingColumns {
  if (bytes.byteLength < FIXED_BYTES) throw new RangeError('readings: too short for a header')
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength)
  const version = view.getUint32(0, true)
  const fields = fieldsOfVersion(version)
  if (fields === undefined) throw new RangeError(`readings: version ${version} is not known`)
  const n = view.getUint32(4, true)
  let offset = FIXED_BYTES
  const take = <A>(array: {
    new (b: ArrayBufferLike, o: number, n: number): A
    BYTES_PER_ELEMENT: number
  }): A => {
    const size = padded(n * array.BYTES_PER_ELEMENT)
    if (offset + size > whole.byteLength)
      throw new RangeError(`readings: ${n} rows do not fit ${whole.byteLength} bytes`)
    const part = new array(whole.buffer, whole.byteOffset + offset, n)
    offset += size
    return part
  }
  const columns = { length: n, at: take(Float64Array), device: take(Uint32Array) } as ReadingColumns
  for (const name of fields) (columns as Record<string, unknown>)[name] = take<unknown>(ARRAYS[name])
  columns.lateBy = new Int32Array(n).fill(LATE_UNKNOWN)
  for (const name of READING_FIELD_NAMES.slice(fields.length))
    (columns as Record<string, unknown>)[name] = new ARRAYS[name](n).fill(READING_FIELDS[name].missing)
  if (offset !== whole.byteLength)
    throw new RangeError(`readings: ${whole.byteLength - offset} bytes too many`)
  return columns
}

function orderedArrays(columns: ReadingColumns) {
  return [columns.at, columns.device, ...READING_FIELD_NAMES.map((name) => columns[name])]
}

function padded(size: number): number {
  return (size + 7) & ~7
}
