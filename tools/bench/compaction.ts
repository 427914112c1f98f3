import { setTimeout as pause } from 'node:timers/promises'
import { figuresOf } from '../faults/server-metrics.ts'

const LOOK_EVERY = 1_000

/** Readings a running server has not compacted yet. */
export const uncompacted = async (url: string): Promise<number> =>
  (await figuresOf(url))('store_uncompacted_readings')

/** Waits until a compaction of the fleet has ended: its readings are forgotten at once. @param most ms @throws Error when none does */
export async function compacted(url: string, most: number): Promise<void> {
  const began = performance.now()
  let before = await uncompacted(url)
  for (;;) {
    await pause(LOOK_EVERY)
    const now = await uncompacted(url)
    if (now < before) return
    if (performance.now() - began > most) throw new Error('no compaction of the fleet ended in time')
    before = now
  }
}
