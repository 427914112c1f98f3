import { createHash } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { KeyScope } from '#machines/contracts/entities/device-keys.ts'
import { isGood } from '#machines/projections/device-keys.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Attempts } from './attempts.ts'
import type { KeyUses } from './key-uses.ts'

/** Whose a key is, or why it opens nothing here; `waitMs`: when its address may try again. */
export type KeyOwner = { companyId: string; keyId: string }
export type KeyRefusal = { status: 401 | 403 | 429; message: string; waitMs?: number }

/**
 * Whose the key in a request's `x-device-key` is, where it may be used for this.
 * @param address where the request comes from: after too many unknown keys, further unknown ones wait; a right one, which nobody
 * guesses, is let in
 */
export type KeyOf = (
  header: string | string[] | undefined,
  scope: KeyScope,
  address: string,
) => KeyOwner | { refused: KeyRefusal }

export const UNKNOWN_KEY = 'Unknown device key'
export const KEY_EXPIRED = 'This device key has expired'
export const KEY_SUSPENDED = 'The company of this device key is suspended'

type Deps = {
  directory: Pick<Directory, 'keys' | 'companies'>
  clock: Clock
  /** wrong keys by address */
  tried: Pick<Attempts, 'begin'>
  uses: Pick<KeyUses, 'note'>
}

/** Keys are 256 random bits and looked up by their hash, so how long that takes shows nothing of them. */
export function createKeyOf({ directory: { keys, companies }, clock, tried, uses }: Deps): KeyOf {
  return (header, scope, address) => {
    if (typeof header !== 'string') return refused(401, UNKNOWN_KEY)
    const hash = hashOfKey(header)
    const key = keys.byId.get(keys.ids.get(hash) ?? '')
    if (key === undefined) {
      const wait = tried.begin(`${hash} ${address}`, address)
      return wait > 0 ? tooManyKeys(wait) : refused(401, UNKNOWN_KEY)
    }
    const now = clock.now()
    if (!isGood(key, now)) return refused(401, KEY_EXPIRED)
    if (!key.scopes.includes(scope)) return refused(403, `This device key is not for ${WORDS[scope]}`)
    if (companies.get(key.companyId)?.suspended !== false) return refused(403, KEY_SUSPENDED)
    uses.note(key.keyId, now)
    return { companyId: key.companyId, keyId: key.keyId }
  }
}

const WORDS: Record<KeyScope, string> = {
  ingest: 'sending readings',
  read: 'reading',
  events: 'events',
}

/** What a key is kept as: SHA-256, hex. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

const refused = (status: 401 | 403, message: string) => ({ refused: { status, message } })
const tooManyKeys = (waitMs: number): { refused: KeyRefusal } => ({
  refused: {
    status: 429,
    message: `Too many unknown device keys, try again in ${Math.ceil(waitMs / 1000)} s`,
    waitMs,
  },
})
