import type { Reading } from '#machines/contracts/readings.ts'
import { FrameError, noNotes, type Protocol, type Said, type Tracker } from '../protocol.ts'
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

function readMessage(message: Message, tracker: Tracker, now: number): Said {
  const { type, content, serial, isLong } = message
  const { utcOffset } = tracker
  if (isOne(MESSAGE.locations, type)) return said(tracker, readLocation(type, content, utcOffset))
  if (isOne(MESSAGE.alarms, type)) return said(tracker, readAlarm(type, content, utcOffset), echoOf(message))
  if (isOne(MESSAGE.heartbeats, type))
    return said(tracker, readHeartbeat(type, content, now), echoOf(message))
  if (type === MESSAGE.time)
    return said(tracker, undefined, writeFrame({ type, content: timeBytes(now), serial }))
  if (type === MESSAGE.information) return said(tracker, readInformation(content, isLong, now))
  if (type === MESSAGE.appliance) return said(tracker, readAppliance(content, now))
  return said(tracker, undefined)
}

const said = ({ no }: Tracker, values: Omit<Reading, 'device'> | undefined, answer?: Uint8Array): Said => ({
  kind: 'readings',
  readings: values === undefined ? [] : [{ device: no, ...values }],
  notes: noNotes(),
  answer,
})

const echoOf = ({ type, serial }: Message): Uint8Array => writeFrame({ type, content: NOTHING, serial })

const isOne = (types: readonly number[], type: number): boolean => types.includes(type)
