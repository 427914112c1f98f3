import { createHash } from 'node:crypto'

/** Limits on guessing passwords, looked up before one is hashed. Times in ms on a clock that never jumps. */
export type Attempts = {
  /** ms to wait before this may be tried; 0: go on. What goes on counts as failed until `succeeded` is called. */
  begin(account: string, address: string): number
  succeeded(account: string, address: string): void
  /** ms to wait before anything may be tried from an address */
  waitOfAddress(address: string): number
  /** follows other nodes no more */
  stop(): void
}

/** How nodes learn of each other's attempts; they may miss some. */
export type Others = {
  tell(message: unknown): void
  onTold(listener: (message: unknown) => void): () => void
}
const NOBODY: Others = { tell: () => {}, onTold: () => () => {} }

const ACCOUNT_WINDOW = 5 * 60_000
const ACCOUNT_FREE = 5
const FIRST_DELAY = 5_000
const ADDRESS_WINDOW = 60_000
const ADDRESS_FREE = 10
/** Accounts and addresses remembered at once; an attacker with more of them pushes out the oldest. */
const REMEMBERED = 50_000

/**
 * Five failures an account in five minutes are free, then each doubles the wait (5 s, 10 s, 20 s, …);
 * ten failures an address and minute. Nodes count together, as far as they learn of each other.
 */
export function createAttempts(now: () => number, others: Others = NOBODY): Attempts {
  const accounts = new Map<string, number[]>()
  const addresses = new Map<string, number[]>()

  function failed(account: string, address: string): void {
    const at = now()
    remember(accounts, account, [...recent(accounts, account, at - ACCOUNT_WINDOW), at])
    remember(addresses, address, [...recent(addresses, address, at - ADDRESS_WINDOW), at])
  }
  function forgiven(account: string, address: string): void {
    accounts.delete(account)
    const times = addresses.get(address)
    if (times) remember(addresses, address, times.slice(0, -1))
  }
  const stop = others.onTold((message) => {
    const [what, account, address] = Array.isArray(message) ? message : []
    if (typeof account !== 'string' || typeof address !== 'string') return
    if (what === 'failed') failed(account, address)
    if (what === 'succeeded') forgiven(account, address)
  })

  function waitOfAddress(address: string): number {
    const at = now()
    return addressWait(recent(addresses, hidden(address), at - ADDRESS_WINDOW), at)
  }

  return {
    waitOfAddress,
    begin(account, address) {
      const at = now()
      const [mine, from] = [hidden(account), hidden(address)]
      const byAccount = recent(accounts, mine, at - ACCOUNT_WINDOW)
      const wait = Math.max(accountWait(byAccount, at), waitOfAddress(address))
      if (wait > 0) return wait
      failed(mine, from)
      others.tell(['failed', mine, from])
      return 0
    },
    succeeded(account, address) {
      const [mine, from] = [hidden(account), hidden(address)]
      forgiven(mine, from)
      others.tell(['succeeded', mine, from])
    },
    stop,
  }
}

/** What is published to others, and may be overheard: not who tried, and where. */
const hidden = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 22)

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

function recent(times: Map<string, number[]>, key: string, since: number): number[] {
  return (times.get(key) ?? []).filter((at) => at > since)
}

function remember(times: Map<string, number[]>, key: string, value: number[]): void {
  times.delete(key)
  times.set(key, value)
  if (times.size <= REMEMBERED) return
  const [oldest] = times.keys()
  if (oldest !== undefined) times.delete(oldest)
}
