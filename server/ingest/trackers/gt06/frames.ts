import { FrameError } from '../protocol.ts'

/**
 * Frames of GT06 (Concox, Jimi and many who speak like them). Everything is big-endian.
 * Source: the manufacturers' "GPS Tracker Communication Protocol" (GT06, JM-VL03).
 *
 * A frame: 78 78 and u8 length, or 79 79 and u16 length; then so many bytes: u8 number of the message, its content, u16
 * serial, u16 CRC-16/X-25 from the length to the serial; then 0D 0A.
 */
export type Message = { type: number; content: Uint8Array; serial: number; isLong: boolean }

const SHORT = 0x78
const LONG = 0x79
const STOP = [0x0d, 0x0a]
/** Message, serial and checksum. */
const LEAST_LENGTH = 5
/** Far beyond what terminals send of themselves (pictures are not read). */
const MOST_LENGTH = 4_096

/**
 * Length of the frame that begins here; undefined while that is not there yet.
 * @throws FrameError where none begins
 */
export function frameLength(bytes: Uint8Array): number | undefined {
  const [first, second] = bytes
  if (first === undefined) return undefined
  if (first !== SHORT && first !== LONG) throw new FrameError('start', `begins with ${first}`)
  if (second !== undefined && second !== first)
    throw new FrameError('start', `begins with ${first} ${second}`)
  const head = headOf(first)
  if (bytes.length < head) return undefined
  const length = first === SHORT ? (bytes[2] as number) : (bytes[2] as number) * 256 + (bytes[3] as number)
  if (length < LEAST_LENGTH || length > MOST_LENGTH) throw new FrameError('length', `${length} bytes`)
  return head + length + STOP.length
}

/** @throws FrameError where the stop or the checksum is wrong */
export function readFrame(frame: Uint8Array): Message {
  if (frameLength(frame) !== frame.length)
    throw new FrameError('length', `${frame.length} bytes are not the frame they say`)
  const stop = frame.length - STOP.length
  if (frame[stop] !== STOP[0] || frame[stop + 1] !== STOP[1])
    throw new FrameError('stop', 'no 0D 0A at its end')
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const sent = view.getUint16(stop - 2)
  const summed = crcX25(frame.subarray(2, stop - 2))
  if (sent !== summed) throw new FrameError('checksum', `sent ${hex(sent)}, summed ${hex(summed)}`)
  const head = headOf(frame[0] as number)
  return {
    type: frame[head] as number,
    content: frame.subarray(head + 1, stop - 4),
    serial: view.getUint16(stop - 4),
    isLong: frame[0] === LONG,
  }
}

/** A frame as it is sent; long ones begin with 79 79. */
export function writeFrame({
  type,
  content,
  serial,
  isLong = content.length + LEAST_LENGTH > 0xff,
}: Omit<Message, 'isLong'> & Partial<Message>): Uint8Array {
  const length = content.length + LEAST_LENGTH
  const head = isLong ? [LONG, LONG, length >> 8, length & 0xff] : [SHORT, SHORT, length]
  const frame = Uint8Array.of(...head, type, ...content, serial >> 8, serial & 0xff, 0, 0, ...STOP)
  const stop = frame.length - STOP.length
  new DataView(frame.buffer).setUint16(stop - 2, crcX25(frame.subarray(2, stop - 2)))
  return frame
}

const headOf = (first: number): number => (first === SHORT ? 3 : 4)

/** CRC-16/X-25: polynomial 0x1021 reflected, starting at 0xffff, inverted at the end. */
export function crcX25(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number)
  return ~crc & 0xffff
}

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1
  return crc
})

const hex = (value: number): string => `0x${value.toString(16)}`
