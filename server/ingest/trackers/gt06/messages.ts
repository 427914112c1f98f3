import type { Reading } from '#machines/contracts/readings.ts'
import { FrameError } from '../protocol.ts'

/** Numbers of the messages that are read. Source: as in `frames.ts`. */
export const MESSAGE = {
  login: 0x01,
  heartbeats: [0x13, 0x23],
  /** with the cell the terminal is in; the later ones with ignition after it; 0xA0 with a cell of 4G */
  locations: [0x12, 0x22, 0xa0],
  /** a place with what is wrong: one fence, several, of 4G */
  alarms: [0x16, 0x26, 0x27, 0xa4],
  time: 0x8a,
  information: 0x94,
  /** what an appliance at the serial line says */
  appliance: 0x9b,
} as const

export type Values = Omit<Reading, 'device'>

/** The IMEI: eight bytes of two digits, the first of them 0. @throws FrameError where it is none */
export function readImei(content: Uint8Array): string {
  const digits = Buffer.from(content.subarray(0, 8)).toString('hex')
  if (!/^0\d{15}$/.test(digits)) throw new FrameError('no IMEI', 'a login without an IMEI')
  return digits.slice(1)
}

/**
 * A place, and whether the ignition is on where the message says so.
 * @param utcOffset ms the terminal's clock is ahead of UTC
 */
export function readLocation(type: number, content: Uint8Array, utcOffset: number): Values {
  const values = readPlace(content, utcOffset)
  const afterCell = type === 0x12 ? undefined : PLACE_BYTES + cellBytes(type, content)
  const ignition = afterCell === undefined ? undefined : content[afterCell]
  return { ...values, ignition: ignition === 0 || ignition === 1 ? ignition : undefined }
}

/**
 * A place with the terminal's state behind the cell, whose length is said. Its time is of whole seconds: it is a millisecond later than
 * the location of that second, which says less.
 */
export function readAlarm(type: number, content: Uint8Array, utcOffset: number): Values {
  const { at, ...place } = readPlace(content, utcOffset)
  const values = { at: at + 1, ...place }
  const cell = content[PLACE_BYTES] ?? 0
  // a cell of 4G is longer: some send it without its length before it, and then where it ends is not known
  if (type === 0xa4 && cell < CELL_OF_4G) return values
  const state = content.subarray(PLACE_BYTES + Math.max(1, cell))
  return state.length < 3 ? values : { ...values, ...readState(state, type) }
}

/** A heartbeat: how the terminal is, without a time of its own. */
export function readHeartbeat(type: number, content: Uint8Array, now: number): Values {
  if (content.length < (type === 0x23 ? 4 : 3))
    throw new FrameError('content', `${content.length} bytes of a heartbeat`)
  return { at: now, ...readState(content, type) }
}

/** Voltages and doors, without a time of their own; undefined for what is not read. A short message is the voltage, without a kind before it. */
export function readInformation(content: Uint8Array, isLong: boolean, now: number): Values | undefined {
  const [kind, first, second] = isLong ? content : [0x00, ...content]
  if (kind === 0x00 && first !== undefined && second !== undefined)
    return { at: now, externalVoltage: (first * 256 + second) / 100 }
  if (kind === 0x05 && first !== undefined) return { at: now, door: first & 1 }
  return undefined
}

/** A thermometer at the serial line writes degrees as text, the sign ℃ in GB 2312; undefined for anything else, e.g. a card. */
export function readAppliance(content: Uint8Array, now: number): Values | undefined {
  const text = Buffer.from(content.subarray(1)).toString('latin1')
  const [degrees] = /^[+-]?\d{1,3}(?:\.\d{1,2})?(?=(?:\xa1\xe6|\xb0?C?)\s*$)/.exec(text) ?? []
  return degrees === undefined ? undefined : { at: now, temperature: Number(degrees) }
}

/** The answer's content to who asks for the time: six bytes, UTC. */
export function timeBytes(now: number): Uint8Array {
  const date = new Date(now)
  return Uint8Array.of(
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
}

/** Time, satellites, place, speed, course. */
const PLACE_BYTES = 18
const DEGREE = 1_800_000
const HAS_FIX = 0x1000
const IS_WEST = 0x0800
const IS_NORTH = 0x0400
const COURSE = 0x03ff

function readPlace(content: Uint8Array, utcOffset: number): Values {
  if (content.length < PLACE_BYTES) throw new FrameError('content', `${content.length} bytes of a place`)
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const state = view.getUint16(16)
  const at = readTime(content) - utcOffset
  if ((state & HAS_FIX) === 0) return { at, gnssStatus: 2 }
  const lat = view.getUint32(7) / DEGREE
  const lng = view.getUint32(11) / DEGREE
  const course = state & COURSE
  return {
    at,
    lat: state & IS_NORTH ? lat : -lat,
    lng: state & IS_WEST ? -lng : lng,
    speed: content[15],
    heading: course <= 360 ? course : undefined,
    gnssStatus: 1,
  }
}

function readTime([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: Uint8Array): number {
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59)
    throw new FrameError('content', 'a time that does not exist')
  return Date.UTC(2000 + year, month - 1, day, hour, minute, second)
}

const CELL_OF_4G = 15

/** MCC and MNC, area and cell: 8 bytes, of 4G more, and one more where the MCC says that the MNC has two. */
function cellBytes(type: number, content: Uint8Array): number {
  const hasLongNetwork = ((content[PLACE_BYTES] ?? 0) & 0x80) !== 0
  return (type === 0xa0 ? CELL_OF_4G : 8) + (hasLongNetwork ? 1 : 0)
}

/** u8 state (bit 1 ignition), voltage, u8 signal 0–4. The voltage is a level 0–6, or of 0x23 u16 hundredths of a volt. */
function readState(bytes: Uint8Array, type: number): Omit<Values, 'at'> {
  const isMeasured = type === 0x23
  const [state = 0] = bytes
  const signal = bytes[isMeasured ? 3 : 2] as number
  return {
    ignition: (state >> 1) & 1,
    gsmSignal: signal <= 5 ? signal : undefined,
    ...(isMeasured && { batteryVoltage: ((bytes[1] as number) * 256 + (bytes[2] as number)) / 100 }),
  }
}
