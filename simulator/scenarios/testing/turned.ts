import { openScenarioRun, type ScenarioRun, type ScenarioRunOptions, type Standing } from '../run-scenario.ts'

/**
 * Plays a scenario at a speed, without waiting: the world's clock reads a real time that is turned here, by a step of some
 * tenths of a second at most each time the process is idle. Clock, run, server and judge are those of any app.
 */
export async function playedAt(
  speed: number,
  minute: number,
  options: ScenarioRunOptions,
): Promise<{ run: ScenarioRun; standing: Standing }> {
  let realNow = 0
  let isThere = false
  const run = await openScenarioRun({ ...options, speed, turned: { realNow: () => realNow, tick: 1 } })
  const turning = async () => {
    while (!isThere) {
      realNow += Math.max(1, 400 / speed)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const turned = turning()
  try {
    await run.goTo(minute, true)
  } finally {
    isThere = true
    await turned
  }
  return { run, standing: run.standing() }
}
