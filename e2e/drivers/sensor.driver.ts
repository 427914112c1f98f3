import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { model } from '#machines/sensor/sensor.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { TRIAL_GROUP, trialOf, trials } from '../trial.ts'
import { visit } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 15, 8)
/** a path is shorter */
const LONGEST = 10 * MINUTE
const HERE = { lat: 31.52, lng: 74.35 }
const VALUE = 4.5

/** A thermometer, on the card of its tracker. Each path takes a tracker that measured no temperature so far. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model, enter, isOneVisit: true }],
}

async function enter({ page, dashboard }: Visitor, app: DriverApp): Promise<Scene> {
  const device = await unfitted(app)
  const trial = trialOf(app, device)
  const { now } = await app.sim.status()
  const begin = Math.max(now - LONGEST, device.timestamp === null ? 0 : Date.parse(device.timestamp))
  const here = (time: number) => begin + time - START
  await visit(page, app.url, '/')
  await dashboard.select(trial.name)
  return {
    events: {
      reading: ({ event: { at, measured } }) =>
        trial.sends({ ...HERE, ...(measured && { temperature: VALUE }) }, here(at)),
    },
    async shows({ event, state }) {
      // who was never heard of has no place on the map, and no card there
      if (event.type === 'xstate.init') return expect(dashboard.line(trial.name)).toContainText('N/A')
      const card = expect(dashboard.markerCard)
      if (state.matches('unplugged')) return card.toContainText('Sensor unplugged')
      await card.not.toContainText('Sensor unplugged')
      const isNew = event.measured === true && state.context.lastAt === event.at
      if (isNew && state.matches('plugged'))
        await expect(dashboard.line(trial.name)).toContainText(`${VALUE} °C`)
    },
  }
}

async function unfitted(app: DriverApp): Promise<Thing> {
  const { now } = await app.sim.status()
  const all = await trials(app)
  // those never heard are wanted for what only they can show
  for (const device of all.toSorted((a, b) => (b.timestamp ?? '').localeCompare(a.timestamp ?? ''))) {
    if (device.timestamp === null) return device
    const params = { imei: device.imei }
    const query = { data: { startDate: now - 23 * 60 * MINUTE, endDate: now + MINUTE } }
    const { points } = await app.api.ask(DEVICE_CALLS.observations, { params, query })
    if (points.length > 0 && points.every(({ temperature }) => temperature === null)) return device
  }
  throw new Error(
    `Each device of ${TRIAL_GROUP} measured before: start the app anew, or take its world back, curl -X POST ${app.url}/sim/reset`,
  )
}
