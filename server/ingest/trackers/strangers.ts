import { isIPv6 } from 'node:net'

/** How often each address said an IMEI that nobody registered, in the present minute. */
export type Strangers = {
  /** whether this address may say one more that is listened to */
  isHeard(address: string, now: number): boolean
}

const WINDOW_MS = 60_000
const MOST_A_MINUTE = 30
/** Addresses remembered at once; of more, the oldest is forgotten. */
const MOST_ADDRESSES = 10_000

/** Thirty strangers an address (of IPv6 a /64 network) and minute are looked at; the rest are sent away unseen. */
export function createStrangers(most = MOST_A_MINUTE): Strangers {
  const counts = new Map<string, { since: number; count: number }>()
  return {
    isHeard(address, now) {
      const key = networkOf(address)
      const known = counts.get(key)
      const window = known !== undefined && now - known.since < WINDOW_MS ? known : { since: now, count: 0 }
      window.count++
      counts.delete(key)
      counts.set(key, window)
      if (counts.size > MOST_ADDRESSES) counts.delete(counts.keys().next().value as string)
      return window.count <= most
    },
  }
}

function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4).join(':')
}
