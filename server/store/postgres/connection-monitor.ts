import type { DatabaseAddress } from '../../config/database-address.ts'
import { StoreUnavailable } from '../store.ts'
import { ConnectionLost, isUnavailable } from './failures.ts'
import { openSession, type Session } from './session.ts'
import { startTimeout } from './timeout.ts'

/** Ms between two looks whether the database still answers, and between two tries to find one that does. */
const LOOK_EVERY = 1000
const TRY_EVERY = 100
/** Ms in which a connected server must answer. */
const ANSWER_WITHIN = 2000

type Server = DatabaseAddress['hosts'][number]
type Listener = (message: string) => void
type Options = { onDown: (why: string) => void }

type Monitor = {
  address: DatabaseAddress
  /** ms to wait for a connection */
  patience: number
  onDown: (why: string) => void
  listeners: Map<string, Set<Listener>>
  reconnected: Set<() => void>
  /** those who wait until it is up, or stopped */
  waiting: Set<() => void>
  session: Session | undefined
  current: Server
  /** of the server that was connected last; one of an earlier timeline was replaced */
  timeline: number
  lastFailure: unknown
  timer: ReturnType<typeof setTimeout> | undefined
  isStopped: boolean
  /** called at the start with a failure that no other try would change */
  refused: ((error: unknown) => void) | undefined
}

/**
 * One connection that asks once a second and listens. When it ends or is not answered, the servers are tried in turn
 * until one takes writes. `onDown` comes before anybody can learn of another server.
 */
export function createConnectionMonitor(address: DatabaseAddress, patience: number, { onDown }: Options) {
  const monitor: Monitor = {
    address,
    patience,
    onDown,
    listeners: new Map(),
    reconnected: new Set(),
    waiting: new Set(),
    session: undefined,
    current: address.hosts[0] as Server,
    timeline: 0,
    lastFailure: 'no server was tried yet',
    timer: undefined,
    isStopped: false,
    refused: undefined,
  }
  return {
    /** where to connect to while it is up */
    host: () => monitor.current,
    isUp: () => monitor.session !== undefined,
    up: (ms: number) => up(monitor, ms),
    /** Begins; resolves when it is up for the first time. Rejects with what a server refuses for good. */
    start: (ms: number) => start(monitor, ms),
    onReconnect(listener: () => void): () => void {
      monitor.reconnected.add(listener)
      return () => monitor.reconnected.delete(listener)
    },
    listen: (channel: string, listener: Listener, onBegin = () => {}) =>
      listen(monitor, channel, listener, onBegin),
    stop(): void {
      monitor.isStopped = true
      clearTimeout(monitor.timer)
      for (const resume of monitor.waiting) resume()
      monitor.session?.end('it is closed')
    },
  }
}

async function start(monitor: Monitor, ms: number): Promise<void> {
  const isRefused = new Promise<never>((_, reject) => {
    monitor.refused = reject
  })
  void find(monitor)
  await Promise.race([up(monitor, ms), isRefused])
  monitor.refused = undefined
}

function up(monitor: Monitor, ms: number): Promise<void> {
  if (monitor.session !== undefined) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const resume = (): void => {
      stopTimeout()
      monitor.waiting.delete(resume)
      if (monitor.isStopped) reject(new StoreUnavailable('it is closed'))
      else resolve()
    }
    const stopTimeout = startTimeout(Math.max(0, ms), () => {
      monitor.waiting.delete(resume)
      reject(new StoreUnavailable(monitor.lastFailure))
    })
    monitor.waiting.add(resume)
  })
}

/** Tries the servers in turn, the one that was good last first. */
async function find(monitor: Monitor): Promise<void> {
  const { hosts } = monitor.address
  const first = hosts.indexOf(monitor.current)
  for (let i = 0; i < hosts.length && !monitor.isStopped; i++) {
    const host = hosts[(first + i) % hosts.length] as Server
    try {
      const found = await connect(monitor, host)
      if (monitor.isStopped) return found.end('it is closed')
      monitor.current = host
      monitor.session = found
      for (const resume of monitor.waiting) resume()
      for (const listener of monitor.reconnected) listener()
      // it may have ended while it was greeted
      lookIn(monitor, found, monitor.session === found ? LOOK_EVERY : 0)
      return
    } catch (error) {
      monitor.lastFailure = error
      if (!isUnavailable(error)) monitor.refused?.(error)
    }
  }
  if (!monitor.isStopped) monitor.timer = setTimeout(() => void find(monitor), TRY_EVERY)
}

async function connect(monitor: Monitor, host: Server): Promise<Session> {
  const { address, patience, listeners } = monitor
  const opened = openSession({
    address,
    host,
    patience,
    onNotify: (channel, message) => {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    onEnd: (why) => ended(monitor, opened, why),
  })
  try {
    await answered(opened, patience + ANSWER_WITHIN, async () => {
      await checkPrimary(monitor, opened, host)
      for (const channel of listeners.keys()) await opened.sql`LISTEN ${opened.sql(channel)}`
    })
    return opened
  } catch (error) {
    opened.end('it is of no use')
    throw error
  }
}

/** @throws ConnectionLost where the server is a standby, or one that was replaced and came back as if nothing had been */
async function checkPrimary(monitor: Monitor, { sql }: Session, { host }: Server): Promise<void> {
  const [server] = await sql<{ standby: boolean; timeline: string | null }[]>`
    SELECT pg_is_in_recovery() AS standby,
      CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`
  if (server === undefined || server.standby) throw new ConnectionLost(`${host} is a standby`)
  const found = Number.parseInt(server.timeline ?? '', 16)
  if (found < monitor.timeline) throw new ConnectionLost(`${host} was replaced by another server`)
  monitor.timeline = Math.max(monitor.timeline, found)
}

async function answered(session: Session, ms: number, work: () => Promise<unknown>): Promise<void> {
  const stopTimeout = startTimeout(ms, () => session.end(`no answer within ${ms} ms`))
  try {
    await work()
  } finally {
    stopTimeout()
  }
}

function lookIn(monitor: Monitor, session: Session, ms: number): void {
  monitor.timer = setTimeout(() => void look(monitor, session), ms)
}

async function look(monitor: Monitor, session: Session): Promise<void> {
  if (session !== monitor.session) return
  try {
    await answered(session, ANSWER_WITHIN, () => session.sql`SELECT 1`)
    if (session === monitor.session) lookIn(monitor, session, LOOK_EVERY)
  } catch {
    session.end('PostgreSQL does not answer')
  }
}

function ended(monitor: Monitor, which: Session, why: string): void {
  if (which !== monitor.session) return
  monitor.session = undefined
  monitor.lastFailure = why
  monitor.onDown(why)
  clearTimeout(monitor.timer)
  if (!monitor.isStopped) void find(monitor)
}

function listen(
  { listeners, session }: Monitor,
  channel: string,
  listener: Listener,
  onBegin: () => void,
): () => void {
  const ofChannel = listeners.get(channel) ?? new Set()
  listeners.set(channel, ofChannel.add(listener))
  if (session)
    session.sql`LISTEN ${session.sql(channel)}`.then(onBegin, () => session.end('it does not listen'))
  return () => ofChannel.delete(listener)
}
