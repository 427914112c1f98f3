/**
 * The binary frames of `/live`: the devices whose newest reading or state changed since `prevSeq`, in a visitor's scope.
 *
 * Little-endian. Header of 48 bytes: u8 kind (1), u8 version (1), u16 flags (bit 0: a whole answer to a resume),
 * u32 rows, u32 moved, u32 bytes of the device column, u32 bytes of the time column, u32 reserved,
 * f64 prevSeq, f64 seq, f64 baseAt (epoch ms).
 * Then: device numbers, ascending, as varint differences; `at` as zigzag varint of (at - baseAt) in ms, padding to 2;
 * temperature i16; humidity u16; state u8; one bit a row, lowest first, set where the row moved, padding to 4; and for
 * the `moved` rows: lat i32, lng i32, speed u16, heading u16.
 */
export const LIVE_KIND = 1
export const LIVE_VERSION = 1
const HEADER = 48

/**
 * Rows ascend by device; `movedRow` holds the rows, ascending, whose position, speed or heading came with this frame
 * (units of READING_FIELDS), and `lat` … `heading` are as long as it.
 */
export type LiveFrame = {
  prevSeq: number
  seq: number
  resumed: boolean
  baseAt: number
  device: Uint32Array
  at: Float64Array
  temperature: Int16Array
  humidity: Uint16Array
  state: Uint8Array
  movedRow: Uint32Array
  lat: Int32Array
  lng: Int32Array
  speed: Uint16Array
  heading: Uint16Array
}

/** @throws RangeError when rows do not ascend by device, or moved rows do not ascend within them */
export function encodeLiveFrame(frame: LiveFrame): Uint8Array {
  const n = frame.device.length
  const moved = frame.movedRow.length
  const devices = new VarintWriter(n * 2 + 8)
  let previous = -1
  for (let i = 0; i < n; i++) {
    const device = frame.device[i] as number
    if (device <= previous) throw new RangeError(`live frame: device ${device} after ${previous}`)
    devices.write(device - previous - 1)
    previous = device
  }
  const times = new VarintWriter(n * 3 + 8)
  for (let i = 0; i < n; i++) times.write(zigzag(Math.round((frame.at[i] as number) - frame.baseAt)))

  const temperatureAt = align(HEADER + devices.length + times.length, 2)
  const bitsAt = temperatureAt + n * 5
  const movedAt = align(bitsAt + Math.ceil(n / 8), 4)
  const bytes = new Uint8Array(movedAt + moved * 12)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, LIVE_KIND)
  view.setUint8(1, LIVE_VERSION)
  view.setUint16(2, frame.resumed ? 1 : 0, true)
  view.setUint32(4, n, true)
  view.setUint32(8, moved, true)
  view.setUint32(12, devices.length, true)
  view.setUint32(16, times.length, true)
  view.setFloat64(24, frame.prevSeq, true)
  view.setFloat64(32, frame.seq, true)
  view.setFloat64(40, frame.baseAt, true)
  bytes.set(devices.bytes(), HEADER)
  bytes.set(times.bytes(), HEADER + devices.length)
  put(bytes, temperatureAt, frame.temperature)
  put(bytes, temperatureAt + n * 2, frame.humidity)
  put(bytes, temperatureAt + n * 4, frame.state)
  let last = -1
  for (let i = 0; i < moved; i++) {
    const row = frame.movedRow[i] as number
    if (row <= last || row >= n) throw new RangeError(`live frame: moved row ${row} after ${last} of ${n}`)
    bytes[bitsAt + (row >> 3)] = (bytes[bitsAt + (row >> 3)] as number) | (1 << (row & 7))
    last = row
  }
  put(bytes, movedAt, frame.lat)
  put(bytes, movedAt + moved * 4, frame.lng)
  put(bytes, movedAt + moved * 8, frame.speed)
  put(bytes, movedAt + moved * 10, frame.heading)
  return bytes
}

/** @throws RangeError saying what does not fit; never reads outside the buffer */
export function decodeLiveFrame(buffer: ArrayBuffer): LiveFrame {
  if (buffer.byteLength < HEADER) throw new RangeError('live frame: too short for a header')
  const view = new DataView(buffer)
  if (view.getUint8(0) !== LIVE_KIND)
    throw new RangeError(`live frame: kind ${view.getUint8(0)} is not known`)
  if (view.getUint8(1) !== LIVE_VERSION)
    throw new RangeError(`live frame: version ${view.getUint8(1)} is not known`)
  const n = view.getUint32(4, true)
  const moved = view.getUint32(8, true)
  const deviceBytes = view.getUint32(12, true)
  const timeBytes = view.getUint32(16, true)
  const temperatureAt = align(HEADER + deviceBytes + timeBytes, 2)
  const bitsAt = temperatureAt + n * 5
  const movedAt = align(bitsAt + Math.ceil(n / 8), 4)
  if (moved > n || movedAt + moved * 12 !== buffer.byteLength)
    throw new RangeError(`live frame: ${n} rows, ${moved} moved do not fit ${buffer.byteLength} bytes`)
  const baseAt = view.getFloat64(40, true)

  const device = new Uint32Array(n)
  const devices = new VarintReader(new Uint8Array(buffer, HEADER, deviceBytes))
  let previous = -1
  for (let i = 0; i < n; i++) {
    previous += devices.read() + 1
    device[i] = previous
  }
  const at = new Float64Array(n)
  const times = new VarintReader(new Uint8Array(buffer, HEADER + deviceBytes, timeBytes))
  for (let i = 0; i < n; i++) at[i] = baseAt + unzigzag(times.read())

  const movedRow = new Uint32Array(moved)
  const bits = new Uint8Array(buffer, bitsAt, Math.ceil(n / 8))
  let found = 0
  for (let row = 0; row < n; row++)
    if (((bits[row >> 3] as number) & (1 << (row & 7))) !== 0) movedRow[found++] = row
  if (found !== moved) throw new RangeError(`live frame: ${found} rows are marked as moved, not ${moved}`)
  return {
    prevSeq: view.getFloat64(24, true),
    seq: view.getFloat64(32, true),
    resumed: (view.getUint16(2, true) & 1) === 1,
    baseAt,
    device,
    at,
    temperature: new Int16Array(buffer, temperatureAt, n),
    humidity: new Uint16Array(buffer, temperatureAt + n * 2, n),
    state: new Uint8Array(buffer, temperatureAt + n * 4, n),
    movedRow,
    lat: new Int32Array(buffer, movedAt, moved),
    lng: new Int32Array(buffer, movedAt + moved * 4, moved),
    speed: new Uint16Array(buffer, movedAt + moved * 8, moved),
    heading: new Uint16Array(buffer, movedAt + moved * 10, moved),
  }
}

const align = (offset: number, to: number): number => Math.ceil(offset / to) * to
/** Signed to unsigned without 32-bit arithmetic: offsets in time may exceed 2^31 ms. */
const zigzag = (v: number): number => (v < 0 ? -v * 2 - 1 : v * 2)
const unzigzag = (v: number): number => (v % 2 === 0 ? v / 2 : -(v + 1) / 2)

function put(
  bytes: Uint8Array,
  offset: number,
  array: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number },
): void {
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset)
}

class VarintWriter {
  #bytes: Uint8Array
  length = 0
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity)
  }
  write(value: number): void {
    if (this.length + 10 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.length++] = rest
  }
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

class VarintReader {
  #bytes: Uint8Array
  #offset = 0
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  read(): number {
    let value = 0
    let factor = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.#bytes[this.#offset++]
      if (byte === undefined) throw new RangeError('live frame: a number runs past its column')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
    throw new RangeError('live frame: a number is too long')
  }
}
