import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '#machines/contracts/clock.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { TOO_MANY_TODAY } from '../day-counts.ts'
import type { Ingest, Submitted } from '../pipeline.ts'
import { droppedBecause, readingRefusal, withoutImpossible } from '../plausible.ts'
import type { UnknownDevices } from '../unknown-devices.ts'
import { createFrameStream, type FrameStream, isWaiting, nextFrame, pushChunk } from './frame-stream.ts'
import { type Decoded, FrameError, type Notes, noNotes, type Protocol, type Tracker } from './protocol.ts'
import { createStrangers, type Strangers } from './strangers.ts'

export type GatewayOptions = {
  protocol: Protocol
  ingest: Pick<Ingest, 'submitWhenRoom' | 'quarantine'>
  clock: Clock
  /** who has an IMEI now, asked anew for each frame; `utcOffset`: ms the tracker's clock is ahead of UTC */
  deviceByImei: (imei: string) => { no: number; companyId: string; utcOffset?: number } | undefined
  /** why readings of this IMEI are refused though a device has, or had it */
  senderRefusal?: (imei: string) => string | undefined
  /** where those are noted whom nobody knows, while their address has not said too many names */
  unknownDevices?: Pick<UnknownDevices, 'note'>
  /** a connection is closed when nothing came on it for so long, ms (10 minutes; 30 s before it said who it is) */
  idleMs?: number
  loginMs?: number
  /** a frame that has begun is whole after so long, ms, or the connection is closed (5 s) */
  frameMs?: number
  maxConnections?: number
  /** connections on which nobody is let in yet (10,000): one more closes the oldest of them */
  maxUnknown?: number
  /** strangers an address may bring in a minute (30) */
  strangersAMinute?: number
  /** called with what failed on this side, e.g. StoreUnavailable */
  report?: (error: unknown) => void
}

export type Gateway = {
  readonly protocol: Protocol['name']
  /** @returns the port it listens on (0 takes a free one) */
  listen(port: number, host: string): Promise<number>
  /**
   * `lowBatteries`: wireless sensors that say so, of the trackers that are connected; `crowdedOut`: connections closed before
   * anybody was let in on them, as too many others came
   */
  stats(): {
    connections: number
    lowBatteries: number
    frames: number
    records: number
    faults: number
    crowdedOut: number
  }
  /** closes every connection; what is not acknowledged, devices send again */
  close(): Promise<void>
}

/** So many broken frames in a row, and the connection is closed. */
const MOST_BROKEN = 10
/** So many things of a kind that are not read are logged of a connection. */
const MOST_LOGGED = 50
/** So many connections may be open on which nobody is let in: far below the files a process may open. */
const MOST_UNKNOWN = 10_000
/** Bytes of answers a tracker may leave unread. */
const MOST_UNREAD = 16_384

type Connection = {
  readonly socket: Socket
  readonly stream: FrameStream
  tracker: Tracker | undefined
  /** closes the connection where the frame that has begun does not end */
  deadline: ReturnType<typeof setTimeout> | undefined
  brokenInARow: number
  /** what it said beside its readings; what is not read is logged once */
  readonly notes: Notes
}

type Listener = {
  readonly options: GatewayOptions
  readonly server: Server
  readonly connections: Set<Connection>
  /** those on which nobody is let in yet, oldest first */
  readonly unknown: Set<Connection>
  readonly strangers: Strangers
  readonly total: { frames: number; records: number; faults: number; crowdedOut: number }
}

/**
 * Where trackers of one protocol connect (TCP). The tracker says who it is and is let in or not; what a frame holds is stored
 * before the frame is answered. While it is being stored nothing is read, and the tracker has to wait.
 */
export function createTrackerGateway(options: GatewayOptions): Gateway {
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => void serve(listener, socket))
  server.maxConnections = options.maxConnections ?? 110_000
  const listener: Listener = {
    options,
    server,
    connections: new Set(),
    unknown: new Set(),
    strangers: createStrangers(options.strangersAMinute),
    total: { frames: 0, records: 0, faults: 0, crowdedOut: 0 },
  }
  const { connections, total } = listener
  return {
    protocol: options.protocol.name,
    listen: (port, host) => listen(server, port, host),
    stats: () => ({ connections: connections.size, lowBatteries: lowBatteries(connections), ...total }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { socket } of connections) socket.destroy()
      await closed
    },
  }
}

/** Of each tracker by its newest connection: an older one may be half open. */
function lowBatteries(connections: Set<Connection>): number {
  const notes = new Map([...connections].map((one) => [one.tracker?.imei, one.notes]))
  return notes
    .values()
    .flatMap(({ lowBatteries }) => lowBatteries.values())
    .reduce((count, isLow) => count + Number(isLow), 0)
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

async function serve(listener: Listener, socket: Socket): Promise<void> {
  const connection = connected(listener, socket)
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (!(await takeChunk(listener, connection, chunk))) break
    }
  } catch (error) {
    // the connection is closed and nothing more is acknowledged: the device sends it again
    if (error instanceof FrameError) fault(listener, connection, error)
    else if (!socket.destroyed) listener.options.report?.(error)
  }
  clearTimeout(connection.deadline)
  socket.destroySoon()
}

function connected(listener: Listener, socket: Socket): Connection {
  const { connections, unknown, options } = listener
  const connection: Connection = {
    socket,
    stream: createFrameStream(),
    tracker: undefined,
    deadline: undefined,
    brokenInARow: 0,
    notes: noNotes(),
  }
  connections.add(connection)
  unknown.add(connection)
  makeRoom(listener)
  socket.once('close', () => {
    connections.delete(connection)
    unknown.delete(connection)
    clearTimeout(connection.deadline)
  })
  // a device that breaks off is no failure of the server; 'close' follows
  socket.on('error', () => {})
  socket.on('timeout', () => socket.destroy())
  socket.setTimeout(options.loginMs ?? 30_000)
  return connection
}

/** Closes whoever has had the longest to say who it is, where too many have not: a tracker says so at once. */
function makeRoom({ unknown, options, total }: Listener): void {
  const [oldest] = unknown
  if (oldest === undefined || unknown.size <= (options.maxUnknown ?? MOST_UNKNOWN)) return
  unknown.delete(oldest)
  total.crowdedOut++
  oldest.socket.destroy()
}

/** Whether the connection goes on after all frames of it. @throws FrameError, and what the store throws */
async function takeChunk(listener: Listener, connection: Connection, chunk: Buffer): Promise<boolean> {
  const { stream } = connection
  const { protocol } = listener.options
  const isLetIn = () => connection.tracker !== undefined
  pushChunk(stream, chunk)
  for (
    let frame = nextFrame(stream, protocol, isLetIn());
    frame !== undefined;
    frame = nextFrame(stream, protocol, isLetIn())
  ) {
    clearTimeout(connection.deadline)
    connection.deadline = undefined
    if (!(await takeFrame(listener, connection, frame))) return false
  }
  if (isWaiting(stream)) connection.deadline ??= deadlineOf(listener, connection)
  return true
}

function deadlineOf(listener: Listener, connection: Connection): ReturnType<typeof setTimeout> {
  const { frameMs = 5_000 } = listener.options
  return setTimeout(() => {
    fault(listener, connection, new FrameError('does not end', `not whole after ${frameMs} ms`))
    connection.socket.destroy()
  }, frameMs)
}

/** Whether the connection goes on. */
async function takeFrame(listener: Listener, connection: Connection, frame: Uint8Array): Promise<boolean> {
  const { protocol, clock } = listener.options
  renewTracker(listener, connection)
  let decoded: Decoded
  try {
    decoded = protocol.read(frame, connection.tracker, clock.now())
  } catch (error) {
    if (!(error instanceof FrameError) || connection.tracker === undefined) throw error
    fault(listener, connection, error)
    connection.brokenInARow++
    return answered(connection, protocol.brokenAnswer) && connection.brokenInARow < MOST_BROKEN
  }
  connection.brokenInARow = 0
  if (decoded.kind === 'login') return takeLogin(listener, connection, decoded)
  if (connection.tracker === undefined) throw new FrameError('no login', 'a frame before the login')
  if (isRefused(listener, connection, connection.tracker)) return false
  const { refused } = await store(listener, connection, connection.tracker, decoded)
  // not stored, as its device changed while it waited for room: it connects again and sends for whoever has its IMEI then
  if (refused.length > 0 && !isStillSender(listener, connection.tracker)) return false
  // it keeps them, and sends them when its device may have more: somebody else may have used them up
  if (refused.some(({ reason }) => reason === TOO_MANY_TODAY)) return false
  return answered(connection, decoded.answer)
}

/** While it is on the line its IMEI may go to another device, and how far its clock is ahead may be said anew. */
function renewTracker({ options }: Listener, { tracker }: Connection): void {
  if (tracker === undefined) return
  const device = options.deviceByImei(tracker.imei)
  if (device !== undefined) Object.assign(tracker, { utcOffset: 0, ...device })
}

function isStillSender({ options }: Listener, { imei, no }: Tracker): boolean {
  return options.deviceByImei(imei)?.no === no && options.senderRefusal?.(imei) === undefined
}

function takeLogin(
  listener: Listener,
  connection: Connection,
  decoded: Decoded & { kind: 'login' },
): boolean {
  const { options, total, strangers } = listener
  const { socket } = connection
  const device = options.deviceByImei(decoded.imei)
  if (device === undefined) {
    total.faults++
    const address = socket.remoteAddress ?? ''
    if (strangers.isHeard(address, options.clock.now())) {
      const stranger = { imei: decoded.imei, companyId: null }
      options.ingest.quarantine({
        ...stranger,
        source: 'tracker',
        reason: 'unknown device',
        detail: `from ${address}`,
      })
      options.unknownDevices?.note({ ...stranger, door: options.protocol.name, address })
    }
    answered(connection, decoded.refusal)
    return false
  }
  const tracker = { imei: decoded.imei, utcOffset: 0, ...device }
  if (isRefused(listener, connection, tracker)) {
    answered(connection, decoded.refusal)
    return false
  }
  connection.tracker = tracker
  listener.unknown.delete(connection)
  socket.setTimeout(options.idleMs ?? 600_000)
  return answered(connection, decoded.answer)
}

/** Whether its device has another tracker by now, or is retired. */
function isRefused(listener: Listener, { socket }: Connection, tracker: Tracker): boolean {
  const reason = listener.options.senderRefusal?.(tracker.imei)
  if (reason === undefined) return false
  listener.total.faults++
  quarantine(listener, tracker, reason, `from ${socket.remoteAddress ?? 'nowhere'}`)
  return true
}

/**
 * Resolves when all readings that can be true are stored, but those that it answers as refused. All others are quarantined for
 * good: they must not come for ever.
 */
async function store(
  listener: Listener,
  connection: Connection,
  tracker: Tracker,
  { readings, notes }: Decoded & { kind: 'readings' },
): Promise<Submitted> {
  const { options, total } = listener
  for (const field of notes.ignored)
    if (isNew(connection.notes.ignored, field))
      quarantine(listener, tracker, 'field of another width', `${field}: ignored`)
  for (const what of notes.unread)
    if (isNew(connection.notes.unread, what)) quarantine(listener, tracker, 'message not read', what)
  for (const [sensor, isLow] of notes.lowBatteries) connection.notes.lowBatteries.set(sensor, isLow)
  const columns = createReadings(Math.max(1, readings.length))
  for (const sent of readings) {
    const { reading, dropped } = withoutImpossible(sent)
    for (const field of dropped)
      quarantine(listener, tracker, droppedBecause(field), `${detailOf(reading)}, the rest of it is kept`)
    const reason = readingRefusal(reading, options.clock.now())
    if (reason === undefined) pushReading(columns, reading)
    else quarantine(listener, tracker, reason, detailOf(reading))
  }
  const submitted = await options.ingest.submitWhenRoom(columns, 'tracker')
  total.frames++
  total.records += readings.length
  return submitted
}

const detailOf = ({ at }: Reading): string => `at ${at}`

/** Whether this is to be logged of a connection. */
function isNew(logged: Set<string>, what: string): boolean {
  if (logged.has(what) || logged.size >= MOST_LOGGED) return false
  logged.add(what)
  return true
}

/** Whether the tracker still reads what it is answered. */
function answered({ socket }: Connection, answer: Uint8Array | undefined): boolean {
  if (answer !== undefined && socket.writable) socket.write(answer)
  return socket.writableLength <= MOST_UNREAD
}

function fault(listener: Listener, { tracker }: Connection, error: FrameError): void {
  listener.total.faults++
  quarantine(listener, tracker, `broken frame: ${error.fault}`, error.detail)
}

function quarantine({ options }: Listener, tracker: Tracker | undefined, reason: string, detail: string) {
  const { imei = null, companyId = null } = tracker ?? {}
  options.ingest.quarantine({ imei, companyId, source: 'tracker', reason, detail })
}
