import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '#machines/contracts/clock.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import type { Ingest } from '../pipeline.ts'
import { droppedBecause, readingRefusal, withoutImpossible } from '../plausible.ts'
import type { UnknownDevices } from '../unknown-devices.ts'
import { decodeFrame, FrameError } from './codec.ts'
import { FrameStream } from './frame-stream.ts'
import { toReading } from './mapping.ts'

export type GatewayOptions = {
  ingest: Pick<Ingest, 'submitWhenRoom' | 'quarantine'>
  clock: Clock
  deviceByImei: (imei: string) => { no: number; companyId: string } | undefined
  /** why readings of this IMEI are refused though a device has, or had it */
  senderRefusal?: (imei: string) => string | undefined
  /** where those are noted whom nobody knows */
  unknownDevices?: Pick<UnknownDevices, 'note'>
  /** a connection is closed when nothing came on it for so long, ms (10 minutes; 30 s before it sent its IMEI) */
  idleMs?: number
  handshakeMs?: number
  maxConnections?: number
  /** called with what failed on this side, e.g. StoreUnavailable */
  report?: (error: unknown) => void
}

export type Gateway = {
  /** @returns the port it listens on (0 takes a free one) */
  listen(port: number, host: string): Promise<number>
  stats(): { connections: number; frames: number; records: number; faults: number }
  /** closes every connection; what is not acknowledged, devices send again */
  close(): Promise<void>
}

const ACCEPTED = Buffer.of(1)
const REFUSED = Buffer.of(0)

type Tracker = { imei: string; no: number; companyId: string }

type Door = {
  readonly options: GatewayOptions
  readonly server: Server
  readonly sockets: Set<Socket>
  readonly total: { frames: number; records: number; faults: number }
}

/**
 * Where Teltonika trackers connect (TCP): the device sends its IMEI and is let in or not; each frame is answered with the
 * number of its records once they are stored, and with 0 when it is broken: then the device sends it again.
 */
export function createTeltonikaGateway(options: GatewayOptions): Gateway {
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => connected(door, socket))
  server.maxConnections = options.maxConnections ?? 110_000
  const door: Door = { options, server, sockets: new Set(), total: { frames: 0, records: 0, faults: 0 } }
  const { sockets, total } = door
  return {
    listen: (port, host) => listen(server, port, host),
    stats: () => ({ connections: sockets.size, ...total }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : port)
    })
  })
}

function connected(door: Door, socket: Socket): void {
  const { sockets, options } = door
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  // a device that breaks off is no failure of the server; 'close' follows
  socket.on('error', () => {})
  socket.on('timeout', () => socket.destroy())
  socket.setTimeout(options.handshakeMs ?? 30_000)
  void serve(door, socket).finally(() => socket.destroySoon())
}

/** One chunk after the other: while a frame is being stored nothing is read, and the device has to wait. */
async function serve(door: Door, socket: Socket): Promise<void> {
  const stream = new FrameStream()
  let tracker: Tracker | undefined
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      stream.push(chunk)
      tracker ??= letIn(door, stream, socket)
      if (tracker === undefined) {
        if (socket.writableEnded) return
        continue
      }
      for (let frame = stream.frame(); frame !== undefined; frame = stream.frame()) {
        if (isRefused(door, tracker, socket)) return
        const answer = Buffer.alloc(4)
        answer.writeUInt32BE(await stored(door, frame, tracker))
        if (socket.writable) socket.write(answer)
      }
    }
  } catch (error) {
    // the connection is closed and nothing more is acknowledged: the device sends it again
    if (error instanceof FrameError) fault(door, tracker, error.fault, error.message)
    else if (!socket.destroyed) door.options.report?.(error)
  }
}

/** Answers the IMEI, once it is there: the device, or undefined and an ended socket. */
function letIn(door: Door, stream: FrameStream, socket: Socket): Tracker | undefined {
  const { ingest, deviceByImei, unknownDevices, idleMs = 600_000 } = door.options
  let imei: string | undefined
  try {
    imei = stream.imei()
  } catch (error) {
    fault(door, undefined, 'no IMEI', String(error))
    socket.end(REFUSED)
    return undefined
  }
  if (imei === undefined) return undefined
  const device = deviceByImei(imei)
  if (device === undefined) {
    door.total.faults++
    const address = socket.remoteAddress ?? 'nowhere'
    const detail = `from ${address}`
    unknownDevices?.note({ imei, door: 'teltonika', address, companyId: null })
    ingest.quarantine({ imei, companyId: null, source: 'tracker', reason: 'unknown device', detail })
    socket.end(REFUSED)
    return undefined
  }
  const tracker = { imei, ...device }
  if (isRefused(door, tracker, socket)) return undefined
  socket.setTimeout(idleMs)
  socket.write(ACCEPTED)
  return tracker
}

/** Whether its device has another tracker by now, or is retired: then it is told that it is not known, and the socket ended. */
function isRefused(door: Door, tracker: Tracker, socket: Socket): boolean {
  const reason = door.options.senderRefusal?.(tracker.imei)
  if (reason === undefined) return false
  door.total.faults++
  quarantine(door, tracker, reason, `from ${socket.remoteAddress ?? 'nowhere'}`)
  socket.end(REFUSED)
  return true
}

/** How many records of a frame the device may forget: all once they are stored, none of a broken one. */
async function stored(door: Door, frame: Uint8Array, tracker: Tracker): Promise<number> {
  const { ingest, clock } = door.options
  let records: ReturnType<typeof decodeFrame>
  try {
    records = decodeFrame(frame)
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    fault(door, tracker, error.fault, error.message)
    return 0
  }
  const readings = createReadings(Math.max(1, records.length))
  for (const record of records) {
    const { reading, dropped } = withoutImpossible(toReading(tracker.no, record))
    for (const field of dropped)
      quarantine(door, tracker, droppedBecause(field), `at ${record.at}, the rest of it is kept`)
    const reason = readingRefusal(reading, clock.now())
    if (reason === undefined) pushReading(readings, reading)
    else quarantine(door, tracker, reason, `at ${record.at}`)
  }
  // a record that cannot be true is quarantined for good: the device must not send it for ever
  await ingest.submitWhenRoom(readings, 'tracker')
  door.total.frames++
  door.total.records += records.length
  return records.length
}

function fault(door: Door, tracker: Tracker | undefined, reason: string, detail: string): void {
  door.total.faults++
  quarantine(door, tracker, `broken frame: ${reason}`, detail)
}

function quarantine({ options }: Door, tracker: Tracker | undefined, reason: string, detail: string): void {
  const { imei = null, companyId = null } = tracker ?? {}
  options.ingest.quarantine({ imei, companyId, source: 'tracker', reason, detail })
}
