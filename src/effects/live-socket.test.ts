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
  const events: unknown[] = []
  const waiting: (() => void)[] = []
  const note = (what: unknown) => {
    events.push(what)
    for (const go of waiting.splice(0)) go()
  }
  const peer = new Promise<Peer>((resolve) => server.once('connection', resolve))
  const socket = openLiveSocket({
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/live`,
    token,
    onFrame: ({ seq }) => note({ seq }),
    onMessage: note,
    onClose: (code) => note({ code }),
  })
  const other = await peer
  const sent: unknown[] = []
  other.on('message', (data) => {
    sent.push(JSON.parse(String(data)))
    for (const go of waiting.splice(0)) go()
  })
  return {
    socket,
    peer: other,
    events,
    sent,
    async until(condition: () => boolean) {
      while (!condition()) await new Promise<void>((go) => waiting.push(go))
    },
  }
}

describe('the live socket', () => {
  test('says hello with its token, asks to resume, and decodes what comes', async () => {
    const { socket, peer, events, sent, until } = await open()
    await until(() => sent.length === 1)
    peer.send(JSON.stringify({ type: 'welcome', seq: 7, now: 5 }))
    peer.send(encodeLiveFrame(EMPTY))
    await until(() => events.length === 2)
    socket.resume(3)
    await until(() => sent.length === 2)
    expect(sent).toEqual([
      { type: 'hello', token: 'a-token', protocol: 1 },
      { type: 'resume', after: 3 },
    ])
    expect(events).toEqual([{ type: 'welcome', seq: 7, now: 5 }, { seq: 2 }])
    socket.close()
  })

  test.each([
    ['text that is no message', JSON.stringify({ type: 'age' })],
    ['text that is no JSON', 'hello'],
    ['bytes that are no frame', new Uint8Array(80)],
  ])('closes on %s', async (_, data) => {
    const { peer, events, until } = await open()
    peer.send(data)
    await until(() => events.length > 0)
    expect(events).toEqual([{ code: 4402 }])
  })

  test('tells why the server closed it, once', async () => {
    const { peer, events, until } = await open()
    peer.close(4403, 'company suspended')
    await until(() => events.length > 0)
    expect(events).toEqual([{ code: 4403 }])
  })

  test('is refused without a token, whether there is none or none could be had', async () => {
    for (const token of [async () => undefined, () => Promise.reject(new Error('no network'))]) {
      const { events, until } = await open(token)
      await until(() => events.length > 0)
      expect(events).toEqual([{ code: 4401 }])
    }
  })

  test('takes silence for the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { peer, events, sent, until } = await open()
    await until(() => sent.length === 1)
    vi.advanceTimersByTime(LONGEST_SILENCE - 1)
    peer.send(JSON.stringify({ type: 'snapshot' }))
    await until(() => events.length === 1)
    vi.advanceTimersByTime(LONGEST_SILENCE - 1)
    expect(events).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(events.slice(1)).toEqual([{ code: 4408 }])
  })

  test('tells nothing any more once it was closed from here', async () => {
    const { socket, peer, events, sent, until } = await open()
    await until(() => sent.length === 1)
    const gone = new Promise((closed) => peer.once('close', closed))
    socket.close()
    await gone
    expect(events).toEqual([])
  })
})
