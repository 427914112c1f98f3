import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { FAULTS } from '#machines/contracts/scenario-script.ts'
import { refusalsPlugin } from '../../server/api/http/refusals.ts'
import { createIsProxy } from '../../server/config/proxies.ts'
import { simPlugin } from './sim.ts'
import { fakeDirector, IMEI, START } from './testing/fake-director.ts'

let app: FastifyInstance
let server: ReturnType<typeof fakeDirector>
beforeEach(async () => {
  server = fakeDirector('s3cret')
  app = Fastify()
  await app.register(refusalsPlugin)
  await app.register(simPlugin, server.deps)
  app.get('/other', async () => 'open')
})
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, ...(payload && { payload }) })

describe('status and clock', () => {
  test('status has what it always had, and is what the contract says', async () => {
    const answer = (await call('GET', '/sim/status')).json()
    expect(decode(answer, SimStatus)).toMatchObject({
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
    { advanceSeconds: 60, toNextIncident: true },
    { toNextIncident: false },
  ])('refuses %j', async (body) => {
    const answer = await call('POST', '/sim/clock', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 400, message: expect.stringContaining('clock') })
    expect(server.state).toEqual({ now: START, speed: 1, paused: false })
  })

  test('on to the next incident, and which that is', async () => {
    expect((await call('POST', '/sim/clock', { toNextIncident: true })).json()).toMatchObject({
      incident: { type: 'offline', imei: IMEI, at: START + 60_000 },
      now: START + 60_000,
    })
  })

  test('a journey is stopped, where there is one', async () => {
    expect((await call('DELETE', '/sim/clock/journey')).statusCode).toBe(404)
    await call('POST', '/sim/clock', { advanceSeconds: 90 })
    expect((await call('DELETE', '/sim/clock/journey')).json()).toMatchObject({ now: START + 90_000 })
  })

  test('reset goes back to the start', async () => {
    await call('POST', '/sim/clock', { advanceSeconds: 90 })
    expect((await call('POST', '/sim/reset')).json()).toMatchObject({ now: START })
  })
})

describe('faults', () => {
  test.each(FAULTS)('%s is injected and seen', async (fault) => {
    const answer = await call('POST', '/sim/faults', { imei: IMEI, fault, forSeconds: 60 })
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: 'f0', devices: 1 }])
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

describe('what else is wrong, and what was done', () => {
  test.each([
    { fault: 'offline', forSeconds: 60 },
    { share: 0.5, imei: IMEI, fault: 'offline', forSeconds: 60 },
    { imei: IMEI, groupId: 'indus', fault: 'offline', forSeconds: 60 },
    { share: 0, fault: 'offline', forSeconds: 60 },
    { share: 1.5, fault: 'offline', forSeconds: 60 },
  ])('no fault of %j', async (body) => {
    expect((await call('POST', '/sim/faults', body)).statusCode).toBe(400)
  })

  test('the network, until it is good again', async () => {
    const order = { fault: 'delay', forSeconds: 30, milliseconds: 700 }
    const answer = await call('POST', '/sim/links', order)
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { id: 'l0', fault: 'delay' }])
    expect((await call('GET', '/sim/links')).json()).toEqual([answer.json()])
    expect((await call('DELETE', '/sim/links/l0')).statusCode).toBe(204)
    expect((await call('DELETE', '/sim/links/l9')).statusCode).toBe(404)
    expect((await call('POST', '/sim/links', { fault: 'gremlins', forSeconds: 30 })).statusCode).toBe(400)
  })

  test('an action is undone where that can be', async () => {
    expect((await call('GET', '/sim/actions')).json()).toHaveLength(2)
    expect((await call('POST', '/sim/actions/a1/undo')).json()).toMatchObject({ undoneAt: START })
    expect((await call('POST', '/sim/actions/a0/undo')).statusCode).toBe(409)
    expect((await call('POST', '/sim/actions/a9/undo')).statusCode).toBe(404)
  })

  test('another world is opened by the name of its file, and only by that', async () => {
    expect((await call('POST', '/sim/open', { scenario: 'test' })).json()).toMatchObject({ seed: 7 })
    expect((await call('POST', '/sim/open', { scenario: 'nowhere' })).statusCode).toBe(404)
    for (const scenario of ['../test', 'test.json', '/etc/passwd', 'a/b', ''])
      expect((await call('POST', '/sim/open', { scenario })).statusCode).toBe(400)
    const wrong = await call('POST', '/sim/open', { scenario: 'broken' })
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      400,
      { message: 'broken: at fleets.0.home: Nowhere is not known here' },
    ])
  })

  test('what was played is kept where the server keeps any', async () => {
    const { statusCode, payload } = await call('POST', '/sim/scenarios')
    expect([statusCode, payload]).toEqual([201, 'null'])
  })

  test('the script is a file to be saved', async () => {
    const { headers } = await call('GET', '/sim/script')
    expect(headers['content-disposition']).toBe('attachment; filename="test-directed.json"')
    // a file may be called anything, and a header hold no more than Latin-1
    const { status } = server.director
    server.director.status = () => ({ ...status(), scenarioName: 'Ночь_2' })
    const named = await call('GET', '/sim/script')
    expect([named.statusCode, named.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="2-directed.json"',
    ])
  })
})

describe('people and mail', () => {
  test('a company is suspended and resumed', async () => {
    await call('POST', '/sim/companies/indus', { suspended: true })
    await call('POST', '/sim/companies/indus', { suspended: false })
    expect(server.done).toEqual([
      ['company', true],
      ['company', false],
    ])
    expect((await call('POST', '/sim/companies/nobody', { suspended: true })).statusCode).toBe(404)
  })

  test('a user must reset, or is signed out', async () => {
    await call('POST', '/sim/users/operator', { requireReset: true })
    await call('POST', '/sim/users/operator', { logout: true })
    await call('POST', '/sim/users/operator', { expire: true })
    expect(server.done).toEqual([
      ['reset', 'operator'],
      ['logout', 'operator'],
      ['expire', 'operator'],
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
    await app.register(simPlugin, fakeDirector().deps)
    expect((await from('10.0.0.7', { 'x-sim-token': '' })).statusCode).toBe(403)
  })

  test('nobody whom a proxy passes on, though the proxy is at this machine', async () => {
    const passedOn = [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '::1' },
      { 'x-forwarded-proto': 'https' },
      { via: '1.1 proxy' },
    ]
    for (const headers of passedOn) {
      expect([headers, (await from('127.0.0.1', headers)).statusCode]).toEqual([headers, 403])
      const withToken = { ...headers, 'x-sim-token': 's3cret' }
      expect((await from('127.0.0.1', withToken)).statusCode).toBe(200)
    }
  })

  test('nobody who comes by a trusted proxy, though it says nothing of that', async () => {
    app = Fastify({ trustProxy: createIsProxy(['127.0.0.1']) })
    await app.register(simPlugin, { ...server.deps, isProxy: createIsProxy(['127.0.0.1']) })
    expect((await from('127.0.0.1')).statusCode).toBe(403)
    expect((await from('::ffff:127.0.0.1')).statusCode).toBe(403)
    expect((await from('10.0.0.7', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
    expect((await from('127.0.0.1', { 'x-sim-token': 's3cret' })).statusCode).toBe(200)
    expect((await from('::1')).statusCode).toBe(200)
  })

  test('no page of another origin, also without a body, whatever it says of itself', async () => {
    const requested = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/sim/reset', headers: { host: '127.0.0.1:4000', ...headers } })
    for (const headers of [
      { origin: 'http://elsewhere.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:5000' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      // a name of theirs that leads to this machine
      { host: 'rebound.example:4000' },
      {
        host: 'rebound.example:4000',
        origin: 'http://rebound.example:4000',
        'sec-fetch-site': 'same-origin',
      },
    ])
      expect([headers, (await requested(headers)).statusCode]).toEqual([headers, 403])
    const token = { 'x-sim-token': 's3cret' }
    expect((await requested({ ...token, origin: 'http://elsewhere.example' })).statusCode).toBe(403)
    expect((await requested({ ...token, host: 'frostline.example' })).statusCode).toBe(200)
    for (const headers of [
      {},
      { origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { host: 'localhost:4000' },
      { host: '[::1]:4000' },
    ])
      expect([headers, (await requested(headers)).statusCode]).toEqual([headers, 200])
  })

  test('the gate stands before these calls only', async () => {
    expect((await app.inject({ url: '/other', remoteAddress: '10.0.0.7' })).statusCode).toBe(200)
  })
})
