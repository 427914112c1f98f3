import { type DatabaseAddress, parseDatabaseUrl } from '../../config/database-address.ts'
import { StoreUnavailable } from '../store.ts'
import { createConnectionMonitor } from './connection-monitor.ts'
import { asStoreError, isConnectionFailure } from './failures.ts'
import { openSession, type Query, type Session } from './session.ts'
import { startTimeout } from './timeout.ts'

/** PostgreSQL, on whichever of its servers takes writes now. */
export type Database = {
  /**
   * Runs statements that stand for themselves on a connection of the pool. Waits for a connection and for the answer for
   * `patience` ms (5,000) each. Rejects with StoreUnavailable where the database can't do it now: if the connection ended
   * before the answer, it may be done all the same. Errors that are the statement's own come as they are.
   * `isFirst`: takes the next connection that is free, before all who wait already
   */
  ask<T>(work: (sql: Query) => Promise<T>, patience?: number, turn?: Turn): Promise<T>
  /** The same in one transaction, which is committed when `work` resolves, else undone. */
  transaction<T>(work: (sql: Query) => Promise<T>, patience?: number): Promise<T>
  /** whether the database answered last time: asked once a second, and known at once when a connection ends */
  isUp(): boolean
  /** resolves when it is up; rejects with StoreUnavailable after `patience` ms */
  up(patience: number): Promise<void>
  /** called each time it is up again, also when another server took over; messages may have been missed meanwhile */
  onReconnect(listener: () => void): () => void
  /**
   * Hears `NOTIFY` on a channel, in order, while it is up; answers how to stop. `onBegin`: called when it hears from now on; where it is
   * not up, it does so from the next `onReconnect` on.
   */
  listen(channel: string, listener: (message: string) => void, onBegin?: () => void): () => void
  close(): Promise<void>
}

type Turn = { isFirst?: boolean }

export type DatabaseOptions = {
  /** ms to wait at the start for a database that does not answer yet (30,000) */
  startPatience?: number
  /** most connections at a time, beside the one that listens (8) */
  connections?: number
}

/** Ms within which a server must take a connection. */
const CONNECT_WITHIN = 1500
const PATIENCE = 5000

/** The pool: connections that are open, those of them that are free, and who waits for one. */
type Pool = {
  address: DatabaseAddress
  /** most connections at a time */
  most: number
  monitor: ReturnType<typeof createConnectionMonitor>
  all: Set<Session>
  idle: Session[]
  waiting: (() => void)[]
  isClosed: boolean
}

/**
 * Connects to the database.
 * @throws Error when the address is none, StoreUnavailable when nobody answers in time, the server's own error when it
 * refuses the user or has no such database
 */
export async function openDatabase(
  databaseUrl: string,
  { startPatience = 30_000, connections = 8 }: DatabaseOptions = {},
): Promise<Database> {
  const pool = createPool(addressOf(databaseUrl), connections)
  const { monitor } = pool
  try {
    await monitor.start(startPatience)
  } catch (error) {
    monitor.stop()
    throw error
  }
  return {
    ask: (work, patience = PATIENCE, turn) => withSession(pool, patience, ({ sql }) => work(sql), turn),
    transaction: (work, patience = PATIENCE) =>
      withSession(pool, patience, (session) => inTransaction(session, work)),
    isUp: monitor.isUp,
    up: monitor.up,
    onReconnect: monitor.onReconnect,
    listen: monitor.listen,
    async close() {
      close(pool)
    },
  }
}

function createPool(address: DatabaseAddress, most: number): Pool {
  const all: Pool['all'] = new Set()
  const monitor = createConnectionMonitor(address, CONNECT_WITHIN, {
    onDown: (why) => {
      for (const session of all) session.end(why)
    },
  })
  return { address, most, monitor, all, idle: [], waiting: [], isClosed: false }
}

/** Waits for a connection, and `patience` ms more for the work; whatever comes of it, the connection is given back. */
async function withSession<T>(
  pool: Pool,
  patience: number,
  work: (session: Session) => Promise<T>,
  { isFirst = false }: Turn = {},
): Promise<T> {
  const session = await take(pool, performance.now() + patience, isFirst)
  const stopTimeout = startTimeout(patience, () => session.end(`no answer within ${patience} ms`))
  try {
    return await work(session)
  } catch (error) {
    // the server may have ended it without a word to the socket yet
    if (isConnectionFailure(error)) session.end('it failed')
    throw asStoreError(error)
  } finally {
    stopTimeout()
    giveBack(pool, session)
  }
}

/** A connection that is free, or a new one. `deadline`: monotonic ms */
async function take(pool: Pool, deadline: number, isFirst: boolean): Promise<Session> {
  const { monitor, idle, all, most } = pool
  for (;;) {
    if (pool.isClosed) throw new StoreUnavailable('it is closed')
    await monitor.up(deadline - performance.now())
    const session = idle.pop()
    if (session?.isAlive()) return session
    if (session === undefined && all.size < most) return open(pool)
    if (session === undefined) await turn(pool, deadline, isFirst)
  }
}

function open({ address, monitor, all }: Pool): Session {
  const session = openSession({
    address,
    host: monitor.host(),
    patience: CONNECT_WITHIN,
    onEnd: () => all.delete(session),
  })
  all.add(session)
  return session
}

/** until a connection is given back or ends */
function turn({ waiting }: Pool, deadline: number, isFirst: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      stopTimeout()
      resolve()
    }
    const stopTimeout = startTimeout(Math.max(0, deadline - performance.now()), () => {
      waiting.splice(waiting.indexOf(next), 1)
      reject(new StoreUnavailable('all connections to PostgreSQL are busy'))
    })
    if (isFirst) waiting.unshift(next)
    else waiting.push(next)
  })
}

function giveBack({ idle, waiting, isClosed }: Pool, session: Session): void {
  if (session.isAlive() && !isClosed) idle.push(session)
  else session.end('it is closed')
  waiting.shift()?.()
}

async function inTransaction<T>(session: Session, work: (sql: Query) => Promise<T>): Promise<T> {
  const { sql } = session
  await sql`begin`
  try {
    const result = await work(sql)
    const { command } = await sql`commit`
    if (command !== 'COMMIT') throw new Error('a statement of the transaction failed')
    return result
  } catch (error) {
    if (session.isAlive() && !isConnectionFailure(error)) await sql`rollback`
    throw error
  }
}

function close(pool: Pool): void {
  pool.isClosed = true
  pool.monitor.stop()
  for (const session of pool.all) session.end('it is closed')
}

function addressOf(databaseUrl: string): DatabaseAddress {
  const address = parseDatabaseUrl(databaseUrl)
  if (address === undefined) throw new Error('what is given as the address of a database is none')
  return address
}
