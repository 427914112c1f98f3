import { once } from 'node:events'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { GOOD_NETWORK, type Network } from '../network.ts'
import { NOTIFICATION_LIMITS } from './notification-limits.ts'
import { imeiOf, openTestServer, START, type TestServer } from './testing/test-app.ts'

let server: TestServer
const sockets: Socket[] = []
beforeEach(async () => {
  server = await openTestServer(4, { notificationLimits: { turn: 5, strangers: 3 } })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await server.close()
})

/** A client as anybody writes it, with the defaults of the library. */
function plain(auth: object, options: Partial<ManagerOptions & SocketOptions> = {}): Socket {
  const socket = io(`http://127.0.0.1:${server.port}/notifications`, { auth, forceNew: true, ...options })
  sockets.push(socket)
  return socket
}

const next = <T>(socket: Socket, event: string) =>
  new Promise<T>((resolve) => socket.once(event, (message: T) => resolve(message)))

const POLL = '/socket.io/?EIO=4&transport=polling'
const poll = (query = '', init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${POLL}${query}`, init)
const offline = () =>
  server.add([
    {
      type: 'device-status.changed',
      at: START,
      companyId: 'indus',
      data: { imei: imeiOf(0), from: 'online', to: 'offline' },
    },
  ])

describe('one port', () => {
  test('serves both sockets at once, each over its own WebSocket', async () => {
    const notifications = plain({ token: 'ayesha@indus' }, { transports: ['websocket'] })
    const live = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
    await Promise.all([once(live, 'open'), new Promise<void>((done) => notifications.on('connect', done))])
    expect(notifications.io.engine.transport.name).toBe('websocket')
    live.send(JSON.stringify({ type: 'hello', token: 'ayesha@indus' }))
    const [message] = await once(live, 'message')
    expect(JSON.parse(String(message))).toMatchObject({ type: 'welcome' })
    expect(notifications.connected).toBe(true)
    live.terminate()
  })

  test.each([
    ['a page of another site', 'https://elsewhere.example', 403],
    ['a page of no site', 'null', 403],
  ])('opens no socket for %s', async (_, origin, status) => {
    for (const path of ['/live', '/socket.io/?EIO=4&transport=websocket']) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { origin })
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(status)
      socket.on('error', () => {})
      socket.terminate()
    }
    expect((await poll('', { headers: { origin } })).status).toBe(status)
  })

  test('opens one for a page of its own', async () => {
    const origin = `http://127.0.0.1:${server.port}`
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`, { origin })
    await once(socket, 'open')
    socket.terminate()
    expect((await poll('', { headers: { origin } })).status).toBe(200)
  })

  test.each(['/elsewhere', '/live/more', '/', '/socket.iox'])('closes an upgrade of %s', async (path) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(404)
    socket.on('error', () => {})
    socket.terminate()
  })

  test.each(['/socket.io', '/socket.io/'])('answers requests of %s, and leaves all others', async (path) => {
    const requested = (url: string) => fetch(`http://127.0.0.1:${server.port}${url}`)
    const answer = await requested(`${path}?EIO=4&transport=polling`)
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    const { upgrades, maxPayload } = JSON.parse((await answer.text()).slice(1))
    expect({ upgrades, maxPayload }).toEqual({ upgrades: ['websocket'], maxPayload: 16_384 })
    expect((await requested('/elsewhere')).status).toBe(404)
  })
})

describe('a client with the defaults of its library', () => {
  test('polls, is let in, upgrades, and hears on the same session what happens, beside /live', async () => {
    const notifications = plain({ token: 'ayesha@indus', role: 'tester' })
    const live = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
    const upgraded = new Promise<void>((done) =>
      notifications.io.on('open', () => {
        expect(notifications.io.engine.transport.name).toBe('polling')
        notifications.io.engine.once('upgrade', () => done())
      }),
    )
    await Promise.all([once(live, 'open'), next(notifications, 'facts'), upgraded])
    expect(notifications.io.engine.transport.name).toBe('websocket')
    const changed = next(notifications, 'vehicleStatusChanged')
    offline()
    expect(await changed).toMatchObject({ imei: imeiOf(0), thingStatus: 'offline' })
    live.send(JSON.stringify({ type: 'hello', token: 'ayesha@indus' }))
    const [message] = await once(live, 'message')
    expect(JSON.parse(String(message))).toMatchObject({ type: 'welcome' })
    expect(notifications.connected).toBe(true)
    live.terminate()
  })

  test('may stay with polling: hears what happens, is told what it missed, and is logged out', async () => {
    const auth = { token: 'ayesha@indus', refreshToken: 'r', after: server.readModels.seq }
    offline()
    const socket = plain(auth, { transports: ['polling'], reconnection: false })
    expect(await next(socket, 'vehicleStatusChanged')).toMatchObject({ thingStatus: 'offline' })
    const [logout, gone] = [next(socket, 'logout'), next(socket, 'disconnect')]
    const data = { userId: 'ayesha', sessionId: 'session-ayesha', reason: 'remote' as const }
    server.add([{ type: 'session.ended', at: START, companyId: 'indus', data }])
    expect(await logout).toMatchObject({ refreshToken: 'r' })
    expect(await gone).toBe('io server disconnect')
  })

  test('is told in one line why it is not let in', async () => {
    const { message } = await next<Error>(plain({ tokem: 'ayesha@indus' }), 'connect_error')
    expect(message).toBe('handshake: at token: expected string, got nothing')
  })

  test('that takes nothing is dropped, and what waits for it with it', async () => {
    await server.close()
    server = await openTestServer(4, { notificationLimits: { turn: 5, waiting: 8, stuck: 0 } })
    // it polls until it is let in, and then no more
    const { sid } = JSON.parse((await (await poll()).text()).slice(1))
    const say = (body: string) => poll(`&sid=${sid}`, { method: 'POST', body })
    await say('40/notifications,{"token":"ayesha@indus"}')
    await poll(`&sid=${sid}`)
    const connections = () => server.delivery.connections().notifications
    expect(connections()).toBe(1)
    while (connections() > 0) {
      offline()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await poll(`&sid=${sid}`)).status).toBe(400)
  })
})

describe('what is sent by polling', () => {
  test('is read up to the limit of a message', async () => {
    const { sid } = JSON.parse((await (await poll()).text()).slice(1))
    const answer = await poll(`&sid=${sid}`, { method: 'POST', body: `4${'x'.repeat(17_000)}` })
    expect(answer.status).toBe(413)
  })

  test('keeps no more connections than there may be with nobody let in: the oldest give way, and the others run out', async () => {
    const member = plain({ token: 'ayesha@indus' }, { transports: ['polling'], reconnection: false })
    await next(member, 'facts')
    const sids: string[] = []
    for (let n = 0; n < 5; n++) sids.push(JSON.parse((await (await poll()).text()).slice(1)).sid)
    const say = (sid: string) => poll(`&sid=${sid}`, { method: 'POST', body: '40/notifications,{}' })
    const answers = await Promise.all(sids.map(say))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200, 200])
    expect(member.connected).toBe(true)
    expect(NOTIFICATION_LIMITS.patience).toBeLessThanOrEqual(10_000)
  })
})

test('/live keeps no more connections than there may be with nobody let in either', async () => {
  const connect = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
    await once(socket, 'open')
    return socket
  }
  const member = await connect()
  member.send(JSON.stringify({ type: 'hello', token: 'ayesha@indus' }))
  await once(member, 'message')
  const oldest = await connect()
  const gone = once(oldest, 'close')
  const others = [await connect(), await connect(), await connect()]
  await gone
  expect([member, ...others].map(({ readyState }) => readyState)).toEqual(Array(4).fill(WebSocket.OPEN))
  for (const socket of [member, ...others]) socket.terminate()
})

/** A network that a test cuts. */
function cuttable() {
  const sockets = new Set<Parameters<Network['follow']>[0]>()
  return {
    ...GOOD_NETWORK,
    isCut: false,
    follow: (socket: Parameters<Network['follow']>[0]) => void sockets.add(socket),
    cut() {
      this.isCut = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('a network that is cut cuts those who poll, and answers none of them', async () => {
  await server.close()
  const network = cuttable()
  server = await openTestServer(4, { network })
  const socket = plain({ token: 'ayesha@indus' }, { transports: ['polling'], reconnection: false })
  await next(socket, 'facts')
  const gone = next(socket, 'disconnect')
  network.cut()
  expect(await gone).toBe('transport error')
  await expect(poll()).rejects.toThrow('fetch failed')
  network.isCut = false
  expect((await poll()).status).toBe(200)
})

test('closing ends the connections of those who poll', async () => {
  const socket = plain({ token: 'ayesha@indus' }, { transports: ['polling'], reconnection: false })
  await next(socket, 'facts')
  const gone = next(socket, 'disconnect')
  await Promise.all([server.app.close(), gone])
  expect(server.delivery.connections().notifications).toBe(0)
})
