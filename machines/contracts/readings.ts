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
} as const satisfies Record<ReadingField, unknown>

/** In the order they are written to bytes. Appending a field is a new frame version. */
export const READING_FIELD_NAMES = Object.keys(READING_FIELDS) as ReadingField[]

/**
 * `length` readings; every array is at least that long.
 * `device`: device number (`no`), a gapless ordinal given at registration. `at`: the device's clock, epoch ms.
 */
export type ReadingColumns = { length: number; device: Uint32Array; at: Float64Array } & {
  [F in ReadingField]: InstanceType<(typeof ARRAYS)[F]>
}

/** One reading in the field's own units (see READING_FIELDS); what is not there was not measured. */
export type Reading = { device: number; at: number } & { [F in ReadingField]?: number | undefined }

/** Empty columns with room for `capacity` readings. */
export function createReadings(capacity: number): ReadingColumns {
  const columns = {
    length: 0,
    device: new Uint32Array(capacity),
    at: new Float64Array(capacity),
  } as ReadingColumns
  for (const name of READING_FIELD_NAMES) {
    const array = new ARRAYS[name](capacity)
    array.fill(READING_FIELDS[name].missing)
    ;(columns as Record<string, unknown>)[name] = array
  }
  return columns
}

/** Appends one reading given in units. @throws RangeError when the columns are full */
export function pushReading(columns: ReadingColumns, reading: Reading): void {
  const i = columns.length
  if (i >= columns.device.length) throw new RangeError('reading columns are full')
  columns.device[i] = reading.device
  columns.at[i] = reading.at
  for (const name of READING_FIELD_NAMES) columns[name][i] = toStored(name, reading[name])
  columns.length = i + 1
}

/** Copies row `i` of `from` to the end of `to`. @throws RangeError when `to` is full */
export function copyReading(to: ReadingColumns, from: ReadingColumns, i: number): void {
  const n = to.length
  if (n >= to.device.length) throw new RangeError('reading columns are full')
  to.device[n] = from.device[i] as number
  to.at[n] = from.at[i] as number
  for (const name of READING_FIELD_NAMES) to[name][n] = from[name][i] as number
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
  const part = {
    length: to - from,
    device: columns.device.slice(from, to),
    at: columns.at.slice(from, to),
  } as ReadingColumns
  for (const name of READING_FIELD_NAMES)
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
 * Bytes of a batch, little-endian: u32 version (1), u32 count, 8 bytes reserved, then `at` (f64), `device` (u32) and the
 * fields in READING_FIELD_NAMES order, each padded to 8 bytes.
 */
export function encodeReadings(columns: ReadingColumns): Uint8Array {
  const n = columns.length
  const arrays = orderedArrays(columns)
  let size = FIXED_BYTES
  for (const a of arrays) size += padded(n * a.BYTES_PER_ELEMENT)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 1, true)
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
  if (version !== 1) throw new RangeError(`readings: version ${version} is not known`)
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
  for (const name of READING_FIELD_NAMES)
    (columns as Record<string, unknown>)[name] = take<unknown>(ARRAYS[name])
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
