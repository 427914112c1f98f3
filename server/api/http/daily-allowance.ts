import type { Clock } from '#machines/contracts/clock.ts'

const DAY_MS = 86_400_000

/** What each company may take of something a UTC day, counted by this node since its start. */
export type DailyAllowance = {
  /** Takes so much; false, and nothing is taken, where it is more than what is left. */
  take(companyId: string, amount: number): boolean
}

/** @param most what a company may take a day */
export function createDailyAllowance(clock: Clock, most: number): DailyAllowance {
  const taken = new Map<string, number>()
  let today = 0
  return {
    take(companyId, amount) {
      const day = Math.floor(clock.now() / DAY_MS)
      if (day !== today) taken.clear()
      today = day
      const all = (taken.get(companyId) ?? 0) + amount
      if (all > most) return false
      taken.set(companyId, all)
      return true
    },
  }
}
