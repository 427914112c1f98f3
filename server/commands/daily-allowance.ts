import type { Clock } from '#machines/contracts/clock.ts'

const DAY_MS = 86_400_000

/** What each of some (companies, people) may take of something a UTC day, counted by this node since its start. */
export type DailyAllowance = {
  /** Takes so much; false, and nothing is taken, where it is more than what is left. */
  take(id: string, amount: number): boolean
}

/** @param most what each may take a day */
export function createDailyAllowance(clock: Clock, most: number): DailyAllowance {
  const taken = new Map<string, number>()
  let today = 0
  return {
    take(id, amount) {
      const day = Math.floor(clock.now() / DAY_MS)
      if (day !== today) taken.clear()
      today = day
      const all = (taken.get(id) ?? 0) + amount
      if (all > most) return false
      taken.set(id, all)
      return true
    },
  }
}
