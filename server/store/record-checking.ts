import type { Store } from './store.ts'

const DAY_MS = 86_400_000
/** Ms of reading each second: one percent of a core. */
const MS_A_SECOND = 10

/** How the reading through the record goes. `roundAt`: epoch ms at which the last whole round ended, 0: none since the start */
export type CheckStats = { roundAt: number; rounds: number }

export type RecordChecking = {
  stats(): CheckStats
  /** reads on for a moment, where it is this node's to do; to be called each second */
  goOn(): Promise<void>
}

/**
 * Reads through the whole record once a day, a hundredth of the time: what nobody requests is found damaged too. A record that
 * takes more than a day goes on without a pause.
 * @param leads whether this node leads: one reads for all
 * @param clock.wall epoch ms of the machine: disks know no other time; `uptime`: ms that only ever grow
 */
export function createRecordChecking(
  { check }: Pick<Store, 'check'>,
  leads: () => boolean,
  clock: { wall: () => number; uptime: () => number } = {
    wall: Date.now,
    uptime: () => performance.now(),
  },
): RecordChecking {
  let stats: CheckStats = { roundAt: 0, rounds: 0 }
  let begunAt = clock.uptime()
  let isWhole = false
  return {
    stats: () => stats,
    async goOn() {
      if (!leads()) return
      if (isWhole && clock.uptime() - begunAt < DAY_MS) return
      if (isWhole) begunAt = clock.uptime()
      isWhole = await check(MS_A_SECOND)
      if (isWhole) stats = { roundAt: clock.wall(), rounds: stats.rounds + 1 }
    },
  }
}
