import { setTimeout } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../store/bus.ts'

export type NatsOptions = {
  /** `nats://` or `tls://` addresses of servers of one NATS, with who we are in the first that says it */
  servers: readonly string[]
  /** what messages of this server begin with, e.g. `frostline.4f1c`: others may share the servers */
  prefix: string
  /** what the servers call us in their own lists */
  name: string
  /** for operators: a line when the bus is lost, or was never found, and one when it is back */
  say?: (line: string) => void
}

/** Real ms between two tries to reach a server, and how long one may take. */
const RETRY_MS = 1_000
const GIVE_UP_MS = 2_000
/** Real ms between two looks whether a silent server still lives, and how many it may leave unanswered. */
const PING_MS = 2_000
const PINGS_UNANSWERED = 2
/** What NATS takes in a message unless its servers are configured otherwise. */
const MOST = 1024 * 1024

type NatsState = Required<NatsOptions> & {
  /** by subject */
  listeners: Map<string, Set<(bytes: Uint8Array) => void>>
  closing: AbortController
  connection: NatsConnection | undefined
  isUp: boolean
  /** whether it was up when operators last heard of it; undefined: they did not yet */
  wasReported: boolean | undefined
}

/** A bus on NATS: tried for as long as the server lives, and missed without a fuss. Answers at once, connected or not. */
export function openNatsBus({ say = () => {}, ...options }: NatsOptions): Bus {
  const state: NatsState = {
    ...options,
    say,
    listeners: new Map(),
    closing: new AbortController(),
    connection: undefined,
    isUp: false,
    wasReported: undefined,
  }
  void connectForEver(state)
  return {
    most: MOST,
    isUp: () => state.isUp,
    publish: (subject, bytes) => publish(state, subject, bytes),
    subscribe: (subject, listener) => subscribe(state, subject, listener),
    async close() {
      state.closing.abort()
      state.isUp = false
      await state.connection?.close()
    },
  }
}

/** One connection after the other: the client comes again by itself, but gives up where it is not let in. */
async function connectForEver(state: NatsState): Promise<void> {
  const { signal } = state.closing
  while (!signal.aborted) {
    try {
      const opened = await connect({
        ...accountOf(state.servers),
        name: state.name,
        noEcho: true,
        timeout: GIVE_UP_MS,
        reconnectTimeWait: RETRY_MS,
        maxReconnectAttempts: -1,
        pingInterval: PING_MS,
        maxPingOut: PINGS_UNANSWERED,
      })
      if (signal.aborted) return await opened.close()
      state.connection = opened
      for (const subject of state.listeners.keys()) listenFor(state, subject)
      become(state, true)
      void watch(state, opened)
      await opened.closed()
    } catch {
      // nobody there, or nobody who lets us in
    }
    state.connection = undefined
    become(state, false)
    await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

async function watch(state: NatsState, opened: NatsConnection): Promise<void> {
  for await (const { type } of opened.status()) {
    if (type === 'disconnect' || type === 'staleConnection') become(state, false)
    if (type === 'reconnect') become(state, true)
  }
}

function become(state: NatsState, up: boolean): void {
  state.isUp = up
  if (state.closing.signal.aborted || state.wasReported === up) return
  // a start that finds its bus needs no line
  if (!up || state.wasReported !== undefined)
    state.say(up ? 'NATS is back' : 'NATS cannot be reached: nodes ask the database instead')
  state.wasReported = up
}

function publish({ connection, isUp, prefix }: NatsState, subject: string, bytes: Uint8Array): void {
  if (connection === undefined || !isUp) return
  if (bytes.length > Math.min(MOST, connection.info?.max_payload ?? MOST)) return
  try {
    connection.publish(`${prefix}.${subject}`, bytes)
  } catch {
    // it is being closed, or the server takes less than it said: nobody is notified
  }
}

function subscribe(state: NatsState, subject: string, listener: (bytes: Uint8Array) => void): () => void {
  const known = state.listeners.get(subject)
  const mine = known ?? new Set()
  mine.add(listener)
  if (known === undefined) {
    state.listeners.set(subject, mine)
    listenFor(state, subject)
  }
  return () => mine.delete(listener)
}

/** One subscription of a connection for all listeners of a subject. */
function listenFor({ connection, prefix, listeners }: NatsState, subject: string): void {
  connection?.subscribe(`${prefix}.${subject}`, {
    callback(error, message) {
      if (error !== null) return
      for (const listener of [...(listeners.get(subject) ?? [])]) listener(message.data)
    },
  })
}

/** Servers of one NATS know the same people: who we are is said once. `user:password@` or `token@`. */
function accountOf(addresses: readonly string[]) {
  const urls = addresses.map((address) => new URL(address))
  const account = urls.find(({ username }) => username !== '')
  const user = decodeURIComponent(account?.username ?? '')
  const pass = decodeURIComponent(account?.password ?? '')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? 4222 : port}`),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...(pass !== '' ? { user, pass } : user !== '' && { token: user }),
  }
}
