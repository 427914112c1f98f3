import { setTimeout as pause } from 'node:timers/promises'
import { figuresOf } from '../faults/server-metrics.ts'

const LOOK_EVERY = 1_000
const MOST_LOOKS = 60

/** Readings a running server has not compacted yet. One that is busy may not say so at once. @throws Error when it does not at all */
export async function uncompacted(url: string): Promise<number> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const readings = (await figuresOf(url))('store_uncompacted_readings')
    if (!Number.isNaN(readings)) return readings
    await pause(LOOK_EVERY)
  }
  throw new Error('/metrics does not say how many readings are not compacted')
}

/** Waits until a compaction of the fleet has ended: its readings are forgotten at once. @param most ms @throws Error when none does */
export async function compacted(url: string, most: number): Promise<void> {
  const began = performance.now()
  for (let highest = 0; ; await pause(LOOK_EVERY)) {
    const now = await uncompacted(url)
    if (now < highest) return
    highest = now
    if (performance.now() - began > most) throw new Error('no compaction of the fleet ended in time')
  }
}
