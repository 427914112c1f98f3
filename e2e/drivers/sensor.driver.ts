import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { model } from '#machines/sensor/sensor.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { isEvaluated, TRIAL_GROUP, trialOf, trials } from '../trial.ts'
import { visit } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 15, 8)
/** a path is shorter */
const LONGEST = 10 * MINUTE
/** °C, of a reading that is not the newest */
const LATE = 12
const HERE = { lat: 31.52, lng: 74.35 }

/** A thermometer, on the card of its tracker. Each path takes a tracker that measured no temperature so far. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model, enter, isOneVisit: true }],
}

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { dashboard } = visitor
  const device = await unfitted(app)
  const trial = trialOf(app, device)
  const { now } = await app.sim.status()
  const begin = Math.max(now - LONGEST, device.timestamp === null ? 0 : Date.parse(device.timestamp))
  const here = (time: number) => begin + time - START
  /** °C, of the newest reading that has one */
  let newest = 4
  let isUnplugged = false
  let unpluggedSoFar = 0
  const notificationsOfUnplugged = async () => {
    const params = { groupId: app.api.groupId }
    const range = { startDate: begin - MINUTE, endDate: begin + LONGEST }
    const body = { ...range, things: [trial.imei], types: ['TEMP_SENSOR_UNPLUGGED' as const] }
    return (await app.api.ask(NOTIFICATION_CALLS.notifications, { params, body })).notificationsCount
  }
  await visit(visitor, app.url, '/')
  await dashboard.select(trial.name)
  return {
    events: {
      reading: ({ event: { at, measured }, state }) => {
        const isNew = state.context.lastAt === at
        const temperature = measured && isNew ? ++newest : LATE
        return trial.sends({ ...HERE, ...(measured && { temperature }) }, here(at))
      },
    },
    async shows({ event, state }) {
      // who was never heard of has no place on the map, and no card there
      if (event.type === 'xstate.init') return expect(dashboard.line(trial.name)).toContainText('N/A')
      if (state.matches('unplugged') && !isUnplugged) unpluggedSoFar++
      isUnplugged = state.matches('unplugged')
      // only then is it sure that nothing comes of it
      await isEvaluated(app)
      expect(await notificationsOfUnplugged()).toBe(unpluggedSoFar)
      const card = expect(dashboard.markerCard)
      if (isUnplugged) return card.toContainText('Sensor unplugged')
      if (event.measured && state.matches('plugged'))
        await expect(dashboard.line(trial.name)).toContainText(`${newest}.0 °C`)
      await card.not.toContainText('Sensor unplugged')
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
