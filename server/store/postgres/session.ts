import type { Socket } from 'node:net'
import postgres, { type Sql } from 'postgres'
import type { DatabaseAddress } from '../../config/database-address.ts'
import { ConnectionLost } from './failures.ts'
import { openSocket, refusedSocket } from './socket.ts'
import { TYPES } from './types.ts'

/**
 * A query function of one connection, as in postgres.js. `bigint` columns are numbers, `bytea` are Buffers. A parameter
 * that is an array says of what: `any(${sql.typed.bigints([1, 2])})`.
 */
export type Query = Sql<{ [type in keyof typeof TYPES]: ReturnType<(typeof TYPES)[type]['parse']> }>

/**
 * One connection. When it ends, everything asked of it fails, and so does whatever is asked afterwards: the library
 * would open another one by itself, where a transaction would go on outside itself.
 */
export type Session = {
  readonly sql: Query
  isAlive(): boolean
  /** ends it at once; what it is at fails with an error of the connection */
  end(why: string): void
}

export type SessionOptions = {
  address: DatabaseAddress
  host: DatabaseAddress['hosts'][number]
  /** ms to connect in */
  patience: number
  onNotify?: (channel: string, message: string) => void
  onEnd?: (why: string) => void
}

const SETTINGS = {
  application_name: 'frostline',
  // what is asked is quick; compiling it for guesses of its size took half a second
  jit: 'off',
  // a node that is gone without a word, or stands still, gives back what it locked
  idle_in_transaction_session_timeout: 30_000,
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}

/** The connection is opened when something is first asked of it. */
export function openSession({ address, host, patience, onNotify, onEnd }: SessionOptions): Session {
  let socket: Socket | undefined
  let isOpened = false
  let ended: string | undefined

  function use(opened: Socket): void {
    socket = opened
    if (ended !== undefined) socket.destroy()
  }

  function end(why: string): void {
    if (ended !== undefined) return
    ended = why
    socket?.destroy()
    void sql.end({ timeout: 0 }).catch(() => {})
    onEnd?.(why)
  }

  const options = {
    max: 1,
    // ours: of several servers that are down the library tries one after the other without pause or end
    socket: () => {
      if (ended !== undefined || isOpened) return refusedSocket(ended ?? 'it was closed')
      isOpened = true
      return openSocket(host, address, use)
    },
    connect_timeout: patience / 1000,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: false,
    fetch_types: false,
    types: TYPES,
    connection: SETTINGS,
    onnotice: () => {},
    onnotify: onNotify,
    onclose: () => end('it was closed'),
  }
  const sql: Query = postgres(address.url, options)
  return {
    sql: guarded(sql, () => {
      if (ended !== undefined) throw new ConnectionLost(ended)
    }),
    isAlive: () => ended === undefined,
    end,
  }
}

/** The same query function, but `check` comes first and may throw. */
function guarded(sql: Query, check: () => void): Query {
  return new Proxy(sql, {
    apply(target, self, args) {
      check()
      return Reflect.apply(target, self, args)
    },
    get(target, name, self) {
      if (name === 'unsafe') check()
      return Reflect.get(target, name, self)
    },
  })
}
