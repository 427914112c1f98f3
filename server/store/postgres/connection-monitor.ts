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

/**
 * One connection that asks once a second and listens. When it ends or is not answered, the servers are tried in turn
 * until one takes writes. `onDown` comes before anybody can learn of another server.
 */
export function createConnectionMonitor(
  address: DatabaseAddress,
  patience: number,
  { onDown }: { onDown: (why: string) => void },
) {
  const { hosts } = address
  const listeners = new Map<string, Set<(message: string) => void>>()
  const reconnected = new Set<() => void>()
  const hoping = new Set<() => void>()
  let session: Session | undefined
  let current = hosts[0] as Server
  let timeline = 0
  let lastFailure: unknown = 'no server was tried yet'
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  /** called at the start with a failure that no other try would change */
  let refused: ((error: unknown) => void) | undefined

  async function connect(host: Server): Promise<Session> {
    const opened = openSession({
      address,
      host,
      patience,
      onNotify: (channel, message) => {
        for (const listener of listeners.get(channel) ?? []) listener(message)
      },
      onEnd: (why) => ended(opened, why),
    })
    try {
      await answered(opened, patience + ANSWER_WITHIN, async () => {
        const [server] = await opened.sql<{ standby: boolean; timeline: string | null }[]>`
          SELECT pg_is_in_recovery() AS standby,
            CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`
        if (server === undefined || server.standby) throw new ConnectionLost(`${host.host} is a standby`)
        const found = Number.parseInt(server.timeline ?? '', 16)
        // one that was replaced, and came back as if nothing had been
        if (found < timeline) throw new ConnectionLost(`${host.host} was replaced by another server`)
        timeline = Math.max(timeline, found)
        for (const channel of listeners.keys()) await opened.sql`LISTEN ${opened.sql(channel)}`
      })
      return opened
    } catch (error) {
      opened.end('it is of no use')
      throw error
    }
  }

  async function answered(watched: Session, ms: number, work: () => Promise<unknown>): Promise<void> {
    const stopTimeout = startTimeout(ms, () => watched.end(`no answer within ${ms} ms`))
    try {
      await work()
    } finally {
      stopTimeout()
    }
  }

  /** Tries the servers in turn, the one that was good last first. */
  async function find(): Promise<void> {
    const first = hosts.indexOf(current)
    for (let i = 0; i < hosts.length && !isStopped; i++) {
      const host = hosts[(first + i) % hosts.length] as Server
      try {
        const found = await connect(host)
        if (isStopped) return found.end('it is closed')
        current = host
        session = found
        for (const hope of hoping) hope()
        for (const listener of reconnected) listener()
        // it may have ended while it was greeted
        timer = setTimeout(() => void look(found), session === found ? LOOK_EVERY : 0)
        return
      } catch (error) {
        lastFailure = error
        if (!isUnavailable(error)) refused?.(error)
      }
    }
    if (!isStopped) timer = setTimeout(() => void find(), TRY_EVERY)
  }

  async function look(watched: Session): Promise<void> {
    if (watched !== session) return
    try {
      await answered(watched, ANSWER_WITHIN, () => watched.sql`SELECT 1`)
      if (watched === session) timer = setTimeout(() => void look(watched), LOOK_EVERY)
    } catch {
      watched.end('PostgreSQL does not answer')
    }
  }

  function ended(which: Session, why: string): void {
    if (which !== session) return
    session = undefined
    lastFailure = why
    onDown(why)
    clearTimeout(timer)
    if (!isStopped) void find()
  }

  function up(ms: number): Promise<void> {
    if (session !== undefined) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const hope = (): void => {
        stopTimeout()
        hoping.delete(hope)
        if (isStopped) reject(new StoreUnavailable('it is closed'))
        else resolve()
      }
      const stopTimeout = startTimeout(Math.max(0, ms), () => {
        hoping.delete(hope)
        reject(new StoreUnavailable(lastFailure))
      })
      hoping.add(hope)
    })
  }

  return {
    /** where to connect to while it is up */
    host: () => current,
    isUp: () => session !== undefined,
    up,
    /** Begins; resolves when it is up for the first time. Rejects with what a server refuses for good. */
    async start(ms: number): Promise<void> {
      const isRefused = new Promise<never>((_, reject) => {
        refused = reject
      })
      void find()
      await Promise.race([up(ms), isRefused])
      refused = undefined
    },
    onReconnect(listener: () => void): () => void {
      reconnected.add(listener)
      return () => reconnected.delete(listener)
    },
    listen(channel: string, listener: (message: string) => void): () => void {
      let ofChannel = listeners.get(channel)
      if (ofChannel === undefined) {
        ofChannel = new Set()
        listeners.set(channel, ofChannel)
        const watched = session
        if (watched)
          watched.sql`LISTEN ${watched.sql(channel)}`.catch(() => watched.end('it does not listen'))
      }
      ofChannel.add(listener)
      return () => ofChannel.delete(listener)
    },
    stop(): void {
      isStopped = true
      clearTimeout(timer)
      for (const hope of hoping) hope()
      session?.end('it is closed')
    },
  }
}
