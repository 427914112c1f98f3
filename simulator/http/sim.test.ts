import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { FAULTS } from '#machines/contracts/scenario-script.ts'
import { refusalsPlugin } from './refusals.ts'
import { simPlugin } from './sim.ts'
import { IMEI, pretendHouse, START } from './testing/pretend-house.ts'

let app: FastifyInstance
let house: ReturnType<typeof pretendHouse>
beforeEach(async () => {
  house = pretendHouse('s3cret')
  app = Fastify()
  await app.register(refusalsPlugin)
  await app.register(simPlugin, house.deps)
  app.get('/other', async () => 'open')
})
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, ...(payload && { payload }) })

describe('status and clock', () => {
  test('status has the eight fields', async () => {
    expect((await call('GET', '/sim/status')).json()).toEqual({
      scenario: 'Test',
      seed: 7,
      now: START,
      speed: 1,
      paused: false,
      devices: 12,
      messagesSent: 34,
      hash: 'c0ffee',
    })
  })

  test('speed, pause and advance', async () => {
    expect((await call('POST', '/sim/clock', { speed: 60 })).json()).toMatchObject({ speed: 60 })
    expect((await call('POST', '/sim/clock', { paused: true })).json()).toMatchObject({ paused: true })
    expect((await call('POST', '/sim/clock', { paused: false })).json()).toMatchObject({ paused: false })
    expect((await call('POST', '/sim/clock', { advanceSeconds: 90 })).json()).toMatchObject({
      now: START + 90_000,
    })
  })

  test.each([
    {},
    { speed: 0 },
    { speed: 1e9 },
    { paused: 'yes' },
    { advanceSeconds: -1 },
    { speed: 1, haste: 1 },
  ])('refuses %j', async (body) => {
    const answer = await call('POST', '/sim/clock', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 400, message: expect.stringContaining('clock') })
    expect(house.state).toEqual({ now: START, speed: 1, paused: false })
  })

  test('reset goes back to the start', async () => {
    await call('POST', '/sim/clock', { advanceSeconds: 90 })
    expect((await call('POST', '/sim/reset')).json()).toMatchObject({ now: START })
  })
})

describe('faults', () => {
  test.each(FAULTS)('%s is injected and seen', async (fault) => {
    const answer = await call('POST', '/sim/faults', { imei: IMEI, fault, forSeconds: 60 })
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: 'f0' }])
    const seen = { id: 'f0', imei: IMEI, fault, from: START, until: START + 60_000 }
    expect((await call('GET', '/sim/faults')).json()).toEqual([seen])
    expect((await call('GET', '/sim/faults/f0')).json()).toEqual(seen)
    expect((await call('DELETE', '/sim/faults/f0')).statusCode).toBe(204)
  })

  test('of no device, of no kind, or not there', async () => {
    const wrong = { imei: '356313761284866', fault: 'offline', forSeconds: 60 }
    expect((await call('POST', '/sim/faults', wrong)).statusCode).toBe(404)
    expect((await call('POST', '/sim/faults', { ...wrong, imei: IMEI, fault: 'gremlins' })).statusCode).toBe(
      400,
    )
    expect((await call('GET', '/sim/faults/f9')).statusCode).toBe(404)
    expect((await call('DELETE', '/sim/faults/f9')).statusCode).toBe(404)
  })
})

describe('people and mail', () => {
  test('a company is suspended and resumed', async () => {
    await call('POST', '/sim/companies/indus', { suspended: true })
    await call('POST', '/sim/companies/indus', { suspended: false })
    expect(house.done).toEqual([
      ['company', true],
      ['company', false],
    ])
    expect((await call('POST', '/sim/companies/nobody', { suspended: true })).statusCode).toBe(404)
  })

  test('a user must reset, or is signed out', async () => {
    await call('POST', '/sim/users/operator', { requireReset: true })
    await call('POST', '/sim/users/operator', { logout: true })
    expect(house.done).toEqual([
      ['reset', 'operator'],
      ['logout', 'operator'],
    ])
    expect((await call('POST', '/sim/users/nobody', { logout: true })).statusCode).toBe(404)
    expect((await call('POST', '/sim/users/operator', {})).statusCode).toBe(400)
  })

  test('the outbox, all of it or one address', async () => {
    const subjects = async (query: string) =>
      (await call('GET', `/sim/outbox${query}`)).json().map((mail: { subject: string }) => mail.subject)
    expect(await subjects('')).toEqual(['Later', 'First'])
    expect(await subjects('?to=a@indus.example')).toEqual(['First'])
  })

  test('a link runs out', async () => {
    expect((await call('POST', '/sim/tokens/t0ken/expire')).statusCode).toBe(200)
    expect((await call('POST', '/sim/tokens/other/expire')).statusCode).toBe(404)
  })
})

describe('who may call', () => {
  const from = (remoteAddress: string, headers = {}) =>
    app.inject({ url: '/sim/status', remoteAddress, headers })

  test.each(['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1'])(
    '%s, which is this machine',
    async (address) => {
      expect((await from(address)).statusCode).toBe(200)
    },
  )

  test('anybody else only with the token', async () => {
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '2001:db8::1']) {
      expect((await from(address)).statusCode).toBe(403)
      expect((await from(address, { 'x-sim-token': 'guess' })).statusCode).toBe(403)
      expect((await from(address, { 'x-sim-token': 's3cret' })).statusCode).toBe(200)
    }
  })

  test('nobody else where no token is set', async () => {
    app = Fastify()
    await app.register(simPlugin, pretendHouse().deps)
    expect((await from('10.0.0.7', { 'x-sim-token': '' })).statusCode).toBe(403)
  })

  test('the gate stands before these calls only', async () => {
    expect((await app.inject({ url: '/other', remoteAddress: '10.0.0.7' })).statusCode).toBe(200)
  })
})
