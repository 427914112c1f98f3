import type { Thing } from '#machines/contracts/entities/devices.ts'
import { type App, DESK, expect, test } from '../app.ts'

test.use({ world: { of: 'trouble', devices: 120 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

const HOUR = 3600

test('a compressor fails, the cargo warms, and the screen says so with shape and word', async ({
  operator,
  app,
}) => {
  // The visitor's token runs out on the way and is renewed.
  operator.trouble.allow(/401/)
  const device = await healthy(app, ({ groupName }) => /Frozen/.test(groupName))
  await app.sim.inject(device.imei, 'compressor-off', 6 * HOUR)
  await operator.dashboard.search(device.imei)
  await expect(operator.dashboard.line(device.name)).toContainText('Online')
  await app.sim.advance(1.5 * HOUR)
  await expect(operator.dashboard.line(device.name)).toContainText('Too hot')
  const { temperature } = await operator.dashboard.reading(device.name)
  expect(temperature).toBeGreaterThan(device.temperature as number)
  // The worst come first, whatever else is wrong.
  await operator.dashboard.search('')
  await operator.dashboard.stats.getByRole('button', { name: /out of limits/ }).click()
  await expect(operator.dashboard.row(device.name)).toBeVisible()
  await expect(operator.dashboard.stats.getByRole('img', { name: 'Too hot' })).toBeVisible()
})

test('a device falls silent and is offline, then sends what it kept', async ({ operator, app }) => {
  const device = await healthy(app)
  await operator.dashboard.search(device.imei)
  const id = await app.sim.inject(device.imei, 'offline', 4 * HOUR)
  await app.sim.advance(600)
  await expect(operator.dashboard.line(device.name)).toContainText('Offline')
  await app.sim.lift(id)
  await app.sim.advance(60)
  await expect(operator.dashboard.line(device.name)).toContainText('Online')
})

test('a device is unplugged and disconnected', async ({ operator, app }) => {
  const device = await healthy(app)
  await operator.dashboard.search(device.imei)
  await app.sim.inject(device.imei, 'device-unplugged', 4 * HOUR)
  await app.sim.advance(120)
  await expect(operator.dashboard.line(device.name)).toContainText('Disconnected')
})

test.describe('beside the map', () => {
  test.use({ isMapDrawn: true })

  test('a sensor is unplugged: the device is there, its temperature is not', async ({ operator, app }) => {
    const device = await healthy(app)
    await operator.dashboard.search(device.imei)
    await app.sim.inject(device.imei, 'sensor-unplugged', 4 * HOUR)
    await app.sim.advance(600)
    await expect(operator.dashboard.line(device.name)).toContainText('N/A')
    await operator.dashboard.select(device.name)
    await expect(operator.dashboard.markerCard).toContainText('Sensor unplugged')
  })
})

/** A vehicle with nothing wrong about it. */
async function healthy(app: App, also: (device: Thing) => boolean = () => true): Promise<Thing> {
  const fleet = await app.api.fleet()
  const found = fleet.find(
    (one) =>
      one.type === 'vehicle' &&
      one.thingStatus === 'online' &&
      one.temperature !== null &&
      also(one) &&
      !taken.has(one.imei),
  )
  if (found === undefined) throw new Error('Every device has something wrong')
  taken.add(found.imei)
  return found
}

/** What one test broke is not for the next. */
const taken = new Set<string>()
