import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether an address is that of a proxy of ours, whose word on where a request came from is taken. */
export type IsProxy = (address: string | undefined) => boolean

/** Nobody stands between the server and its visitors. */
export const noProxy: IsProxy = () => false

/**
 * Addresses and networks of a list such as `127.0.0.1, 10.0.0.0/8, fd00::/8`; undefined where one is none. A network of
 * everybody is none: each visitor would choose their own address.
 */
export function proxiesIn(list: string): string[] | undefined {
  const named = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return named.length > 0 && named.every(isNamed) ? named : undefined
}

function isNamed(one: string): boolean {
  const [address = '', bits, more] = one.split('/')
  const family = isIP(address)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** @param named as `proxiesIn` answers them; an IPv4 address is also known by its IPv6 notation */
export function createIsProxy(named: readonly string[]): IsProxy {
  const list = new BlockList()
  for (const one of named) {
    const [address = '', bits] = one.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address = '') => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

/** What a proxy adds to what it passes on: whoever sends one of these has come from elsewhere. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

type Requested = { socket: { remoteAddress?: string | undefined }; headers: IncomingHttpHeaders }

/**
 * Whether whoever asks sits at the server's own machine. By the connection alone: what a proxy says of where a request came from
 * may be what the visitor told it.
 */
export function isAtThisMachine(
  { socket: { remoteAddress }, headers }: Requested,
  isProxy: IsProxy,
): boolean {
  return (
    remoteAddress !== undefined &&
    isLoopback(remoteAddress) &&
    !isProxy(remoteAddress) &&
    FORWARDED.every((name) => headers[name] === undefined)
  )
}

function isLoopback(ip: string): boolean {
  const plain = ip.startsWith('::ffff:') ? ip.slice(7) : ip
  return isIP(plain) === 4 ? plain.startsWith('127.') : plain === '::1'
}
