import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { ingestRoute } from './http-route.ts'
import { createIngest, type Ingest, QueueFull } from './pipeline.ts'
import { telemetryDouble } from './testing/telemetry-double.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const ours = '350000000000001'
const theirs = '350000000000002'
const devices = new Map([
  [ours, { no: 1, imei: ours, companyId: 'indus' }],
  [theirs, { no: 2, imei: theirs, companyId: 'karakoram' }],
])
const KEYS = new Map([
  ['indus-device-key', { companyId: 'indus', keyId: 'k1' }],
  ['other-key', { companyId: 'karakoram', keyId: 'k2' }],
])
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function setUp(double = telemetryDouble(), submit?: Ingest['submit']) {
  const clock = { now: () => NOW }
  const ingest = createIngest({
    store: double.store,
    clock,
    device: (no) => [...devices.values()].find((one) => one.no === no),
    newestAt: () => 0,
    batchMs: 0,
  })
  const app: FastifyInstance = Fastify()
  app.register(ingestRoute, {
    prefix: API_PREFIX,
    ingest: submit === undefined ? ingest : { ...ingest, submit },
    clock,
    keyOf: (header) =>
      KEYS.get(String(header)) ?? { refused: { status: 401, message: 'Unknown device key' } },
    deviceByImei: (imei) => devices.get(imei),
  })
  closing.push(
    () => app.close(),
    () => ingest.stop(),
  )
  const post = (body: unknown, key: string | undefined = 'indus-device-key') =>
    app.inject({
      method: 'POST',
      url: '/api/ingest',
      headers: { ...(key === undefined ? {} : { 'x-device-key': key }), 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  return { post, double }
}

test('readings are stored in units, and the answer comes after', async () => {
  const { post, double } = setUp()
  const reading = {
    imei: ours,
    at: '2026-01-15T07:59:00Z',
    lat: 31.52,
    lng: 74.35,
    temperature: -18.4,
    humidity: 61.25,
    speed: 72.5,
    angle: 270,
    GSM_Signal: 4,
    GNSS_Status: 1,
    External_Voltage: 27.4,
    Battery_Voltage: 3.91,
    Ignition: true,
    Unplug: 0,
    Door: true,
  }
  const answer = await post({ readings: [reading, { imei: ours, at: NOW }] })
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { accepted: 2, duplicates: 0, held: 0, refused: [], dropped: [] },
  ])
  expect(double.readings).toEqual([
    {
      device: 1,
      at: NOW - 60_000,
      lat: 31.52,
      lng: 74.35,
      temperature: -18.4,
      humidity: 61.25,
      speed: 72.5,
      heading: 270,
      gsmSignal: 4,
      gnssStatus: 1,
      externalVoltage: 27.4,
      batteryVoltage: 3.91,
      ignition: 1,
      unplug: 0,
      door: 1,
    },
    { device: 1, at: NOW },
  ])
})

test('a wrong reading is refused by its index and does not hold up the rest', async () => {
  const { post, double } = setUp()
  const answer = await post({
    readings: [
      { imei: ours, at: '2026-02-31T00:00:00Z' },
      { imei: theirs, at: NOW },
      { imei: '350000000000009', at: NOW },
      { imei: ours, at: NOW - 1, temperature: 5 },
      { imei: ours, at: 'yesterday' },
      { imei: ours, at: '1999-05-01T00:00:00Z' },
      { imei: ours, at: NOW - 2, lat: 31 },
      { imei: ours, at: NOW - 1, temperature: 5 },
      'nonsense',
    ],
  })
  const { accepted, duplicates, refused } = answer.json()
  expect([accepted, duplicates]).toEqual([1, 1])
  expect(refused.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 4, 5, 6, 8])
  expect(refused[0].reason).toContain('at')
  expect(refused[1].reason).toBe('unknown device')
  expect(refused[2].reason).toBe('unknown device')
  expect(refused[4].reason).toBe('its time is before 2000')
  expect(refused[5].reason).toBe('half a position')
  expect(double.readings).toEqual([{ device: 1, at: NOW - 1, temperature: 5 }])
  expect(double.facts.map(({ type }) => type)).toContain('reading.quarantined')
})

test.for([undefined, '', 'wrong', 'indus-device-key '])('the key %s opens nothing', async (key) => {
  const { post, double } = setUp()
  const answer = await post({ readings: [{ imei: ours, at: NOW }] }, key ?? '')
  expect(answer.statusCode).toBe(401)
  expect(double.readings).toEqual([])
})

test.for([null, [], { readings: {} }, { readings: [], more: 1 }, {}])(
  'the envelope %j is refused',
  async (body) => {
    const { post } = setUp()
    const answer = await post(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 400 })
  },
)

test('a full queue says when to come back', async () => {
  const submit = vi.fn(() => Promise.reject(new QueueFull(50_000)))
  const answer = await setUp(telemetryDouble(), submit).post({ readings: [{ imei: ours, at: NOW }] })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
})

test('nothing is answered before the store has it', async () => {
  const { post, double } = setUp(telemetryDouble({ holds: true }))
  let isAnswered = false
  const answer = post({ readings: [{ imei: ours, at: NOW }] }).then((it) => {
    isAnswered = true
    return it
  })
  await vi.waitUntil(() => double.held.length === 1)
  expect(isAnswered).toBe(false)
  double.release()
  expect((await answer).statusCode).toBe(200)
})

test('a reading that is impossible in one field is taken without it, and the sender is told', async () => {
  const { post, double } = setUp()
  const answer = await post({
    readings: [{ imei: ours, at: NOW, temperature: 4, speed: 500, lat: 95, lng: 70 }],
  })
  expect(answer.json()).toMatchObject({
    accepted: 1,
    refused: [],
    dropped: [
      { index: 0, reason: 'speed is out of range' },
      { index: 0, reason: 'lat is out of range' },
    ],
  })
  expect(double.readings).toEqual([{ device: 1, at: NOW, temperature: 4 }])
})
