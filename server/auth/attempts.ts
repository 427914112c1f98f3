import { createHash } from 'node:crypto'

/** Limits on guessing passwords, looked up before one is hashed. Times in ms on a clock that never jumps. */
export type Attempts = {
  /**
   * ms to wait before this may be tried; 0: go on. What goes on counts as failed until `succeeded` is called.
   * @param account as it was typed, so that the wait shows nothing of who there is
   * @param address where it comes from; of IPv6 its network counts; null: it counts for the account alone
   */
  begin(account: string, address: string | null): number
  /** The same for whoever several names stand for, whatever the address: who guesses with each of them has no more tries. */
  beginFor(owner: string): number
  /** @param address as given to `begin` */
  succeeded(account: string, address: string | null, owner?: string): void
  /** ms to wait before anything may be tried from an address */
  waitOfAddress(address: string): number
  /** follows other nodes no more */
  stop(): void
}

/** How nodes learn of each other's attempts; they may miss some. */
export type Others = {
  publish(message: unknown): void
  onMessage(listener: (message: unknown) => void): () => void
}
export const NOBODY: Others = { publish: () => {}, onMessage: () => () => {} }

const ACCOUNT_WINDOW = 5 * 60_000
const ACCOUNT_FREE = 5
const FIRST_DELAY = 5_000
const ADDRESS_WINDOW = 60_000
const ADDRESS_FREE = 10
/** Accounts and addresses remembered at once, those that wait apart: an attacker with more of them pushes out none of these. */
const REMEMBERED = 50_000

/** When something failed, by account or address, oldest first. */
type Failures = {
  /** so many are free */
  readonly free: number
  readonly window: number
  /** of names that have failed less often than that, and the others */
  readonly few: Map<string, number[]>
  readonly many: Map<string, number[]>
}

/**
 * Five failures an account in five minutes are free, then each doubles the wait (5 s, 10 s, 20 s, …);
 * ten failures an address and minute. Nodes count together, as far as they learn of each other.
 */
export function createAttempts(now: () => number, others: Others = NOBODY): Attempts {
  const accounts = noFailures(ACCOUNT_FREE, ACCOUNT_WINDOW)
  const addresses = noFailures(ADDRESS_FREE, ADDRESS_WINDOW)

  /** @param address null: it counts for the account alone */
  function failed(account: string, address: string | null): void {
    const at = now()
    remember(accounts, account, [...recent(accounts, account, at), at])
    if (address !== null) remember(addresses, address, [...recent(addresses, address, at), at])
  }
  function forgiven(account: string, address: string | null): void {
    remember(accounts, account, [])
    if (address !== null) remember(addresses, address, timesOf(addresses, address).slice(0, -1))
  }
  function note(what: 'failed' | 'succeeded', account: string, address: string | null): void {
    if (what === 'failed') failed(account, address)
    else forgiven(account, address)
    others.publish([what, account, address])
  }
  const stop = others.onMessage((message) => {
    const [what, account, address] = Array.isArray(message) ? message : []
    if (typeof account !== 'string' || (address !== null && typeof address !== 'string')) return
    if (what === 'failed') failed(account, address)
    if (what === 'succeeded') forgiven(account, address)
  })
  const waitOfAccount = (account: string): number => accountWait(recent(accounts, account, now()), now())
  const waitOf = (network: string): number => addressWait(recent(addresses, network, now()), now())

  return {
    waitOfAddress: (address) => waitOf(hiddenNetwork(address)),
    begin(account, address) {
      const mine = hidden(account)
      const network = address === null ? null : hiddenNetwork(address)
      const wait = Math.max(waitOfAccount(mine), network === null ? 0 : waitOf(network))
      if (wait === 0) note('failed', mine, network)
      return wait
    },
    beginFor(owner) {
      const mine = ownerKey(owner)
      const wait = waitOfAccount(mine)
      if (wait === 0) note('failed', mine, null)
      return wait
    },
    succeeded(account, address, owner) {
      note('succeeded', hidden(account), address === null ? null : hiddenNetwork(address))
      if (owner !== undefined) note('succeeded', ownerKey(owner), null)
    },
    stop,
  }
}

/** No name that is typed looks like it. */
const ownerKey = (owner: string): string => hidden(`owner\n${owner}`)

/** An address of IPv4, or the /64 an address of IPv6 is in: whoever has one of these has them all. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (/^::ffff:[\d.]+$/i.test(address)) return address.slice(7)
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const left =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const all = [...groups, ...Array<string>(Math.max(0, left)).fill('0'), ...(tail ?? '').split(':')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`
}

/** What is published to others, and may be overheard: not who tried, and where. */
const hidden = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 22)

const hiddenNetwork = (address: string): string => hidden(networkOf(address))

function accountWait(failures: number[], at: number): number {
  const over = failures.length - ACCOUNT_FREE
  if (over < 0) return 0
  const delay = Math.min(FIRST_DELAY * 2 ** over, ACCOUNT_WINDOW)
  return Math.max((failures.at(-1) ?? 0) + delay - at, 0)
}

function addressWait(failures: number[], at: number): number {
  if (failures.length < ADDRESS_FREE) return 0
  return Math.max((failures.at(-ADDRESS_FREE) ?? 0) + ADDRESS_WINDOW - at, 0)
}

const noFailures = (free: number, window: number): Failures => ({
  ...{ free, window },
  ...{ few: new Map(), many: new Map() },
})

const timesOf = ({ few, many }: Failures, name: string): number[] => many.get(name) ?? few.get(name) ?? []

const recent = (failures: Failures, name: string, at: number): number[] =>
  timesOf(failures, name).filter((time) => time > at - failures.window)

function remember({ few, many, free }: Failures, name: string, times: number[]): void {
  few.delete(name)
  many.delete(name)
  if (times.length === 0) return
  const kept = times.length < free ? few : many
  kept.set(name, times)
  const [oldest] = kept.keys()
  if (kept.size > REMEMBERED && oldest !== undefined) kept.delete(oldest)
}
