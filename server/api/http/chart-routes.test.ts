import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallName } from '#machines/contracts/calls.ts'
import { LATEST_INSTANT } from '#machines/contracts/scalars.ts'
import { distanceKm } from '#machines/rules/distance.ts'
import { OutOfLine } from '../../cluster/line.ts'
import type { TelemetryStore } from '../../store/store.ts'
import { chartRoutes } from './chart-routes.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'
import { createVisibleScope } from './visible-scope.ts'

const IMEI = '350000000000001'
const OTHER = '350000000000002'
const MINUTE = 60_000
const DAY = 86_400_000
/** Midnight in Karachi, when the 21st begins there. */
const MIDNIGHT = Date.parse('2026-11-20T19:00:00Z')

/** Ten minutes of a kilometre each northwards, then ten of standing with the engine on, the cargo getting colder. */
const drive = (device: number, from: number) =>
  Array.from({ length: 21 }, (_, i) => ({
    device,
    at: from + i * MINUTE,
    lat: 31 + Math.min(i, 10) * 0.009,
    lng: 74,
    speed: i < 10 ? 60 : 0,
    ignition: 1,
    temperature: 10 - i / 10,
  }))

let server: TestServer
let token: string
const km = distanceKm(31, 74, 31.09, 74)
beforeAll(async () => {
  server = await buildTestServer()
  token = (await server.signIn('danish')).access_token
  await server.read(
    ...drive(1, MIDNIGHT - 3 * 3_600_000),
    ...drive(1, MIDNIGHT - 5 * MINUTE),
    ...drive(2, MIDNIGHT + 3_600_000),
  )
})
afterAll(() => server.close())

const requested = { startDate: MIDNIGHT - DAY, endDate: START }

test('trips are counted on the day they set off, of all devices together', async () => {
  const chart = await server.answer('tripsChart', {
    body: { things: [IMEI, OTHER, IMEI], ...requested },
    token,
  })
  expect(chart).toEqual({
    timeZone: 'Asia/Karachi',
    data: [
      {
        date: '2026-11-20',
        trips: 2,
        distance: expect.closeTo(2 * km, 2),
        drivingMinutes: 20,
        longest: expect.closeTo(km, 2),
      },
      {
        date: '2026-11-21',
        trips: 1,
        distance: expect.closeTo(km, 2),
        drivingMinutes: 10,
        longest: expect.closeTo(km, 2),
      },
    ],
  })
})

test('distance is shared at midnight', async () => {
  const { data } = await server.answer('gdChart', { params: { id: IMEI }, query: { data: requested }, token })
  expect(data).toEqual([
    {
      date: '2026-11-20',
      distance: expect.closeTo(1.5 * km, 2),
      drivingMinutes: 15,
      idlingMinutes: 10,
      standingMinutes: 0,
      topSpeed: 60,
    },
    {
      date: '2026-11-21',
      distance: expect.closeTo(0.5 * km, 2),
      drivingMinutes: 5,
      idlingMinutes: 10,
      standingMinutes: 0,
      topSpeed: 60,
    },
  ])
})

test('fuel is what distance, idling and cooling would burn by the figures told', async () => {
  const { data, per } = await server.answer('fuelStats', { body: { things: [OTHER], ...requested }, token })
  expect(data[0]).toMatchObject({ distance: 0, litres: 0 })
  const day = data[1]
  expect(day).toMatchObject({ idlingMinutes: 10, reeferMinutes: 20 })
  expect(day?.drivingLitres).toBeCloseTo(km * per.drivingPerKm, 2)
  expect(day?.idlingLitres).toBeCloseTo(per.idlingPerHour / 6, 2)
  expect(day?.reeferLitres).toBeCloseTo(per.reeferPerHour / 3, 2)
  expect(day?.litres).toBeCloseTo(km * per.drivingPerKm + per.idlingPerHour / 6 + per.reeferPerHour / 3, 2)
})

test('a month is the most that can be asked for, and what is not seen is not there', async () => {
  const long = { startDate: START - 40 * DAY, endDate: START }
  const response = await server.ask('gdChart', { params: { id: IMEI }, query: { data: long }, token })
  expect([response.statusCode, response.json().message]).toEqual([
    400,
    'End date can be at most one month after the start',
  ])
  const unseen = await server.ask('tripsChart', {
    body: { things: [IMEI, '350000000000000'], ...requested },
    token,
  })
  expect(unseen.statusCode).toBe(404)
})

test.each([LATEST_INSTANT, 8.64e15])(
  'a range at the end of time (%d) is refused like any other to come',
  async (at) => {
    const body = { things: [IMEI], startDate: at, endDate: at }
    expect(await server.ask('tripsChart', { body, token })).toMatchObject({ statusCode: 400 })
  },
)

test('no more is read for whoever has left', async () => {
  const handlers = new Map<CallName, (request: object) => Promise<unknown>>()
  const read: number[] = []
  const telemetry: TelemetryStore = {
    ...server.store.telemetry,
    history: (device, from, to) => {
      read.push(device)
      return server.store.telemetry.history(device, from, to)
    },
  }
  chartRoutes({
    ...server,
    store: { ...server.store, telemetry },
    visible: createVisibleScope(server.readModels.directory),
    answerCall: (name, handler) => void handlers.set(name, handler as (request: object) => Promise<unknown>),
  })
  const visitor = { companyId: 'indus', groupId: 'indus', hasLeft: () => read.length === 2 }
  const body = { things: [IMEI, OTHER], startDate: START - 9 * DAY, endDate: START }
  await expect(handlers.get('tripsChart')?.({ body, visitor })).rejects.toThrow(OutOfLine)
  expect(read).toEqual([1, 1])
})
