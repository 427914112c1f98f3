import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket as Peer, WebSocketServer } from 'ws'
import { encodeLiveFrame } from '#machines/contracts/live-frame.ts'
import { LONGEST_SILENCE, openLiveSocket } from './live-socket.ts'

let server: WebSocketServer
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((listening) => server.once('listening', listening))
})
afterEach(async () => {
  vi.useRealTimers()
  for (const client of server.clients) client.terminate()
  await new Promise((closed) => server.close(closed))
})

const EMPTY = {
  prevSeq: 1,
  seq: 2,
  resumed: false,
  baseAt: 0,
  device: new Uint32Array(),
  at: new Float64Array(),
  temperature: new Int16Array(),
  humidity: new Uint16Array(),
  state: new Uint8Array(),
  movedRow: new Uint32Array(),
  lat: new Int32Array(),
  lng: new Int32Array(),
  speed: new Uint16Array(),
  heading: new Uint16Array(),
}

/** A socket and the server's end of it; what it tells is told one by one. */
async function open(token: () => Promise<string | undefined> = async () => 'a-token') {
  const told: unknown[] = []
  const waiting: (() => void)[] = []
  const tell = (what: unknown) => {
    told.push(what)
    for (const go of waiting.splice(0)) go()
  }
  const peer = new Promise<Peer>((resolve) => server.once('connection', resolve))
  const socket = openLiveSocket({
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/live`,
    token,
    onFrame: ({ seq }) => tell({ seq }),
    onMessage: tell,
    onClose: (code) => tell({ code }),
  })
  const other = await peer
  const said: unknown[] = []
  other.on('message', (data) => {
    said.push(JSON.parse(String(data)))
    for (const go of waiting.splice(0)) go()
  })
  return {
    socket,
    peer: other,
    told,
    said,
    async until(condition: () => boolean) {
      while (!condition()) await new Promise<void>((go) => waiting.push(go))
    },
  }
}

describe('the live socket', () => {
  test('says hello with its token, asks to resume, and decodes what comes', async () => {
    const { socket, peer, told, said, until } = await open()
    await until(() => said.length === 1)
    peer.send(JSON.stringify({ type: 'welcome', seq: 7, now: 5 }))
    peer.send(encodeLiveFrame(EMPTY))
    await until(() => told.length === 2)
    socket.resume(3)
    await until(() => said.length === 2)
    expect(said).toEqual([
      { type: 'hello', token: 'a-token' },
      { type: 'resume', after: 3 },
    ])
    expect(told).toEqual([{ type: 'welcome', seq: 7, now: 5 }, { seq: 2 }])
    socket.close()
  })

  test.each([
    ['text that is no message', JSON.stringify({ type: 'age' })],
    ['text that is no JSON', 'hello'],
    ['bytes that are no frame', new Uint8Array(80)],
  ])('closes on %s', async (_, data) => {
    const { peer, told, until } = await open()
    peer.send(data)
    await until(() => told.length > 0)
    expect(told).toEqual([{ code: 4402 }])
  })

  test('tells why the server closed it, once', async () => {
    const { peer, told, until } = await open()
    peer.close(4403, 'company suspended')
    await until(() => told.length > 0)
    expect(told).toEqual([{ code: 4403 }])
  })

  test('is refused without a token, whether there is none or none could be had', async () => {
    for (const token of [async () => undefined, () => Promise.reject(new Error('no network'))]) {
      const { told, until } = await open(token)
      await until(() => told.length > 0)
      expect(told).toEqual([{ code: 4401 }])
    }
  })

  test('takes silence for the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { peer, told, said, until } = await open()
    await until(() => said.length === 1)
    vi.advanceTimersByTime(LONGEST_SILENCE - 1)
    peer.send(JSON.stringify({ type: 'snapshot' }))
    await until(() => told.length === 1)
    vi.advanceTimersByTime(LONGEST_SILENCE - 1)
    expect(told).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(told.slice(1)).toEqual([{ code: 4408 }])
  })

  test('tells nothing any more once it was closed from here', async () => {
    const { socket, peer, told, said, until } = await open()
    await until(() => said.length === 1)
    const gone = new Promise((closed) => peer.once('close', closed))
    socket.close()
    await gone
    expect(told).toEqual([])
  })
})
