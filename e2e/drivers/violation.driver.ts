import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Limits } from '#machines/rules/limits.ts'
import { model } from '#machines/violation/violation.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { isEvaluated, TRIAL_GROUP, type Trial, trialOf, trials } from '../trial.ts'
import { visit } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 15, 8)
/** of the demo's companies and of the group of trackers: fifteen minutes of patience, five of silence make it a new spell */
const limits: Limits = { low: -26, high: 17, delay: 15 * MINUTE, margin: 0.5, gap: 5 * MINUTE }
const HUMIDITY = { lowHumidityThreshold: 30, highHumidityThreshold: 98 }
/** Of `high`, so that what was above it is inside. */
const RAISED = 21

const reading = (at: number, value: number) => ({ type: 'reading', at, value, lat: 31.52, lng: 74.35 })

/** As the machine's own with the demo's limits: inside, near a limit, beyond it, after a silence, late, without a value. */
function events({ context }: AnyMachineSnapshot): AnyEventObject[] {
  const last = Math.max(context.lastAt, START)
  return [
    ...[5, 16.8, 20, -25.8, -28].map((value) => reading(last + limits.gap, value)),
    ...[20, -28].map((value) => reading(last + limits.gap + MINUTE, value)),
    reading(last - MINUTE, 20),
    {
      type: 'limits.changed',
      limits: { ...limits, high: context.limits.high === RAISED ? limits.high : RAISED },
    },
    // its last value is as old as the company's patience by then
    { type: 'sensor.unplugged', at: last + limits.gap },
  ]
}

const LATE = 'A sensor is found unplugged by the newest reading: one that comes late says nothing of it.'
const OF_LATE = ['inside', 'above.briefly', 'above.violated', 'below.briefly', 'below.violated']

/** One quantity against its band, on the page of notifications of one tracker. */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model: { ...model, input: { quantity: 'temperature', limits }, events, serializeState },
      enter,
      isOneVisit: true,
      cannot: Object.fromEntries(
        OF_LATE.map((place) => [`${place}: sensor.unplugged [isLate] → stays`, LATE]),
      ),
    },
  ],
}

function serializeState({ value, context }: AnyMachineSnapshot): string {
  const spell = value === 'inside' ? 0 : Math.min(context.lastAt - context.since, limits.delay)
  return JSON.stringify([value, context.lastAt > 0, context.limits.high, spell])
}

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page } = visitor
  const { trial, begin } = await calm(app)
  const here = (time: number) => begin + time - START
  let high = limits.high
  const setHigh = async (wanted: number) => {
    if (wanted === high) return
    high = wanted
    await setLimits(app, wanted)
  }
  const areOpen = async () => {
    const { open } = await app.api.ask(NOTIFICATION_CALLS.incidents, {
      params: { groupId: app.api.groupId },
    })
    return open.filter(({ imei, type }) => imei === trial.imei && type !== 'offline').length
  }
  await visit(visitor, app.url, `/notifications?thing=${trial.imei}`)
  return {
    events: {
      reading: ({ event: { at, value, lat, lng } }) =>
        trial.sends({ lat, lng, temperature: value }, here(at)),
      'limits.changed': ({ event }) => setHigh(event.limits.high),
      'sensor.unplugged': async ({ event }) => {
        for (const missed of [2, 1, 0]) await trial.sends({}, here(event.at) - missed * 1000)
      },
    },
    async shows({ state }) {
      const isOpen = state.matches({ above: 'violated' }) || state.matches({ below: 'violated' })
      // only then is it sure that nothing comes of it
      await isEvaluated(app)
      expect(await areOpen()).toBe(isOpen ? 1 : 0)
      await expect(page.getByText(/^Open for /)).toHaveCount(isOpen ? 1 : 0)
      const newest = page
        .getByRole('list', { name: 'Notifications', exact: true })
        .getByRole('listitem')
        .first()
      if (isOpen)
        await expect(newest).toContainText(state.matches('above') ? 'High temperature' : 'Low temperature')
    },
    leave: () => setHigh(limits.high),
  }
}

/**
 * A tracker whose temperature is inside its band, and the device's time of then. Nobody else uses this one, so that paths
 * lie one after the other in its past, and the world's clock hardly needs to be moved on.
 */
async function calm(app: DriverApp): Promise<{ trial: Trial; begin: number }> {
  const device = (await trials(app)).at(-1)
  if (device === undefined) throw new Error(`There is no device in ${TRIAL_GROUP}`)
  const trial = trialOf(app, device)
  const { now } = await app.sim.status()
  const known = device.timestamp === null ? now - 20 * 60 * MINUTE : Date.parse(device.timestamp)
  const begin = known + limits.gap + MINUTE
  await trial.sends({ temperature: 5 }, begin)
  return { trial, begin }
}

async function setLimits(app: DriverApp, highTemperatureThreshold: number): Promise<void> {
  const group = await app.api.ask(GROUP_CALLS.group, { params: { id: TRIAL_GROUP } })
  const { name, description } = group
  await app.api.ask(GROUP_CALLS.updateGroup, {
    params: { id: TRIAL_GROUP },
    body: { name, description, lowTemperatureThreshold: limits.low, highTemperatureThreshold, ...HUMIDITY },
  })
}
