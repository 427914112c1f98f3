import { afterEach, beforeEach, expect, test } from 'vitest'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const imeiOf = (no: number) => `35000000000000${no}`

let server: TestServer
beforeEach(async () => {
  server = await buildTestServer()
})
afterEach(() => server.close())

test('a glance says where a device is and how its last three hours were', async () => {
  const readings = createReadings(60)
  for (let minutes = 240; minutes >= 0; minutes -= 5)
    pushReading(readings, {
      device: 1,
      at: START - minutes * MINUTE,
      lat: 31.52,
      lng: 74.35,
      temperature: minutes / 10,
    })
  await server.store.telemetry.append(readings, START)
  await server.readModels.settled(server.store.log.head())
  const { access_token: token } = await server.signIn('ayesha')
  const [glance, silent] = await server.answer('glances', { body: { things: [imeiOf(1), imeiOf(0)] }, token })
  expect(glance).toMatchObject({ imei: imeiOf(1), place: 'Lahore' })
  expect([glance?.at[0], glance?.at.at(-1)]).toEqual([START - 180 * MINUTE, START])
  expect([glance?.temperature[0], glance?.temperature.at(-1), glance?.humidity[0]]).toEqual([18, 0, null])
  expect(silent).toEqual({ imei: imeiOf(0), place: '', at: [], temperature: [], humidity: [] })
})

test('of a device one does not see there is none, and of very many neither', async () => {
  const { access_token: token } = await server.signIn('danish')
  expect((await server.ask('glances', { body: { things: [imeiOf(3)] }, token })).statusCode).toBe(404)
  const many = Array<string>(41).fill(imeiOf(1))
  expect((await server.ask('glances', { body: { things: many }, token })).statusCode).toBe(400)
})
