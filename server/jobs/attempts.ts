import { StoreUnavailable } from '../store/store.ts'

/** After so many real ms one that failed is tried again. */
const AGAIN_MS = 60_000

type AttemptOptions = {
  /** of all entries, for operators: «that a report is outdated» */
  what: string
  /** for operators */
  warn(message: string): void
  /** ms that only ever grow */
  uptime?: () => number
}

/** What is to be said of many, one after the other: one of which it cannot be said holds up no other. */
export type Attempts = {
  /** false while one that failed is left alone */
  mayTry(name: string): boolean
  /**
   * Whether it succeeded. What fails for a reason of its own is reported to operators and left alone for a minute; rejects with
   * StoreUnavailable, which concerns all.
   */
  attempt(name: string, work: () => Promise<unknown>): Promise<boolean>
}

export function createAttempts({ what, warn, uptime = () => performance.now() }: AttemptOptions): Attempts {
  const againAt = new Map<string, number>()
  return {
    mayTry: (name) => (againAt.get(name) ?? 0) <= uptime(),
    async attempt(name, work) {
      try {
        await work()
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error
        againAt.set(name, uptime() + AGAIN_MS)
        warn(`${what} cannot be said of ${name}, trying again in a minute: ${String(error)}`)
        return false
      }
      againAt.delete(name)
      return true
    },
  }
}
