import { randomBytes } from 'node:crypto'
import type { Bus } from '../store/bus.ts'
import type { Database } from '../store/postgres/database.ts'

const CHANNEL = 'frostline_bus'
/** PostgreSQL takes less than 8,000 bytes of text: sender, number and subject, and this many bytes as base64. */
const MOST = 5_700
/** Messages that may wait while earlier ones are sent. */
const MOST_WAITING = 1_000

/** A bus of the database's own `NOTIFY`, for small messages: what there is without NATS. */
export function openNotifyBus(database: Pick<Database, 'ask' | 'listen' | 'isUp'>): Bus {
  const me = randomBytes(6).toString('base64url')
  const listeners = new Map<string, Set<(bytes: Uint8Array) => void>>()
  let waiting: string[] = []
  let publishing: Promise<void> | undefined
  let isClosed = false
  let published = 0

  const stop = database.listen(CHANNEL, (message) => {
    const [sender, , subject = '', bytes = ''] = message.split(' ')
    if (sender === me) return
    for (const listener of [...(listeners.get(subject) ?? [])]) listener(Buffer.from(bytes, 'base64'))
  })

  /** What came meanwhile shares one statement. Nobody waits for a disk or a standby: it is kept on none. */
  async function publishWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const messages = waiting
      waiting = []
      await database
        .ask(
          (sql) => sql`
            SELECT pg_notify(${CHANNEL}, message)
            FROM set_config('synchronous_commit', 'off', true), unnest(${sql.typed.texts(messages)}) AS message`,
        )
        // a node that missed it looks by itself
        .catch(() => {})
    }
    publishing = undefined
  }

  return {
    most: MOST,
    isUp: () => !isClosed && database.isUp(),
    publish(subject, bytes) {
      if (isClosed || !database.isUp() || bytes.length > MOST || waiting.length >= MOST_WAITING) return
      // numbered, as the database delivers two equal ones only once
      waiting.push([me, ++published, subject, Buffer.from(bytes).toString('base64')].join(' '))
      publishing ??= publishWaiting()
    },
    subscribe(subject, listener) {
      const mine = listeners.get(subject) ?? new Set()
      listeners.set(subject, mine)
      mine.add(listener)
      return () => mine.delete(listener)
    },
    async close() {
      isClosed = true
      stop()
      await publishing
    },
  }
}
