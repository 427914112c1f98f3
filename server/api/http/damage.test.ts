import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggerOptions } from './logging.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const HOUR = 3_600_000
const day = { startDate: START - 24 * HOUR, endDate: START }

let server: TestServer
let token: string
const log: string[] = []
beforeAll(async () => {
  const stream = { write: (line: string) => void log.push(line) }
  server = await buildTestServer({ logger: loggerOptions('warn', stream) })
  token = (await server.signIn('danish')).access_token
})
afterAll(() => server.close())

const get = async (url: string) => (await server.app.inject({ url })).body
const historyOf = (imei: string) =>
  server.answer('observations', { params: { imei }, query: { data: day }, token })

test('what is damaged is told by readiness, metrics, log and the history of that device, and by no other', async () => {
  expect(JSON.parse(await get('/readyz'))).toEqual({ status: 'ready' })
  expect(await get('/metrics')).toContain('record_damaged_parts{table="chunks"} 0')
  expect(await historyOf('350000000000001')).not.toHaveProperty('damaged')

  const [from, to] = [START - 2 * HOUR, START - HOUR]
  server.store.damage.note({
    table: 'chunks',
    key: '1 20000 1',
    device: 1,
    from,
    to,
    reason: 'another checksum',
  })

  const ready = await server.app.inject({ url: '/readyz' })
  expect(ready.statusCode).toBe(200)
  expect(ready.json()).toEqual({
    status: 'ready',
    degraded: ['1 damaged in chunks: see the log, or npm run admin verify'],
  })
  expect(await get('/metrics')).toContain('record_damaged_parts{table="chunks"} 1')
  expect(log.join('')).toContain(
    'the record of device 350000000000001, 2026-11-21T02:00:00.000Z to 2026-11-21T03:00:00.000Z (chunks): another checksum',
  )
  expect(await historyOf('350000000000001')).toMatchObject({
    damaged: [{ from: '2026-11-21T02:00:00.000Z', to: '2026-11-21T03:00:00.000Z' }],
  })
  expect(await historyOf('350000000000002')).not.toHaveProperty('damaged')
})

test('its observations and the reports that are of it say so too, and no others', async () => {
  const [from, to] = [START - 2 * HOUR, START - HOUR]
  server.store.damage.note({
    table: 'chunks',
    key: '1 20000 1',
    device: 1,
    from,
    to,
    reason: 'another checksum',
  })
  const aside = (imei: string, more = {}) =>
    server.answer('observationsAside', { params: { imei }, query: { data: { ...day, ...more } }, token })
  expect(await aside('350000000000001')).toMatchObject({
    damaged: [{ from: '2026-11-21T02:00:00.000Z', to: '2026-11-21T03:00:00.000Z' }],
  })
  expect(await aside('350000000000002')).not.toHaveProperty('damaged')
  expect(await aside('350000000000001', { endDate: from - HOUR })).not.toHaveProperty('damaged')

  const params = { groupId: 'punjab', companyId: 'indus' }
  const report = (body: object) => server.answer('requestDistanceReport', { params, token, body })
  await report({ things: ['350000000000001'], groups: [], ...day })
  await report({ things: ['350000000000002'], groups: [], ...day })
  await report({ things: [], groups: ['punjab'], ...day, endDate: from - HOUR })
  await report({ things: [], groups: ['punjab'], ...day })
  const log = await server.answer('companyReports', { params, token })
  expect(log.map(({ damagedDevices }) => damagedDevices)).toEqual([1, undefined, undefined, 1])
})
