import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Bus } from '../store/bus.ts'

/** Bytes of the seal before a message: enough that nobody finds one by trying. */
const SEAL = 16
/** Bytes of the stamp after the seal: when it was published, epoch ms, and what makes it unlike all others. */
const STAMP = 16
const BEFORE = SEAL + STAMP
/** Ms that a message may be of before now, or after it: nodes' clocks may be so far apart. */
const WITHIN = 60_000

type SealedOptions = {
  /** for operators: a line when a node's message is refused for its time, once a minute at most */
  say?: (line: string) => void
  /** epoch ms, of the machine: what nodes have in common */
  now?: () => number
}

/**
 * A bus that receives only what was sealed with the same key, and each message once: others who can write to its servers are not of
 * the cluster, and what they recorded and send again is not heard (decision 0201).
 * Listening in is not kept from anybody; that is for TLS and the servers' accounts.
 */
export function sealed(
  bus: Bus,
  key: Uint8Array,
  { say = () => {}, now = Date.now }: SealedOptions = {},
): Bus {
  const most = (): number => bus.most - BEFORE
  // begins unlike the seal of releases that stamped nothing: theirs is none, not one of a wrong time
  const sealOf = (subject: string, stamped: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`stamped ${subject}\n`).update(stamped).digest().subarray(0, SEAL)
  let warnedAt = Number.NEGATIVE_INFINITY

  function isOfNow(sentAt: number): boolean {
    const age = now() - sentAt
    if (Math.abs(age) <= WITHIN) return true
    if (Math.abs(now() - warnedAt) >= WITHIN) {
      warnedAt = now()
      say(
        `NATS: a message of ${Math.round(Math.abs(age) / 1000)} s ${age > 0 ? 'ago' : 'ahead'} is refused: the clocks of two nodes are apart, or somebody sent it again`,
      )
    }
    return false
  }

  return {
    get most() {
      return most()
    },
    isUp: bus.isUp,
    publish(subject, bytes) {
      if (!bus.isUp() || bytes.length > most()) return
      const stamp = randomBytes(STAMP)
      stamp.writeDoubleBE(now())
      const stamped = Buffer.concat([stamp, bytes])
      bus.publish(subject, Buffer.concat([sealOf(subject, stamped), stamped]))
    },
    subscribe(subject, listener) {
      const isNew = createSeen(now)
      return bus.subscribe(subject, (message) => {
        if (message.length < BEFORE) return
        const [seal, stamped] = [message.subarray(0, SEAL), message.subarray(SEAL)]
        if (!timingSafeEqual(seal, sealOf(subject, stamped))) return
        const sentAt = new DataView(stamped.buffer, stamped.byteOffset).getFloat64(0)
        if (isOfNow(sentAt) && isNew(seal)) listener(stamped.subarray(STAMP))
      })
    },
    close: bus.close,
  }
}

/** Whether a seal is met for the first time; it is remembered for as long as its message could be taken. */
function createSeen(now: () => number): (seal: Uint8Array) => boolean {
  /** seal → until when, epoch ms; ascending */
  const seen = new Map<string, number>()
  return (seal) => {
    for (const [old, until] of seen) {
      if (until >= now()) break
      seen.delete(old)
    }
    const name = Buffer.from(seal).toString('latin1')
    if (seen.has(name)) return false
    // one that is ahead by all that it may is taken until then
    seen.set(name, now() + 2 * WITHIN)
    return true
  }
}
