import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const IMEI = '35000000000000'
const MINUTE = 60_000

let server: TestServer
let top: string
let child: string
beforeAll(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
  await append(violation(3, -5), unplugged(1, -30), violation(1, -10), unplugged(4, -1))
})
afterAll(() => server.close())

async function append(...facts: NewFact[]) {
  await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
}
const at = (minutes: number) => START + minutes * MINUTE
const unplugged = (no: number, minutes: number): NewFact => ({
  type: 'sensor.unplugged',
  at: at(minutes),
  companyId: 'indus',
  data: { imei: `${IMEI}${no}` },
})
const violation = (no: number, minutes: number): NewFact => ({
  type: 'violation.opened',
  at: at(minutes),
  companyId: 'indus',
  data: {
    violationId: `v${no}${-minutes}`,
    imei: `${IMEI}${no}`,
    type: 'HIGH_TEMPERATURE_DETECTED',
    threshold: 8,
    delaySeconds: 60,
    clearMargin: 0.5,
    since: at(minutes - 1),
    value: 9.25,
    lat: 31.5,
    lng: 74.3,
    readings: [],
  },
})
const ask = (groupId: string, token: string, more: object = {}) =>
  server.answer('notifications', {
    params: { groupId },
    body: { startDate: at(-60), endDate: at(0), ...more },
    token,
  })
const inShort = (page: Awaited<ReturnType<typeof ask>>) =>
  page.notifications.map(({ thing, type }) => [Number(thing.slice(-1)), type])

test('notifications are those of the group and below, by when they happened, newest first', async () => {
  const page = await ask('indus', top)
  expect(inShort(page)).toEqual([
    [3, 'HIGH_TEMPERATURE_DETECTED'],
    [1, 'HIGH_TEMPERATURE_DETECTED'],
    [1, 'TEMP_SENSOR_UNPLUGGED'],
  ])
  expect(page).toMatchObject({ notificationsCount: 3, hasMore: false })
  expect(page.notifications[0]).toMatchObject({
    thingName: 'Reefer 3',
    plateNumber: 'LES-3',
    lat: 31.5,
    lng: 74.3,
  })
  expect(inShort(await ask('punjab', child))).toEqual([
    [1, 'HIGH_TEMPERATURE_DETECTED'],
    [1, 'TEMP_SENSOR_UNPLUGGED'],
  ])
})

test('pages follow each other without gap or repetition', async () => {
  const pages = await Promise.all([0, 1, 2].map((skip) => ask('indus', top, { skip, limit: 1 })))
  expect(pages.flatMap(inShort)).toEqual(inShort(await ask('indus', top)))
  expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
})

test('are narrowed by time, type and thing', async () => {
  expect(inShort(await ask('indus', top, { startDate: at(-10), endDate: at(-6) }))).toEqual([
    [1, 'HIGH_TEMPERATURE_DETECTED'],
  ])
  expect(inShort(await ask('indus', top, { types: ['TEMP_SENSOR_UNPLUGGED'] }))).toEqual([
    [1, 'TEMP_SENSOR_UNPLUGGED'],
  ])
  expect(inShort(await ask('indus', top, { things: [`${IMEI}3`] }))).toEqual([
    [3, 'HIGH_TEMPERATURE_DETECTED'],
  ])
})

test('of a thing out of scope are not found', async () => {
  const body = { startDate: at(-60), endDate: at(0), things: [`${IMEI}3`] }
  const response = await server.ask('notifications', { params: { groupId: 'punjab' }, body, token: child })
  expect(response.statusCode).toBe(404)
})

test('what happens later is there at the next asking', async () => {
  const before = await ask('indus', top)
  await append(unplugged(0, -2))
  const after = await ask('indus', top)
  expect(after.notificationsCount).toBe(before.notificationsCount + 1)
  expect(inShort(after)[0]).toEqual([0, 'TEMP_SENSOR_UNPLUGGED'])
})
