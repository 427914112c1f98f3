import { deserialize, serialize } from 'node:v8'
import type { Bus } from '../bus.ts'
import type { LogRow, Original } from './copy.ts'
import type { Follower } from './follower.ts'

/** How nodes tell each other what they appended. */
export type RowBus = Pick<Bus, 'most' | 'publish' | 'subscribe'>

const SUBJECT = 'rows'
/**
 * Bytes that a bus must take in a message for it to be worth while. One of small messages is the database's own, which has published
 * the head already.
 */
const LEAST = 64 * 1024
/** Of a row beside its text or columns. */
const ROW = 300

/**
 * Publishes what this node appended, and offers its follower what others published: what comes next in the record need not be
 * fetched. What is lost is fetched; what is not of this record, or not to be read, is left.
 * `offer` is for what this node appended.
 */
export function shareRows(bus: RowBus, { epoch }: Original, follower: Pick<Follower, 'offer'>) {
  let stop = () => {}
  return {
    /** receives what others publish, from when this node's copy is known to be of the record */
    listen(): void {
      stop = bus.subscribe(SUBJECT, (bytes) => {
        const received = read(bytes)
        if (received?.epoch === epoch) follower.offer(received.rows)
      })
    },
    offer(rows: LogRow[]): void {
      follower.offer(rows)
      if (rows.length === 0 || bus.most < LEAST || sizeOf(rows) > bus.most) return
      const bytes = serialize({ epoch, rows })
      if (bytes.length <= bus.most) bus.publish(SUBJECT, bytes)
    },
    stop: () => stop(),
  }
}

/** undefined: it is none of ours, or of another release */
function read(bytes: Uint8Array): { epoch: number; rows: LogRow[] } | undefined {
  try {
    const received: unknown = deserialize(bytes)
    const { epoch, rows } = received as { epoch?: unknown; rows?: unknown }
    return typeof epoch === 'number' && Array.isArray(rows) && rows.every(isRow) ? { epoch, rows } : undefined
  } catch {
    return undefined
  }
}

const isRow = (row: unknown): row is LogRow => {
  const { seq, bytes, data } = (row ?? {}) as { seq?: unknown; bytes?: unknown; data?: unknown }
  return Number.isSafeInteger(seq) && (bytes instanceof Uint8Array || typeof data === 'string')
}

const sizeOf = (rows: LogRow[]): number =>
  rows.reduce((sum, row) => sum + ROW + ('bytes' in row ? row.bytes.length : row.data.length), 0)
