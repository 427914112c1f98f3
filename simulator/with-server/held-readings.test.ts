import { expect, onTestFinished, test } from 'vitest'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { device } from '../../server/testing/facts.ts'
import { startDemo } from '../testing/start-demo.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A demo with a device of its own that says nothing by itself. */
async function startWithSilent() {
  const { server, sim } = await startDemo()
  onTestFinished(() => server.close())
  const { store, readModels, ingest } = server.app.core
  const no = readModels.directory.devices.length
  const silent = device(no, '356307042441013', 'indus', 'indus', { name: 'Silent', type: 'vehicle' as const })
  await readModels.settled((await store.log.append('registry', [silent])).facts[0]?.seq ?? 0)
  const { now } = await sim.status()
  return { store, ingest, sim, no, now }
}

test('a reading that came ahead of its time is released when the world is set forward past it', async () => {
  const { store, ingest, sim, no, now } = await startWithSilent()
  const ahead = createReadings(1)
  pushReading(ahead, { device: no, at: now + HOUR, temperature: 9 })
  expect(await ingest.submit(ahead, 'api')).toMatchObject({ held: 1 })
  const kinds = async () => (await store.aside.of(no, now, now + 2 * HOUR)).map(({ kind }) => kind)
  await sim.advanceTo(now + HOUR / 2)
  expect(await kinds()).toEqual(['held'])
  await sim.advanceTo(now + HOUR + 1000)
  expect(await kinds()).toEqual(['released'])
  expect((await store.telemetry.history(no, now, now + 2 * HOUR)).length).toBe(1)
})

test('the next incident may be one that readings ahead of their time show', async () => {
  const { ingest, sim, no, now } = await startWithSilent()
  const ahead = createReadings(20)
  for (let minute = 10; minute < 30; minute++)
    pushReading(ahead, { device: no, at: now + minute * MINUTE, temperature: 60 })
  expect(await ingest.submit(ahead, 'api')).toMatchObject({ held: 20 })
  const { incident, now: stoodAt } = await sim.ask('POST', '/clock', { toNextIncident: true })
  expect(incident).toMatchObject({ type: 'HIGH_TEMPERATURE_DETECTED', deviceName: 'Silent' })
  // not where a timer of real time got round to them
  expect(stoodAt - incident.at).toBeLessThan(MINUTE)
})
