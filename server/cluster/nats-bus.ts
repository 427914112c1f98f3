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

/** A bus on NATS: tried for as long as the server lives, and missed without a fuss. Answers at once, connected or not. */
export function openNatsBus({ servers, prefix, name, say = () => {} }: NatsOptions): Bus {
  const listeners = new Map<string, Set<(bytes: Uint8Array) => void>>()
  const closing = new AbortController()
  let connection: NatsConnection | undefined
  let isUp = false
  let wasReported: boolean | undefined
  const isClosed = (): boolean => closing.signal.aborted

  function become(up: boolean): void {
    isUp = up
    if (isClosed() || wasReported === up) return
    // a start that finds its bus needs no line
    if (!up || wasReported !== undefined)
      say(up ? 'NATS is back' : 'NATS cannot be reached: nodes ask the database instead')
    wasReported = up
  }

  function listenFor(subject: string): void {
    connection?.subscribe(`${prefix}.${subject}`, {
      callback(error, message) {
        if (error !== null) return
        for (const listener of [...(listeners.get(subject) ?? [])]) listener(message.data)
      },
    })
  }

  /** One connection after the other: the client comes again by itself, but gives up where it is not let in. */
  async function connectForEver(): Promise<void> {
    while (!isClosed()) {
      try {
        const opened = await connect({
          ...accountOf(servers),
          name,
          noEcho: true,
          timeout: GIVE_UP_MS,
          reconnectTimeWait: RETRY_MS,
          maxReconnectAttempts: -1,
          pingInterval: PING_MS,
          maxPingOut: PINGS_UNANSWERED,
        })
        if (isClosed()) return await opened.close()
        connection = opened
        for (const subject of listeners.keys()) listenFor(subject)
        become(true)
        void watch(opened)
        await opened.closed()
      } catch {
        // nobody there, or nobody who lets us in
      }
      connection = undefined
      become(false)
      await setTimeout(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect' || type === 'staleConnection') become(false)
      if (type === 'reconnect') become(true)
    }
  }

  void connectForEver()

  return {
    most: MOST,
    isUp: () => isUp,
    publish(subject, bytes) {
      if (
        connection === undefined ||
        !isUp ||
        bytes.length > Math.min(MOST, connection.info?.max_payload ?? MOST)
      )
        return
      try {
        connection.publish(`${prefix}.${subject}`, bytes)
      } catch {
        // it is being closed, or the server takes less than it said: nobody is notified
      }
    },
    subscribe(subject, listener) {
      const known = listeners.get(subject)
      const mine = known ?? new Set()
      mine.add(listener)
      if (known === undefined) {
        listeners.set(subject, mine)
        listenFor(subject)
      }
      return () => mine.delete(listener)
    },
    async close() {
      closing.abort()
      isUp = false
      await connection?.close()
    },
  }
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
