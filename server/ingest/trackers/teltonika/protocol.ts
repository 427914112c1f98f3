import { type Decoded, FrameError, noNotes, type Protocol } from '../protocol.ts'
import { decodeFrame, frameLength } from './codec.ts'
import { toReading } from './mapping.ts'

/** A device may send this byte between frames to keep the line open. */
const PING = 0xff
const LET_IN = Uint8Array.of(1)
const REFUSED = Uint8Array.of(0)

/**
 * Teltonika over TCP: the device sends its IMEI and is answered 1 or 0; each frame is answered with the number of its records,
 * and with 0 when it is broken: then the device sends it again.
 */
export const TELTONIKA: Protocol = {
  name: 'teltonika',
  gap: (bytes) => {
    const other = bytes.findIndex((byte) => byte !== PING)
    return other === -1 ? bytes.length : other
  },
  frameLength: (bytes, isLetIn) => (isLetIn ? frameLength(bytes) : loginLength(bytes)),
  read: (frame, tracker) => (tracker === undefined ? readLogin(frame) : readRecords(frame, tracker.no)),
  brokenAnswer: countOf(0),
}

/** u16 length, that many digits. @throws FrameError when it cannot become an IMEI */
function loginLength(bytes: Uint8Array): number | undefined {
  const [high, digits] = bytes
  if (high === undefined) return undefined
  if (high !== 0) throw new FrameError('no IMEI', `begins with ${high}`)
  if (digits === undefined) return undefined
  if (digits < 14 || digits > 17) throw new FrameError('no IMEI', `an IMEI of ${digits} digits`)
  return 2 + digits
}

function readLogin(frame: Uint8Array): Decoded {
  const imei = Buffer.from(frame.subarray(2)).toString('latin1')
  if (!/^\d+$/.test(imei)) throw new FrameError('no IMEI', 'an IMEI that is no number')
  return { kind: 'login', imei, answer: LET_IN, refusal: REFUSED }
}

function readRecords(frame: Uint8Array, no: number): Decoded {
  const records = decodeFrame(frame)
  const notes = noNotes()
  const readings = records.map((record) => toReading(no, record, notes))
  return { kind: 'readings', readings, notes, answer: countOf(records.length) }
}

function countOf(records: number): Uint8Array {
  const answer = new Uint8Array(4)
  new DataView(answer.buffer).setUint32(0, records)
  return answer
}
