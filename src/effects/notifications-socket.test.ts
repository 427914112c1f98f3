import { type Socket as Peer, Server } from 'socket.io'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OUTDATED } from '#machines/contracts/protocol.ts'
import { CROWDED, type LogMark, type ServerEvents } from '#machines/contracts/sockets.ts'
import { openNotifications } from './notifications-socket.ts'

let server: Server
let baseUrl: string
beforeEach(() => {
  server = new Server(0, { transports: ['websocket'] })
  const { port } = (server as unknown as { httpServer: { address(): { port: number } } }).httpServer.address()
  baseUrl = `http://127.0.0.1:${port}`
})
const opened: (() => void)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) close()
  await server.close()
})

type Heard = { event: keyof ServerEvents; message: unknown }

function open(credentials: () => Promise<{ accessToken: string; refreshToken: string } | undefined>) {
  const heard: Heard[] = []
  const links: (string | undefined)[] = []
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const go of waiting.splice(0)) go()
  }
  const hear = (event: keyof ServerEvents) => (message: unknown) => {
    heard.push({ event, message })
    wake()
  }
  const state: { after?: number; mark?: LogMark } = {}
  const socket = openNotifications({
    baseUrl,
    credentials,
    after: () => state.after,
    mark: () => state.mark,
    onFacts: hear('facts'),
    onSnapshot: hear('snapshot'),
    onNotification: hear('notification'),
    onVehicleStatusChanged: hear('vehicleStatusChanged'),
    onLogout: hear('logout'),
    onCatchingUp: hear('catchingUp'),
    onLink(hindrance) {
      links.push(hindrance)
      wake()
    },
    onOutdated: () => hear('outdated' as never)({}),
  })
  opened.push(socket.close)
  return {
    heard,
    links,
    socket,
    state,
    async until(condition: () => boolean) {
      while (!condition()) await new Promise<void>((go) => waiting.push(go))
    },
  }
}

const nextPeer = () => new Promise<Peer>((resolve) => server.of('/notifications').once('connection', resolve))
const tokens = async () => ({ accessToken: 'a', refreshToken: 'r' })

describe('the notifications socket', () => {
  test('says who it is, and tells each event after decoding it', async () => {
    const came = nextPeer()
    const { heard, until } = open(tokens)
    const peer = await came
    expect(peer.handshake.auth).toEqual({ token: 'a', refreshToken: 'r', protocol: 1 })
    peer.emit('facts', { prevSeq: 1, seq: 4, facts: [] })
    peer.emit('snapshot', { seq: 5, snapshot: true })
    peer.emit('logout', { seq: 6, refreshToken: 'r', identityId: 's' })
    await until(() => heard.length === 3)
    expect(heard).toEqual([
      { event: 'facts', message: { prevSeq: 1, seq: 4, facts: [] } },
      { event: 'snapshot', message: { seq: 5, snapshot: true } },
      { event: 'logout', message: { seq: 6, refreshToken: 'r', identityId: 's' } },
    ])
  })

  test('comes back by itself after a cut, and says from where it goes on', async () => {
    const came = nextPeer()
    const { state } = open(tokens)
    const peer = await came
    const from = { after: 12, mark: { seq: 11, recordedAt: 1000 } }
    Object.assign(state, from)
    const cameBack = nextPeer()
    peer.conn.close()
    expect((await cameBack).handshake.auth).toEqual({ token: 'a', refreshToken: 'r', protocol: 1, ...from })
  })

  test('asks for the room of its user, after each cut again', async () => {
    const accessToken = `head.${btoa(JSON.stringify({ sub: 'u1', exp: 2_000_000_000 }))}.signature`
    const came = nextPeer()
    open(async () => ({ accessToken, refreshToken: 'r' }))
    const roomRequestOf = (peer: Peer) =>
      new Promise((resolve) => peer.once('room', (message) => resolve(message)))
    const peer = await came
    expect(await roomRequestOf(peer)).toEqual({ userId: 'u1' })
    const cameBack = nextPeer()
    peer.conn.close()
    expect(await roomRequestOf(await cameBack)).toEqual({ userId: 'u1' })
  })

  test('says what is seen, again after a cut: it may not have been heard', async () => {
    const came = nextPeer()
    const { socket } = open(tokens)
    socket.see('u1', 7)
    const heardBy = (peer: Peer) =>
      new Promise((resolve) => peer.once('seeNotifications', (message) => resolve(message)))
    const peer = await came
    expect(await heardBy(peer)).toEqual({ userId: 'u1', upTo: 7 })
    const cameBack = nextPeer()
    peer.conn.close()
    expect(await heardBy(await cameBack)).toEqual({ userId: 'u1', upTo: 7 })
  })

  test('is not tried again where the server says that this window is older than it is', async () => {
    let tries = 0
    server.of('/notifications').use((_, next) => {
      tries++
      next(new Error(OUTDATED))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { heard, until } = open(tokens)
    await until(() => heard.length > 0)
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect([heard.length, tries]).toEqual([1, 1])
  })

  test('says why it is not let in, and tries again at once when asked to', async () => {
    let isFull = true
    server.of('/notifications').use((_, next) => next(isFull ? new Error(CROWDED) : undefined))
    const { links, until, socket } = open(tokens)
    await until(() => links.length > 0)
    isFull = false
    socket.retry()
    await until(() => links.length > 1)
    expect(links).toEqual(['crowded', undefined])
  })

  test('goes without tokens where there are none, and leaves it to the server to refuse', async () => {
    const came = nextPeer()
    open(async () => undefined)
    expect((await came).handshake.auth).toEqual({})
  })
})
