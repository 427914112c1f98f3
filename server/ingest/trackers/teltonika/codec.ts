import { FrameError } from '../protocol.ts'

/**
 * Teltonika AVL data over TCP, codec 8 (0x08) and 8 extended (0x8E). Everything is big-endian.
 * Source: the manufacturer's "Teltonika Data Sending Protocols".
 *
 * A frame: u32 zero, u32 length of the data, the data, u32 CRC-16/IBM of the data.
 * The data: u8 codec, u8 records, the records, u8 records again.
 */
const FRAME_HEADER = 8
const FRAME_TRAILER = 4
/** Far beyond the 1,280 bytes the devices send; what claims more is no frame. */
const MAX_DATA = 16_384
const MIN_DATA = 3

const CODEC_8 = 0x08
const CODEC_8_EXTENDED = 0x8e

/** A value as sent, 1, 2, 4 or 8 bytes wide, or any number of them (8 extended). */
export type AvlElement = { id: number; bytes: Uint8Array }

export type AvlRecord = {
  /** the device's clock, epoch ms */
  at: number
  priority: number
  /** degrees */
  lng: number
  lat: number
  /** m */
  altitude: number
  /** degrees from north */
  angle: number
  satellites: number
  /** km/h */
  speed: number
  /** the element that caused the record, 0 for none */
  event: number
  elements: AvlElement[]
}

/**
 * Length of the frame that begins here; undefined while its header is not whole.
 * @throws FrameError `preamble` or `length`
 */
export function frameLength(bytes: Uint8Array): number | undefined {
  for (let i = 0; i < Math.min(4, bytes.length); i++)
    if (bytes[i] !== 0) throw new FrameError('preamble', `byte ${i} is ${bytes[i]}, not 0`)
  if (bytes.length < FRAME_HEADER) return undefined
  const length = viewOf(bytes).getUint32(4)
  if (length < MIN_DATA || length > MAX_DATA) throw new FrameError('length', `${length} bytes of data`)
  return FRAME_HEADER + length + FRAME_TRAILER
}

/**
 * The records of one whole frame, in the order sent.
 * @throws FrameError, and nothing else whatever the bytes
 */
export function decodeFrame(frame: Uint8Array): AvlRecord[] {
  if (frameLength(frame) !== frame.length)
    throw new FrameError('length', `${frame.length} bytes are not the frame they say`)
  const data = frame.subarray(FRAME_HEADER, frame.length - FRAME_TRAILER)
  const sent = viewOf(frame).getUint32(frame.length - FRAME_TRAILER)
  const summed = crc16(data)
  if (sent !== summed) throw new FrameError('checksum', `sent ${hex(sent)}, summed ${hex(summed)}`)
  const codec = data[0] as number
  if (codec !== CODEC_8 && codec !== CODEC_8_EXTENDED) throw new FrameError('codec', hex(codec))
  const count = data[1] as number
  if (data.at(-1) !== count)
    throw new FrameError('record count', `${count} before the records, ${data.at(-1)} after`)

  const reader = new Reader(data.subarray(2, -1))
  const records = Array.from({ length: count }, () => readRecord(reader, codec === CODEC_8_EXTENDED))
  if (reader.left > 0) throw new FrameError('records', `${reader.left} bytes left over`)
  return records
}

function readRecord(reader: Reader, isExtended: boolean): AvlRecord {
  const at = Number(reader.u64())
  const priority = reader.uint(1)
  const lng = reader.i32() / 1e7
  const lat = reader.i32() / 1e7
  const altitude = reader.uint(2)
  const angle = reader.uint(2)
  const satellites = reader.uint(1)
  const speed = reader.uint(2)
  const width = isExtended ? 2 : 1
  const event = reader.uint(width)
  const total = reader.uint(width)
  const elements: AvlElement[] = []
  for (const size of [1, 2, 4, 8])
    for (let n = reader.uint(width); n > 0; n--)
      elements.push({ id: reader.uint(width), bytes: reader.take(size) })
  if (isExtended)
    for (let n = reader.uint(2); n > 0; n--) {
      const id = reader.uint(2)
      elements.push({ id, bytes: reader.take(reader.uint(2)) })
    }
  if (elements.length !== total)
    throw new FrameError('records', `${total} elements announced, ${elements.length} there`)
  return { at, priority, lng, lat, altitude, angle, satellites, speed, event, elements }
}

/** CRC-16/IBM (ARC): polynomial 0x8005 reflected, starting at 0. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number)
  return crc
}

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  return crc
})

class Reader {
  #bytes: Uint8Array
  #view: DataView
  #offset = 0
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
  get left(): number {
    return this.#bytes.length - this.#offset
  }
  uint(size: number): number {
    const at = this.#advance(size)
    return size === 1 ? this.#view.getUint8(at) : this.#view.getUint16(at)
  }
  i32(): number {
    return this.#view.getInt32(this.#advance(4))
  }
  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8))
  }
  take(size: number): Uint8Array {
    const at = this.#advance(size)
    return this.#bytes.subarray(at, at + size)
  }
  #advance(size: number): number {
    if (size > this.left) throw new FrameError('records', `${size} bytes wanted, ${this.left} left`)
    const at = this.#offset
    this.#offset += size
    return at
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}
