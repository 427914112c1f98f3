import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { model } from '#machines/device-status/device-status.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { TRIAL_GROUP, trialOf, trials } from '../trial.ts'
import { visit } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const MINUTE = 60_000
/** of the demo's companies */
const PATIENCE = 5 * MINUTE
const START = Date.UTC(2026, 0, 15, 8)

/**
 * As the machine's own, with the demo's patience, and so that the server's clock never goes back: who is offline was not
 * heard for a while.
 */
function events(snapshot: AnyMachineSnapshot): AnyEventObject[] {
  const last = Math.max(snapshot.context.heardAt, START)
  const next = last + (snapshot.matches('offline') ? PATIENCE + 2 * MINUTE : MINUTE)
  const reads = (at: number, unplug: boolean | null, recordedAt = at) => ({
    type: 'reading',
    at,
    recordedAt,
    unplug,
  })
  return [
    reads(next, false),
    reads(next, true),
    reads(next, null),
    reads(next, false, next + PATIENCE + MINUTE),
    reads(last - MINUTE, true),
    { type: 'time.passed', now: last + PATIENCE + MINUTE },
    { type: 'patience.changed', patience: PATIENCE },
  ]
}

/** Whether a device speaks, in the list of the dashboard. Each path takes a tracker that was never heard. */
export const driver: Driver = {
  clock: 'stands',
  isApart: true,
  viewport: DESK,
  ways: [
    {
      model: { ...model, input: { patience: PATIENCE }, events },
      enter,
      isOneVisit: true,
      cannot: {
        'anywhere: patience.changed → stays': 'No call changes how patient a company is.',
        'online: reading [wasSilent] → offline':
          'The server looks for silence each second: it knows of it before the reading that ends it.',
      },
    },
  ],
}

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { dashboard } = visitor
  const fresh = (await trials(app)).find(({ timestamp }) => timestamp === null)
  if (fresh === undefined)
    throw new Error(
      `Each device of ${TRIAL_GROUP} was heard before: start the app anew, or take its world back, curl -X POST ${app.url}/sim/reset`,
    )
  const trial = trialOf(app, fresh)
  const { now } = await app.sim.status()
  const here = (time: number) => now + time - START
  await visit(visitor, app.url, '/')
  await dashboard.search(trial.name)
  return {
    events: {
      reading: ({ event: { at, recordedAt, unplug } }) =>
        trial.sends(unplug === null ? {} : { Unplug: unplug ? 1 : 0 }, here(at), here(recordedAt)),
      'time.passed': ({ event }) => trial.until(here(event.now)),
    },
    async shows({ state }) {
      const line = dashboard.line(trial.name)
      if (state.matches('online')) return expect(line).toContainText('Online · ')
      if (state.matches('offline')) return expect(line).toContainText('Offline · ')
      await expect(line).toContainText('Disconnected · ')
      const never = expect(line)
      return state.matches({ disconnected: 'neverHeard' })
        ? never.toContainText('never heard')
        : never.not.toContainText('never heard')
    },
  }
}
