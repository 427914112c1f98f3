import { openRehearsal, type Rehearsal, type RehearsalOptions, type Standing } from '../run-scenario.ts'

/**
 * Plays a scenario at a speed, without waiting: the world's clock reads a real time that is turned here, by a step of some
 * tenths of a second at most each time the process is idle. Clock, run, house and judge are those of any app.
 */
export async function playedAt(
  speed: number,
  minute: number,
  options: RehearsalOptions,
): Promise<{ rehearsal: Rehearsal; standing: Standing }> {
  let realNow = 0
  let isThere = false
  const rehearsal = await openRehearsal({ ...options, speed, turned: { realNow: () => realNow, tick: 1 } })
  const turning = async () => {
    while (!isThere) {
      realNow += Math.max(1, 400 / speed)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const turned = turning()
  try {
    await rehearsal.goTo(minute, true)
  } finally {
    isThere = true
    await turned
  }
  return { rehearsal, standing: rehearsal.standing() }
}
