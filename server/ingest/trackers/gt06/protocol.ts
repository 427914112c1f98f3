import { type Decoded, FrameError, noNotes, type Protocol, type Tracker } from '../protocol.ts'
import { frameLength, type Message, readFrame, writeFrame } from './frames.ts'
import {
  MESSAGE,
  readAlarm,
  readAppliance,
  readHeartbeat,
  readImei,
  readInformation,
  readLocation,
  timeBytes,
  type Values,
} from './messages.ts'

const NOTHING = new Uint8Array()

/**
 * GT06 over TCP: login, heartbeats and alarms are answered with their own number and serial, once what they say is stored.
 * Locations have no answer: one that was sent and not stored when the server stops is lost.
 */
export const GT06: Protocol = {
  name: 'gt06',
  gap: () => 0,
  frameLength,
  read(frame, tracker, now) {
    const message = readFrame(frame)
    if (message.type === MESSAGE.login)
      return { kind: 'login', imei: readImei(message.content), answer: echoOf(message), refusal: undefined }
    if (tracker === undefined) throw new FrameError('no login', `message ${message.type} before the login`)
    return readMessage(message, tracker, now)
  },
  brokenAnswer: undefined,
}

/** Its checksum is right: where what it says cannot be, as of a terminal without a fix, it is answered all the same. */
function readMessage(message: Message, tracker: Tracker, now: number): Decoded {
  const notes = noNotes()
  let values: Values | undefined
  try {
    values = valuesOf(message, tracker, now)
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    notes.unread.add(error.detail)
  }
  const readings = values === undefined ? [] : [{ device: tracker.no, ...values }]
  return { kind: 'readings', readings, notes, answer: answerTo(message, now) }
}

function valuesOf(
  { type, content, isLong }: Message,
  { utcOffset }: Tracker,
  now: number,
): Values | undefined {
  if (isOne(MESSAGE.locations, type)) return readLocation(type, content, utcOffset)
  if (isOne(MESSAGE.alarms, type)) return readAlarm(type, content, utcOffset)
  if (isOne(MESSAGE.heartbeats, type)) return readHeartbeat(type, content, now)
  if (type === MESSAGE.information) return readInformation(content, isLong, now)
  return type === MESSAGE.appliance ? readAppliance(content, now) : undefined
}

function answerTo(message: Message, now: number): Uint8Array | undefined {
  const { type, serial } = message
  if (type === MESSAGE.time) return writeFrame({ type, content: timeBytes(now), serial })
  const isEchoed = isOne(MESSAGE.alarms, type) || isOne(MESSAGE.heartbeats, type)
  return isEchoed ? echoOf(message) : undefined
}

const echoOf = ({ type, serial }: Message): Uint8Array => writeFrame({ type, content: NOTHING, serial })

const isOne = (types: readonly number[], type: number): boolean => types.includes(type)
