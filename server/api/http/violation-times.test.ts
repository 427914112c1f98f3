import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { violationFound, violationOpened, violationRevised } from '../../testing/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const imeiOf = (no: number) => `35000000000000${no}`
/** minutes from now, which is 09:00 in Karachi */
const at = (minutes: number) => START + minutes * MINUTE
const ALL = Object.values(ViolationType.schema)

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
})
afterAll(() => server.close())

async function append(...facts: NewFact[]) {
  await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
}
const cleared = (no: number, openedAt: number, minutes: number, type: ViolationType): NewFact => ({
  type: 'violation.cleared',
  at: at(minutes),
  companyId: 'indus',
  data: {
    violationId: `${imeiOf(no)}-${at(openedAt)}`,
    imei: imeiOf(no),
    type,
    value: 7,
    worst: 10,
    durationSeconds: 60,
    reason: 'back-inside',
  },
})
/** Readings a minute of a device at one temperature, from and to in minutes, both included. */
function read(no: number, from: number, to: number, temperature: number) {
  const device = server.readModels.directory.numbers.get(imeiOf(no)) as number
  const readings = Array.from(
    { length: to - from + 1 },
    (_, i): Reading => ({ device, at: at(from + i), temperature }),
  )
  return server.read(...readings)
}
const body = (from: number, to: number, more: object = {}) => ({
  startDate: at(from),
  endDate: at(to),
  violations: ALL,
  timeZone: 'Asia/Karachi',
  ...more,
})
const times = (from: number, to: number, more: object = {}) =>
  server.answer('violationTimes', { params: { groupId: 'indus' }, body: body(from, to, more), token })

test('an hour at 10 °C above 8 °C is 60 minutes and 120 degree-minutes, by its hours, day, place and device', async () => {
  await read(1, -90, -30, 10)
  await append(
    violationOpened(imeiOf(1), at(-85), { since: at(-90) }, 'indus'),
    cleared(1, -85, -30, 'HIGH_TEMPERATURE_DETECTED'),
  )
  const answer = await times(-1440, 0)
  expect(answer.minutes).toBe(60)
  expect(answer.kinds.HIGH_TEMPERATURE_DETECTED).toBe(60)
  expect(answer.hours[7]).toBe(30)
  expect(answer.hours[8]).toBe(30)
  expect(answer.days).toEqual([
    { day: '2026-11-20', minutes: 0, violations: 0 },
    { day: '2026-11-21', minutes: 60, violations: 1 },
  ])
  expect(answer.places).toEqual([{ place: 'Lahore', minutes: 60, violations: 1 }])
  expect(answer.devices).toHaveLength(1)
  expect(answer.devices[0]).toMatchObject({
    imei: imeiOf(1),
    minutes: 60,
    violations: 1,
    place: 'Lahore',
    percentMinutes: 0,
  })
  expect(answer.devices[0]?.degreeMinutes).toBeCloseTo(120)
})

test('only the part within the range counts, and what lasts does until now', async () => {
  const { minutes, devices } = await times(-60, 0)
  expect(minutes).toBe(30)
  expect(devices[0]?.violations, 'it was told of before').toBe(0)
  expect(devices[0]?.degreeMinutes).toBeCloseTo(60)
  await append(violationOpened(imeiOf(3), at(-1500), { since: at(-1510) }, 'indus'))
  expect((await times(-1440, 600)).devices[0]).toMatchObject({ imei: imeiOf(3), minutes: 1440 })
  expect((await times(-60, 0, { devices: [imeiOf(1)] })).minutes).toBe(30)
  expect((await times(-60, 0, { violations: ['LOW_TEMPERATURE_DETECTED'] })).minutes).toBe(0)
})

test('two values of a device that are out at once are one time of it, and two of their kinds', async () => {
  await append(
    violationOpened(imeiOf(1), at(-60), { since: at(-60), type: 'HIGH_HUMIDITY_DETECTED' }, 'indus'),
    cleared(1, -60, -20, 'HIGH_HUMIDITY_DETECTED'),
  )
  const answer = await times(-1440, 0, { devices: [imeiOf(1)] })
  expect(answer.minutes).toBe(70)
  expect(answer.kinds).toMatchObject({ HIGH_TEMPERATURE_DETECTED: 60, HIGH_HUMIDITY_DETECTED: 40 })
})

test('one of before the record began lasts as long as it was found to', async () => {
  await append(violationFound(imeiOf(2), at(-2000), { since: at(-2005) }, 'indus'))
  expect((await times(-2100, -1900, { devices: [imeiOf(2)] })).minutes).toBe(15)
})

test('late readings change how long a violation was, and take away one that never was, also at the second time', async () => {
  const opened = { openedAt: at(-4000), clearedAt: null, threshold: 8, worst: 9.25 }
  const longer = { since: at(-4100), openedAt: at(-4090), clearedAt: at(-4000), threshold: 8, worst: 9 }
  const range = [-5000, -3000] as const
  const own = { devices: [imeiOf(2)] }
  await append(violationOpened(imeiOf(2), at(-4000), {}, 'indus'))
  await append(
    violationRevised(
      imeiOf(2),
      at(-4000),
      { before: { ...opened, since: at(-4001) }, after: longer },
      'indus',
    ),
  )
  expect((await times(...range, own)).minutes).toBe(100)
  await append(violationRevised(imeiOf(2), at(-4000), { before: longer, after: null }, 'indus'))
  expect((await times(...range, own)).minutes).toBe(0)
  const { counts } = await server.answer('violationStats', {
    params: { groupId: 'indus' },
    body: { ...body(...range, own), timeZone: undefined },
    token,
  })
  expect(counts.total).toBe(0)
})

test('what is no time zone and more than 400 days are refused by what is wrong', async () => {
  const refused = async (more: object) => {
    const { statusCode, body: text } = await server.ask('violationTimes', {
      params: { groupId: 'indus' },
      body: body(-1440, 0, more),
      token,
    })
    return [statusCode, JSON.parse(text).message]
  }
  expect(await refused({ timeZone: 'Moon/Base' })).toEqual([
    400,
    'Moon/Base is no time zone: name one as Asia/Karachi or UTC',
  ])
  expect(await refused({ startDate: at(-401 * 1440) })).toEqual([400, 'Choose 400 days at most'])
})
