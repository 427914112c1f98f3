import { type Infer, is, number, type as open, unknown } from 'superstruct'
import type { AnyStruct } from '#machines/contracts/choice.ts'
import type { WebStorage } from './web-storage.ts'

/** What was typed or chosen on a page, kept where the page has to go before it is saved: for its user, an hour. */
export type Drafts = {
  /**
   * Something that is worth keeping is on the page. `read` is asked when the page has to go; undefined: nothing to keep.
   * What was kept of it before is taken by now, and forgotten.
   * @returns how to say that it is over
   */
  hold(name: string, read: () => unknown): () => void
  /**
   * Something that is never written down is on the page: a password, a code, a file.
   * @returns how to say that it is over
   */
  holdSecret(): () => void
  /**
   * Keeps all that is held. False where the page must stay, as something on it cannot be kept.
   */
  keep(): boolean
  /** what was kept of this page under a name; undefined where nothing was, or not within the hour */
  kept<S extends AnyStruct>(name: string, contract: S): Infer<S> | undefined
  /** forgets all that was kept, of every page */
  forget(): void
}

const PREFIX = 'draft'
const HOUR_MS = 3_600_000
const Kept = open({ at: number(), value: unknown() })

/**
 * @param page what distinguishes pages and users: drafts of one are not another's
 * @param now epoch ms
 */
export function createDrafts(storage: WebStorage, page: () => string, now: () => number): Drafts {
  const held = new Map<string, () => unknown>()
  let secrets = 0
  const keyOf = (name: string): string => `${PREFIX} ${page()} ${name}`

  return {
    hold(name, read) {
      const key = keyOf(name)
      held.set(key, read)
      // Whoever holds it has taken what was kept: it comes back once.
      storage.removeItem(key)
      return () => {
        if (held.get(key) === read) held.delete(key)
      }
    },
    holdSecret() {
      secrets++
      return () => {
        secrets--
      }
    },
    keep() {
      if (secrets > 0) return false
      try {
        for (const [key, read] of held) {
          const value = read()
          if (value !== undefined) storage.setItem(key, JSON.stringify({ at: now(), value }, asJson))
        }
      } catch {
        // More than the browser keeps: the page stays, and nothing of before is to come back later.
        for (const key of held.keys()) storage.removeItem(key)
        return false
      }
      return true
    },
    kept(name, contract) {
      const text = storage.getItem(keyOf(name))
      if (text === null) return undefined
      try {
        const kept: unknown = JSON.parse(text, fromJson)
        if (is(kept, Kept) && now() - kept.at < HOUR_MS && is(kept.value, contract)) return kept.value
      } catch {
        // not of our making
      }
      storage.removeItem(keyOf(name))
      return undefined
    },
    forget() {
      for (const key of Object.keys(storage)) if (key.startsWith(`${PREFIX} `)) storage.removeItem(key)
    },
  }
}

/** JSON has no sets, and no NaN, which is written as a set without a list. */
const SET = 'set of'
const asJson = (_: string, value: unknown): unknown =>
  value instanceof Set ? { [SET]: [...value] } : Number.isNaN(value) ? { [SET]: null } : value
const fromJson = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !(SET in value)) return value
  return Array.isArray(value[SET]) ? new Set(value[SET]) : Number.NaN
}
