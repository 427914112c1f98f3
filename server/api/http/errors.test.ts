import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BUILD_HEADER } from '#machines/contracts/protocol.ts'
import { OutOfLine } from '../../cluster/line.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { refusalsPlugin } from './refusals.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }
const authorized = () => ({ ...json, authorization: `Bearer ${token}` })

describe('an error is always code and message', () => {
  test.each([
    ['an unknown path', () => ({ method: 'GET', url: '/api/nowhere' }), 404],
    ['a page while there is no portal', () => ({ method: 'GET', url: '/nowhere' }), 404],
    ['an unknown method', () => ({ method: 'DELETE', url: '/api/time' }), 404],
    ['broken JSON', () => ({ method: 'POST', url: '/api/auth/login', headers: json, payload: '{' }), 400],
    ['an empty body', () => ({ method: 'POST', url: '/api/auth/login', headers: json, payload: '' }), 400],
    ['no body', () => ({ method: 'POST', url: '/api/auth/login' }), 400],
    [
      'a poisoned prototype',
      () => ({ method: 'POST', url: '/api/auth/login', headers: json, payload: '{"__proto__":{"a":1}}' }),
      400,
    ],
    [
      'a form',
      () => ({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'username=a',
      }),
      415,
    ],
    [
      'text',
      () => ({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'text/plain' },
        payload: '{}',
      }),
      415,
    ],
    [
      'a body beyond all measure',
      () => ({
        method: 'POST',
        url: '/api/auth/login',
        headers: json,
        payload: `{"username":"${'x'.repeat(16 * 1024)}"}`,
      }),
      413,
    ],
    ['an id that is none', () => ({ method: 'GET', url: '/api/groups/%20%2F', headers: authorized() }), 400],
    [
      'a path that cannot be read',
      () => ({ method: 'GET', url: '/api/groups/%E0%A4%A', headers: authorized() }),
      400,
    ],
  ] as const)('%s', async (_, request, status) => {
    const response = await server.app.inject(request() as InjectOptions)
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toContain('application/json')
    expect(response.json()).toEqual({ code: status, message: expect.stringMatching(/./) })
  })

  test('a text in hundreds of lists is refused at its place, and not made a text for each of them', async () => {
    const join = vi.spyOn(Array.prototype, 'join')
    const payload = `{"username":"a","password":${'['.repeat(500)}"x"${',1]'.repeat(500)}}`
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: json,
      payload,
    })
    const times = join.mock.calls.length
    join.mockRestore()
    expect(response.json().message).toContain('at password: expected string')
    expect(times).toBeLessThan(200)
  })

  test('a field nobody asked for is refused by its name', async () => {
    const response = await server.ask('login', { body: { username: 'a', password: 'b', admin: true } })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('at admin: is not known here')
  })

  test('a store that cannot write says when to come again, and the change is not made', async () => {
    const { append } = server.store.log
    server.store.log.append = () => Promise.reject(new StoreUnavailable('disk full'))
    const response = await server.ask('updateThing', {
      params: { imei: '350000000000001' },
      body: { name: 'New', groupId: 'punjab' },
      token,
    })
    server.store.log.append = append
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('5')
    expect(response.json()).toEqual({ code: 503, message: 'Not available now, try again shortly' })
    const { data } = await server.answer('observationsLatest', { params: { groupId: 'punjab' }, token })
    expect(data[0]?.name).toBe('Reefer 1')
  })

  test('too much of one person that waits is said so, and when to come again', async () => {
    const app = Fastify()
    await app.register(refusalsPlugin)
    app.get('/', () => Promise.reject(new OutOfLine('Too much waits')))
    const { statusCode, headers, body } = await app.inject('/')
    expect([statusCode, headers['retry-after'], JSON.parse(body).message]).toEqual([
      429,
      '1',
      'Too much waits',
    ])
    await app.close()
  })

  test('a fault of ours tells nothing of the inside', async () => {
    const { history } = server.store.telemetry
    server.store.telemetry.history = () => Promise.reject(new Error('SELECT secrets FROM chunks'))
    const response = await server.ask('observations', {
      params: { imei: '350000000000001' },
      query: { data: { startDate: 0, endDate: 1 } },
      token,
    })
    server.store.telemetry.history = history
    expect(response.json()).toEqual({ code: 500, message: 'Something went wrong' })
  })
})

describe('beside the calls', () => {
  test.each([
    [{ HOST: '0.0.0.0' }, undefined, 404],
    [{ HOST: '0.0.0.0', METRICS_TOKEN: 'a token of figures' }, undefined, 404],
    [{ HOST: '0.0.0.0', METRICS_TOKEN: 'a token of figures' }, 'Bearer another token', 404],
    [{ HOST: '0.0.0.0', METRICS_TOKEN: 'a token of figures' }, 'Bearer a token of figures', 200],
    [{ METRICS_TOKEN: 'a token of figures' }, undefined, 404],
  ])('with %j and the authorization %s figures are answered %i', async (env, authorization, status) => {
    const watched = await buildTestServer({ env })
    const headers = authorization === undefined ? {} : { authorization }
    expect((await watched.app.inject({ url: '/metrics', headers })).statusCode).toBe(status)
    await watched.close()
  })

  test.each([
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
  ])('without a token figures are not for who comes through a proxy on this machine: %j', async (headers) => {
    expect((await server.app.inject({ url: '/metrics', headers })).statusCode).toBe(404)
    expect((await server.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })).statusCode).toBe(404)
    const watched = await buildTestServer({ env: { METRICS_TOKEN: 'a token of figures' } })
    const authorization = 'Bearer a token of figures'
    const { statusCode } = await watched.app.inject({
      url: '/metrics',
      headers: { ...headers, authorization },
    })
    expect(statusCode).toBe(200)
    await watched.close()
  })

  test('health, readiness and figures', async () => {
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    const { body, headers } = await server.app.inject('/metrics')
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toMatch(/^devices 5$/m)
    expect(body).toMatch(/^read_models_lag 0$/m)
    expect(body).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/api\/auth\/login",status="200"\} \d/,
    )
  })
})

describe('the portal', () => {
  const dir = mkdtempSync(join(tmpdir(), 'frostline-dist-'))
  const distDir = join(dir, 'dist')
  const browser = { accept: 'text/html,*/*' }
  let served: TestServer
  beforeAll(async () => {
    served = await buildTestServer({ distDir })
  })
  afterAll(async () => {
    await served.close()
    rmSync(dir, { recursive: true })
  })

  test('is not there before it is built, and there as soon as it is', async () => {
    for (const url of ['/', '/temperature/350000000000001']) {
      const early = await served.app.inject({ url, headers: browser })
      expect([early.statusCode, early.headers['retry-after']]).toEqual([503, '1'])
      expect(early.body).toContain('<meta http-equiv="refresh" content="1">')
      expect(early.headers['content-security-policy']).toContain("style-src 'sha256-")
    }
    mkdirSync(join(distDir, 'assets'), { recursive: true })
    writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>Frostline</title>')
    writeFileSync(join(distDir, 'assets', 'main-1a2b.js'), 'start()')
    const page = await served.app.inject({ url: '/', headers: browser })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Frostline')
    expect(page.headers['cache-control']).toBe('no-cache')
  })

  test('says with each answer of the API which build it is of, also when another takes its place', async () => {
    const build = async () => (await served.app.inject('/api/time')).headers[BUILD_HEADER]
    expect(await build()).toBeUndefined()
    const page = (name: string) => `<script type="module" crossorigin src="/assets/${name}.js"></script>`
    for (const name of ['index-1a2b', 'index-33c4-d'])
      for (const at of [1, 2]) {
        writeFileSync(join(distDir, 'index.html'), `<title>Frostline</title>${page(name)}`)
        utimesSync(join(distDir, 'index.html'), at, name.length + at)
        expect(await build()).toBe(name)
      }
  })

  test('has one page for every route of it', async () => {
    for (const url of ['/temperature/350000000000001', '/groups/punjab/update', '/user/activate/a.b']) {
      const page = await served.app.inject({ url, headers: browser })
      expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Frostline')])
    }
  })

  test('who says nothing of what they read gets the page, unless they ask for a file', async () => {
    expect((await served.app.inject('/login')).body).toContain('Frostline')
    expect(
      (await served.app.inject({ url: '/login', headers: { accept: 'application/json' } })).statusCode,
    ).toBe(404)
    expect((await served.app.inject('/favicon.png')).statusCode).toBe(404)
  })

  test('a call, a script or a socket that is not there is not a page', async () => {
    for (const url of ['/api/nowhere', '/sim/nowhere', '/assets/gone.js', '/live'])
      expect((await served.app.inject({ url, headers: browser })).json()).toEqual({
        code: 404,
        message: 'Not found',
      })
  })

  test('built files may be kept for good', async () => {
    const script = await served.app.inject('/assets/main-1a2b.js')
    expect(script.body).toBe('start()')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('nothing outside the directory is served', async () => {
    writeFileSync(join(dir, 'secret.txt'), 'secret')
    for (const url of ['/../secret.txt', '/..%2fsecret.txt', '/assets/..%2f..%2fsecret.txt'])
      expect((await served.app.inject(url)).body).not.toContain('secret')
  })
})
