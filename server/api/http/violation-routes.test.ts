import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { violationFound, violationOpened } from '../../testing/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const imeiOf = (no: number) => `35000000000000${no}`
const at = (minutes: number) => START + minutes * MINUTE
const DAY = { startDate: at(-1440), endDate: at(0) }
const ALL = [
  'LOW_TEMPERATURE_DETECTED',
  'LOW_HUMIDITY_DETECTED',
  'HIGH_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
]

let server: TestServer
let top: string
let child: string
beforeAll(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
  await append(
    violationOpened(imeiOf(1), at(-5), {}, 'indus'),
    violationOpened(imeiOf(1), at(-100), { type: 'LOW_HUMIDITY_DETECTED' }, 'indus'),
    violationFound(imeiOf(1), at(-1000), {}, 'indus'),
    violationFound(imeiOf(3), at(-900), { type: 'LOW_TEMPERATURE_DETECTED' }, 'indus'),
    violationOpened(imeiOf(2), at(-1441), {}, 'indus'),
    violationOpened(imeiOf(4), at(-5), {}, 'karakoram'),
  )
})
afterAll(() => server.close())

async function append(...facts: NewFact[]) {
  await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
}
const stats = (groupId: string, token: string, devices: number[], more: object = {}) =>
  server.answer('violationStats', {
    params: { groupId },
    body: { ...DAY, devices: devices.map(imeiOf), violations: ALL, ...more },
    token,
  })
const summary = (groupId: string, token: string, more: object = {}) =>
  server.answer('summaryChart', { params: { groupId }, body: { ...DAY, ...more }, token })

test('violations are counted a device and type, those of before the record began among them', async () => {
  expect(await stats('indus', top, [1, 2, 3])).toEqual({
    data: [
      {
        plateNumber: 'LES-1',
        imei: imeiOf(1),
        LowTemperature: 0,
        LowHumidity: 1,
        HighTemperature: 2,
        HighHumidity: 0,
      },
      {
        plateNumber: 'LES-3',
        imei: imeiOf(3),
        LowTemperature: 1,
        LowHumidity: 0,
        HighTemperature: 0,
        HighHumidity: 0,
      },
    ],
    counts: {
      LOW_TEMPERATURE_DETECTED: 1,
      LOW_HUMIDITY_DETECTED: 1,
      HIGH_TEMPERATURE_DETECTED: 2,
      HIGH_HUMIDITY_DETECTED: 0,
      total: 4,
    },
  })
})

test('only those of the devices, types, time and group asked for', async () => {
  const totalOf = async (...args: Parameters<typeof stats>) => (await stats(...args)).counts.total
  expect(await totalOf('indus', top, [3])).toBe(1)
  expect(await totalOf('indus', top, [1, 1, 3], { violations: ['LOW_HUMIDITY_DETECTED'] })).toBe(1)
  expect(await totalOf('indus', top, [1, 3], { startDate: at(-100), endDate: at(-5) })).toBe(2)
  expect(await totalOf('indus', top, [2], { startDate: at(-1441) })).toBe(1)
  expect(await totalOf('sindh', top, [1, 3])).toBe(1)
  expect(await totalOf('indus', top, [])).toBe(0)
  const named = await stats('indus', top, [1, 2, 3])
  for (const devices of [['ALL'], 'ALL', undefined]) {
    expect(await stats('indus', top, [], { devices })).toEqual(named)
    expect(await totalOf('punjab', child, [], { devices })).toBe(3)
  }
  expect(await stats('indus', top, [1], { violations: [] })).toMatchObject({ data: [], counts: { total: 0 } })
})

test('a device out of scope is not found, whatever else is requested', async () => {
  const body = { ...DAY, devices: [imeiOf(1), imeiOf(3)], violations: ALL }
  const refused = await server.ask('violationStats', { params: { groupId: 'punjab' }, body, token: child })
  expect(refused.statusCode).toBe(404)
})

test('times are ISO 8601 or epoch ms, and what is neither is refused by its name', async () => {
  const iso = (ms: number) => new Date(ms).toISOString()
  const inIso = { startDate: iso(at(-100)), endDate: iso(at(-5)) }
  expect(await stats('indus', top, [1, 3], inIso)).toEqual(
    await stats('indus', top, [1, 3], { startDate: at(-100), endDate: at(-5) }),
  )
  for (const startDate of ['yesterday', '1969-12-31T00:00:00.000Z', 1e20]) {
    const body = { ...DAY, devices: [], violations: ALL, startDate }
    const refused = await server.ask('violationStats', { params: { groupId: 'indus' }, body, token: top })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toMatch(/^body: at startDate: expected ISO 8601 instant/)
  }
})

test('devices with violations stand against those without, in the group and below', async () => {
  expect(await summary('indus', top)).toEqual({
    data: [
      { label: 'Violation Devices', value: 2 },
      { label: 'Normal Devices', value: 2 },
    ],
    numOfDevices: 4,
    totalViolations: 4,
  })
  expect(await summary('punjab', child)).toMatchObject({ numOfDevices: 2, totalViolations: 3 })
  expect(await summary('empty', top)).toMatchObject({
    data: [{ value: 0 }, { value: 0 }],
    numOfDevices: 0,
    totalViolations: 0,
  })
})

test('a device that is retired stands on neither side; what it did stays in the total and the bars, as in the lists', async () => {
  const token = (await server.signIn('karim')).access_token
  const bars = async () => (await stats('karakoram', token, [], { devices: ['ALL'] })).counts.total
  const sides = async () => {
    const { data, numOfDevices, totalViolations } = await summary('karakoram', token)
    return [...data.map(({ value }) => value), numOfDevices, totalViolations]
  }
  expect([...(await sides()), await bars()]).toEqual([1, 0, 1, 1, 1])
  await append({
    ...{ type: 'device.retired', at: at(0), companyId: 'karakoram' },
    data: { no: 4, imei: imeiOf(4) },
  })
  expect([...(await sides()), await bars()]).toEqual([0, 0, 0, 1, 1])
})

test('a device counts where it is now, with all it did before', async () => {
  await append({
    type: 'device.updated',
    at: START,
    companyId: 'indus',
    data: { imei: imeiOf(3), groupId: 'lahore' },
  })
  expect(await summary('punjab', child)).toMatchObject({ numOfDevices: 3, totalViolations: 4 })
  expect(await summary('sindh', top)).toMatchObject({ numOfDevices: 0, totalViolations: 0 })
})
