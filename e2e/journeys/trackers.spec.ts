import captured from '#fixtures/teltonika/frames.json' with { type: 'json' }
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { DESK, expect, test } from '../app.ts'
import { location, login } from '../gt06.ts'
import { dial, dialGt06 } from '../tracker.ts'

test.use({ world: { of: 'trackers', devices: 60 }, viewport: DESK })

/** Of the first record: after eight bytes of header, codec and count. */
const firstAt = (frame: Buffer): number => Number(frame.readBigUInt64BE(10))

test('frames of real trackers come in over TCP and are seen on the map, in the list and as history', async ({
  operator,
  app,
}) => {
  const before = new Map((await app.api.fleet()).map((device) => [device.imei, device]))
  for (const { imei } of captured.frames) expect(before.get(imei)?.timestamp, imei).toBeNull()

  for (const { imei, hex, records } of captured.frames) {
    const tracker = await dial(app.teltonikaPort, imei)
    expect(await tracker.send(Buffer.from(hex, 'hex')), imei).toBe(records)
    tracker.hangUp()
  }
  const after = new Map((await app.api.fleet()).map((device) => [device.imei, device]))
  const places = captured.frames.filter(({ imei }) => after.get(imei)?.lat != null)
  expect(places.length, 'some say where they are').toBeGreaterThan(0)

  for (const { imei, hex } of captured.frames) {
    const device = after.get(imei)
    if (device === undefined) throw new Error(`${imei} is not in the fleet`)
    await operator.dashboard.search(imei)
    await expect(operator.dashboard.line(device.name)).not.toContainText('never heard')
    await operator.dashboard.select(device.name)
    if (device.lat !== null) {
      await expect(operator.dashboard.position).toHaveAttribute(
        'title',
        `${device.lat.toFixed(5)}, ${device.lng?.toFixed(5)}`,
      )
      await expect(operator.dashboard.markerCard).toContainText(device.name)
      await operator.dashboard.letGo()
      await operator.dashboard.comeNear()
      await expect.poll(() => operator.dashboard.onMap()).toContain(device.name)
    }
    const at = firstAt(Buffer.from(hex, 'hex'))
    const { points } = await app.api.ask(DEVICE_CALLS.observations, {
      params: { imei },
      query: { data: { startDate: at, endDate: at + 1000 } },
    })
    expect(
      points.map(({ dateTime }) => Date.parse(dateTime)),
      imei,
    ).toContain(at)
  }
})

test('a GT06 tracker comes in over its own port and is seen on the map', async ({ operator, app }) => {
  const [first] = captured.frames
  if (first === undefined) throw new Error('No tracker is registered')
  const { now } = await app.sim.status()
  const at = Math.floor(now / 1000) * 1000
  const tracker = await dialGt06(app.gt06Port, login(first.imei))
  tracker.send(location(at, { lat: 31.52, lng: 74.35 }))
  const seen = async () => (await app.api.fleet()).find(({ imei }) => imei === first.imei)
  await expect.poll(async () => (await seen())?.timestamp).toBe(new Date(at).toISOString())
  tracker.hangUp()
  const name = (await seen())?.name ?? ''
  await operator.dashboard.search(first.imei)
  await operator.dashboard.select(name)
  await expect(operator.dashboard.position).toHaveAttribute('title', '31.52000, 74.35000')
  await operator.dashboard.letGo()
  await operator.dashboard.comeNear()
  await expect.poll(() => operator.dashboard.onMap()).toContain(name)
})

test('the same frame again changes nothing, a broken one is not acknowledged', async ({ app }) => {
  const [first] = captured.frames
  if (first === undefined) throw new Error('No frame was captured')
  const frame = Buffer.from(first.hex, 'hex')
  const tracker = await dial(app.teltonikaPort, first.imei)
  expect(await tracker.send(frame)).toBe(first.records)
  const before = await app.api.fleet()
  expect(await tracker.send(frame)).toBe(first.records)
  const broken = Buffer.from(frame)
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 0xff
  expect(await tracker.send(broken)).toBe(0)
  tracker.hangUp()
  const of = (fleet: typeof before) => fleet.find(({ imei }) => imei === first.imei)
  expect(of(await app.api.fleet())).toEqual(of(before))
})

test('a stranger is not let in', async ({ app }) => {
  await expect(dial(app.teltonikaPort, '999999999999999')).rejects.toThrow('does not let')
})
