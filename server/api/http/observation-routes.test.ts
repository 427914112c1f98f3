import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OBSERVATIONS_MAX_MS, OBSERVATIONS_TOO_LONG } from '#machines/contracts/calls/device-calls.ts'
import { DEVICE_KEY } from '../../commands/testing/company-facts.ts'
import { deviceKey } from '../../testing/facts.ts'
import { loggerOptions } from './logging.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const IMEI = '350000000000001'
const MINUTE = 60_000

let server: TestServer
let token: string
const warnings: string[] = []
beforeAll(async () => {
  const stream = { write: (line: string) => void warnings.push(line) }
  server = await buildTestServer({
    logger: loggerOptions('warn', stream),
    facts: [deviceKey('indus', DEVICE_KEY)],
  })
  token = (await server.signIn('danish')).access_token
  await server.read(
    {
      device: 1,
      at: START - 2 * MINUTE,
      lat: 30.28,
      lng: 71.57,
      temperature: -18.25,
      humidity: 61.5,
      speed: 54,
      gsmSignal: 4,
      gnssStatus: 1,
      externalVoltage: 27.4,
      batteryVoltage: 4.1,
      ignition: 1,
      unplug: 0,
      door: 1,
    },
    { device: 1, at: START - MINUTE, lat: 30.2, lng: 71.48, temperature: 4 },
    { device: 1, at: START },
    { device: 2, at: START - MINUTE, temperature: 7 },
  )
})
afterAll(() => server.close())

const data = { startDate: START - 5 * MINUTE, endDate: START }

test('are the readings of the device, oldest first, with all that was measured and the place in words', async () => {
  const rows = await server.answer('observationsLogs', { params: { imei: IMEI }, query: { data }, token })
  expect(rows).toEqual([
    {
      imei: IMEI,
      temperature: -18.25,
      humidity: 61.5,
      timestamp: '2026-11-21T03:58:00.000Z',
      lat: 30.28,
      lng: 71.57,
      GSM_Signal: 4,
      GNSS_Status: 1,
      External_Voltage: 27.4,
      Battery_Voltage: 4.1,
      Ignition: 1,
      Unplug: 0,
      Door: 1,
      location: '13 km NE of Multan',
    },
    expect.objectContaining({ temperature: 4, humidity: null, Ignition: null, location: 'Multan' }),
    expect.objectContaining({ temperature: null, lat: null, lng: null, location: '' }),
  ])
})

test('with its name in the temperature variant', async () => {
  const rows = await server.answer('tempObservationsLogs', { params: { id: IMEI }, query: { data }, token })
  expect(rows.map(({ name, temperature }) => [name, temperature])).toEqual([
    ['Reefer 1', -18.25],
    ['Reefer 1', 4],
    ['Reefer 1', null],
  ])
})

test('are sent piece by piece without a warning', async () => {
  warnings.length = 0
  await server.answer('observationsLogs', { params: { imei: IMEI }, query: { data }, token })
  await server.answer('tempObservationsLogs', { params: { id: IMEI }, query: { data }, token })
  expect(warnings).toEqual([])
})

test('may be none', async () => {
  const long = { startDate: START - OBSERVATIONS_MAX_MS - MINUTE, endDate: START - MINUTE * 10 }
  expect(
    await server.answer('observationsLogs', { params: { imei: IMEI }, query: { data: long }, token }),
  ).toEqual([])
})

test('are of 25 hours at most', async () => {
  const long = { startDate: START - OBSERVATIONS_MAX_MS - 1, endDate: START }
  for (const [call, params] of [
    ['observationsLogs', { imei: IMEI }],
    ['tempObservationsLogs', { id: IMEI }],
  ] as const) {
    const response = await server.ask(call, { params, query: { data: long }, token })
    expect([response.statusCode, response.json().message]).toEqual([400, OBSERVATIONS_TOO_LONG])
  }
})

describe('beside the table', () => {
  const aside = (query: object = data) =>
    server.answer('observationsAside', { params: { imei: IMEI }, query: { data: query }, token })

  test('nothing is said where nothing was kept or dropped', async () => {
    expect(await aside()).toMatchObject({ aside: [], more: 0, dropped: [] })
  })

  test('is that readings were refused for a time that GPS weeks made 1,024 weeks old', async () => {
    const at = START - 1024 * 7 * 24 * 60 * MINUTE
    const sent = await server.app.inject({
      ...{ method: 'POST', url: '/api/ingest', headers: { 'x-device-key': DEVICE_KEY } },
      payload: { readings: [{ imei: IMEI, at, temperature: 4 }] },
    })
    const reason = 'its time is 1,024 weeks behind (GPS week rollover)'
    expect(sent.json()).toMatchObject({ accepted: 0, refused: [{ index: 0, reason }] })
    const { refused, dropped } = await aside()
    expect([refused, dropped]).toEqual([[{ at: new Date(START).toISOString(), reason, times: 1 }], []])
  })

  test('are both of two readings of one instant, and what is held ahead of its time', async () => {
    const held = { device: 1, at: START + 30 * MINUTE, temperature: 4 }
    const other = { device: 1, at: START - MINUTE, temperature: 25, humidity: 40 }
    await server.store.aside.add([
      { kind: 'other', receivedAt: START + MINUTE, reading: other },
      { kind: 'held', receivedAt: START, reading: held },
    ])
    const answer = await aside()
    expect(answer.aside).toMatchObject([
      { kind: 'other', row: { temperature: 25, humidity: 40 }, counted: { temperature: 4, humidity: null } },
      { kind: 'held', receivedAt: new Date(START).toISOString(), row: { temperature: 4 } },
    ])
    expect(answer.aside[1]).not.toHaveProperty('counted')
    // what is ahead belongs to the present
    const before = { startDate: START - 60 * MINUTE, endDate: START - 30 * MINUTE }
    expect((await aside(before)).aside).toEqual([])
  })
})

test('what the company does not keep any more is in no table and no history, whether it is dropped by now or not', async () => {
  const DAY = 24 * 60 * MINUTE
  const ages = [1, 3]
  await server.read(...ages.map((days) => ({ device: 2, at: START - days * DAY, temperature: days })))
  const imei = '350000000000002'
  const seen = async (days: number) => {
    const query = { data: { startDate: START - days * DAY - MINUTE, endDate: START - days * DAY + MINUTE } }
    const { points } = await server.answer('observations', { params: { imei }, query, token })
    const rows = await server.answer('observationsLogs', { params: { imei }, query, token })
    const { aside } = await server.answer('observationsAside', { params: { imei }, query, token })
    return [...points, ...rows, ...aside.map(({ row }) => row)].map(({ temperature }) => temperature)
  }
  await server.store.aside.add(
    ages.map((days) => ({
      kind: 'other',
      receivedAt: START,
      reading: { device: 2, at: START - days * DAY, temperature: 10 * days },
    })),
  )
  expect([await seen(3), await seen(1)]).toEqual([
    [3, 3, 30],
    [1, 1, 10],
  ])
  const data = { companyId: 'indus', retentionDays: 2 }
  const { facts } = await server.store.log.append('company-indus', [
    { type: 'company.settings-changed', at: START, companyId: 'indus', data },
  ])
  await server.readModels.settled(facts[0]?.seq ?? 0)
  expect([await seen(3), await seen(1)]).toEqual([[], [1, 1, 10]])
})
