import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { INGEST_CALLS, type IngestAnswer, IngestReading } from '#machines/contracts/calls/ingest-calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import type { KeyOf } from '../auth/key-of.ts'
import { inSlices } from '../store/slices.ts'
import { type Ingest, QueueFull } from './pipeline.ts'
import { plainReading, withoutImpossibleNumbers } from './plain-reading.ts'
import { readingRefusal } from './plausible.ts'
import type { UnknownDevices } from './unknown-devices.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the company whose device key came with a request to ingest */
    senderId: string | null
  }
}

export type IngestRouteOptions = {
  ingest: Pick<Ingest, 'submit' | 'quarantine'>
  clock: Clock
  /** whose a device key is */
  keyOf: KeyOf
  deviceByImei: (imei: string) => { no: number; companyId: string } | undefined
  /** why readings of this IMEI are refused though a device has, or had it */
  senderRefusal?: (imei: string) => string | undefined
  /** where those are noted whom nobody knows */
  unknownDevices?: Pick<UnknownDevices, 'note'>
}

/** How long readings of one request are decoded before others have their turn. */
const SLICE_MS = 20

const { ingest: CALL } = INGEST_CALLS

/**
 * `POST /ingest`, below the prefix it is registered with: readings as JSON, with the key of the company they belong to.
 * A wrong reading is refused by itself; a wrong envelope refuses all, a wrong key before a byte of it is read, and one that opens
 * nothing any more once all is read.
 */
export const ingestRoute: FastifyPluginAsync<IngestRouteOptions> = async (app, options) => {
  app.decorateRequest('senderId', null)
  const access = (request: FastifyRequest, reply: FastifyReply) => letIn(options, request, reply)
  app.post(
    CALL.path,
    {
      bodyLimit: CALL.bodyBytes,
      onRequest: access,
      preHandler: access,
      config: { call: 'ingest' },
    },
    (request, reply) => takeIn(options, request, reply),
  )
}

async function letIn({ keyOf }: IngestRouteOptions, request: FastifyRequest, reply: FastifyReply) {
  const key = keyOf(request.headers['x-device-key'], 'ingest', request.ip)
  if (!('refused' in key)) {
    request.senderId = key.companyId
    return
  }
  const { status, message, waitMs } = key.refused
  if (waitMs !== undefined) reply.header('retry-after', `${Math.ceil(waitMs / 1000)}`)
  return reply.code(status).send({ code: status, message })
}

async function takeIn(options: IngestRouteOptions, request: FastifyRequest, reply: FastifyReply) {
  let envelope: { readings: unknown[] }
  try {
    envelope = decode(request.body, CALL.body, 'ingest body')
  } catch (error) {
    if (error instanceof ContractError) return reply.code(400).send({ code: 400, message: error.message })
    throw error
  }
  const sender = { companyId: request.senderId as string, address: request.ip }
  const { columns, indexes, refused, dropped } = await columnsOf(options, envelope.readings, sender)
  try {
    const answer = await options.ingest.submit(columns, 'api')
    for (const { index, reason } of answer.refused) refused.push({ index: indexes[index] as number, reason })
    refused.sort((a, b) => a.index - b.index)
    return {
      accepted: answer.accepted,
      duplicates: answer.duplicates,
      held: answer.held,
      refused,
      dropped,
    }
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    return reply
      .code(503)
      .header('retry-after', String(error.retryAfterSeconds))
      .send({ code: 503, message: 'Too many readings are waiting to be stored. Send these again.' })
  }
}

/** Whose key came with a request, and from where. */
type Sender = { companyId: string; address: string }

/** What can be stored of what was sent. `indexes`: of what was sent, by row of the columns. */
async function columnsOf(options: IngestRouteOptions, readings: readonly unknown[], sender: Sender) {
  const columns = createReadings(Math.max(1, readings.length))
  const refused: IngestAnswer['refused'] = []
  const dropped: IngestAnswer['dropped'] = []
  const indexes: number[] = []
  await inSlices(readings.entries(), SLICE_MS, ([index, sent]) => {
    const possible = withoutImpossibleNumbers(sent)
    const reading = readingOf(options, possible?.sent ?? sent, sender)
    if ('reason' in reading) {
      refused.push({ index, reason: reading.reason })
      return
    }
    for (const field of possible?.dropped ?? []) {
      const reason = `${field} is out of range`
      const detail = `at ${reading.at}, the rest of it is kept`
      const { companyId } = sender
      options.ingest.quarantine({ imei: imeiOf(sent), companyId, source: 'api', reason, detail })
      dropped.push({ index, reason })
    }
    pushReading(columns, reading)
    indexes.push(index)
  })
  return { columns, indexes, refused, dropped }
}

/** A device of another company is as unknown as one that does not exist. */
function readingOf(
  { ingest, clock, deviceByImei, senderRefusal, unknownDevices }: IngestRouteOptions,
  sent: unknown,
  { companyId, address }: Sender,
): Reading | { reason: string } {
  let known: IngestReading
  try {
    known = plainReading(sent) ?? decode(sent, IngestReading, 'reading')
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    const reason = 'not a reading'
    ingest.quarantine({ imei: null, companyId, source: 'api', reason, detail: error.message })
    return { reason: error.message }
  }
  const device = deviceByImei(known.imei)
  const isOurs = device !== undefined && device.companyId === companyId
  const reading = toReading(isOurs ? device.no : 0, known)
  const reason = isOurs
    ? (senderRefusal?.(known.imei) ?? readingRefusal(reading, clock.now()))
    : 'unknown device'
  if (reason === undefined) return reading
  if (!isOurs) unknownDevices?.note({ imei: known.imei, door: 'http', address, companyId })
  ingest.quarantine({ imei: known.imei, companyId, source: 'api', reason, detail: `at ${known.at}` })
  return { reason }
}

function toReading(no: number, sent: IngestReading): Reading {
  return {
    device: no,
    at: Math.round(sent.at),
    lat: sent.lat,
    lng: sent.lng,
    speed: sent.speed,
    heading: sent.angle,
    temperature: sent.temperature,
    temperature2: sent.temperature2,
    humidity: sent.humidity,
    gsmSignal: sent.GSM_Signal,
    gnssStatus: sent.GNSS_Status,
    externalVoltage: sent.External_Voltage,
    batteryVoltage: sent.Battery_Voltage,
    ignition: sent.Ignition,
    unplug: sent.Unplug,
    door: sent.Door,
  }
}

/** Of a reading whose device is known. */
const imeiOf = (sent: unknown): string | null =>
  typeof sent === 'object' && sent !== null && 'imei' in sent && typeof sent.imei === 'string'
    ? sent.imei
    : null
