import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { io } from 'socket.io-client'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { IMPORT_BYTES } from '#machines/contracts/entities/device-records.ts'
import { connectLive } from '../../server/api/realtime/testing/live-client.ts'
import { createFrontServer, type FrontServer, SLOW_HEADERS } from '../../server/front-server.ts'
import { startDemo } from '../testing/start-demo.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Listening = FrontServer & { port: number; address: string }

async function listening(
  patience?: number,
  options: Parameters<typeof createFrontServer>[0] = {},
): Promise<Listening> {
  const front = createFrontServer({ ...options, ...(patience !== undefined && { patience }) })
  front.server.listen(0, '127.0.0.1')
  await once(front.server, 'listening')
  closing.push(() => front.close().gone)
  const { port } = front.server.address() as AddressInfo
  return { ...front, port, address: `http://127.0.0.1:${port}` }
}

async function appThatSays(word: string): Promise<FastifyInstance> {
  const app = Fastify()
  app.get('/word', async () => word)
  await app.ready()
  closing.push(() => app.close())
  return app
}

const wordOf = async (address: string) => (await fetch(`${address}/word`)).text()

test('with nobody behind it: 503 as JSON, a page that comes again for a browser, no upgrade', async () => {
  const { address, port } = await listening()
  const json = await fetch(`${address}/api/time`)
  expect(json.status).toBe(503)
  expect(json.headers.get('retry-after')).toBe('1')
  expect(await json.json()).toEqual({ code: 503, message: 'Frostline is starting' })

  const page = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(page.status).toBe(503)
  expect(page.headers.get('content-type')).toContain('text/html')
  const text = await page.text()
  expect(text).toContain('<meta http-equiv="refresh"')
  expect(text).not.toContain('<script')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")

  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`)
  await expect(once(socket, 'open')).rejects.toThrow()
})

test('who answers can be exchanged, and taken away, while it listens', async () => {
  const { show, hide, address } = await listening()
  show(await appThatSays('first'))
  expect(await wordOf(address)).toBe('first')
  show(await appThatSays('second'))
  expect(await wordOf(address)).toBe('second')
  hide()
  expect((await fetch(`${address}/word`)).status).toBe(503)
})

test('a request that does not end is cut off when its time is up, one that does is answered', async () => {
  const { show, close, port, address } = await listening(50)
  const app = Fastify()
  const arrived = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    arrived.resolve()
    await goOn.promise
    return 'done'
  })
  app.post('/slow', async () => 'never')
  await app.ready()
  closing.push(() => app.close())
  show(app)

  const stuck = connect(port, '127.0.0.1')
  await once(stuck, 'connect')
  stuck.resume()
  stuck.write(
    'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[1',
  )
  const slow = fetch(`${address}/slow`)
  await arrived.promise
  const cut = once(stuck, 'close')
  closing.shift()
  const closed = close().gone
  goOn.resolve()
  expect(await (await slow).text()).toBe('done')
  await Promise.all([cut, closed])
  await expect(fetch(`${address}/slow`)).rejects.toThrow()
})

test('what was taken is answered first, and a connection brings no more after it', async () => {
  const { show, close, address } = await listening()
  const app = Fastify()
  const arrived = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    arrived.resolve()
    await goOn.promise
    return 'done'
  })
  await app.ready()
  closing.push(() => app.close())
  show(app)

  const slow = fetch(`${address}/slow`)
  await arrived.promise
  closing.shift()
  const { answered, gone } = close()
  let isAnswered = false
  void answered.then(() => {
    isAnswered = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  goOn.resolve()
  const answer = await slow
  expect([answer.headers.get('connection'), await answer.text()]).toEqual(['close', 'done'])
  await Promise.all([answered, gone])
})

test('a poll of Socket.IO keeps nobody from stopping: it is answered by that', async () => {
  const { show, close, address } = await listening()
  const app = Fastify()
  const arrived = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  app.get('/socket.io/', async () => {
    arrived.resolve()
    await stopped.promise
    return 'closed'
  })
  await app.ready()
  closing.push(() => app.close())
  show(app)

  const poll = fetch(`${address}/socket.io/?EIO=4&transport=polling`)
  await arrived.promise
  closing.shift()
  const { answered, gone } = close()
  await answered
  stopped.resolve()
  expect(await (await poll).text()).toBe('closed')
  await gone
})

test('who reads slowly does not keep the parts behind from stopping', async () => {
  const { show, close, port } = await listening()
  const app = Fastify()
  const whole = 'x'.repeat(50_000_000)
  app.get('/large', async () => whole)
  await app.ready()
  closing.push(() => app.close())
  show(app)

  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(socket, 'readable')
  closing.shift()
  const { answered, gone } = close()
  await answered
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  await gone
  await once(socket, 'close')
  expect(bytes).toBeGreaterThan(whole.length)
})

test('sockets and polling work through it, before a reset and after', async () => {
  const { server, signIn, sim } = await startDemo()
  closing.push(() => server.close())
  const { port } = new URL(server.address)

  for (const round of ['before', 'after']) {
    const token = await signIn('operator@indus.example')
    const live = connectLive(Number(port), token)
    const notifications = io(`${server.address}/notifications`, {
      forceNew: true,
      auth: { token },
      reconnection: false,
    })
    const { io: manager } = notifications
    const upgraded = new Promise<void>((done) => {
      manager.on('open', () => manager.engine.once('upgrade', () => done()))
    })
    await Promise.all([once(notifications as never, 'facts'), upgraded])
    const polling = io(`${server.address}/notifications`, {
      transports: ['polling'],
      forceNew: true,
      auth: { token },
      reconnection: false,
    })
    await once(polling as never, 'facts')
    await live.until(() => live.messages.some(({ type }) => type === 'welcome'))
    const { now } = await sim.status()
    await sim.advanceTo(now + 30_000)
    await live.until(() => live.frames.length > 0)

    if (round === 'before') {
      const gone = Promise.all([
        live.closed,
        ...[notifications, polling].map((each) => once(each as never, 'disconnect')),
      ])
      await sim.reset()
      await gone
    } else {
      notifications.close()
      polling.close()
      live.socket.close()
    }
  }
})

test('headers that drip end, and leave others alone', async () => {
  const { show, port, address } = await listening(50, {
    slowHeaders: { headersTimeout: 2000, connectionsCheckingInterval: 20 },
  })
  show(await appThatSays('here'))
  const slow = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
  await Promise.all(slow.map((line) => once(line, 'connect')))
  const ended = slow.map((line) => {
    line.on('error', () => {}).resume()
    return new Promise((resolve) => line.once('close', resolve))
  })
  const drip = setInterval(() => {
    for (const line of slow) if (line.writable) line.write('a')
  }, 10)
  for (const line of slow) line.write('GET /word HTTP/1.1\r\nx-slow: ')
  expect(await wordOf(address)).toBe('here')
  await Promise.all(ended)
  clearInterval(drip)
  expect(await wordOf(address)).toBe('here')
})

test('where nothing else is said they end within 30 s', async () => {
  const { headersTimeout, connectionsCheckingInterval } = SLOW_HEADERS
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(30_000)
  const { server } = await listening()
  expect(server.headersTimeout).toBe(headersTimeout)
})

test('a body may take as long as it comes at 20 kB/s, the longest list of devices too; one that stops is cut off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, show, port } = await listening()
  expect(server.requestTimeout).toBeGreaterThan(IMPORT_BYTES / 20)
  const app = Fastify({ bodyLimit: 10_000_000 })
  const arrived = Promise.withResolvers<void>()
  let bytes = 0
  app.addContentTypeParser('*', async (_: unknown, body: AsyncIterable<Buffer>) => {
    arrived.resolve()
    for await (const chunk of body) bytes += chunk.length
  })
  app.post('/list', async () => 'read')
  await app.ready()
  closing.push(() => app.close())
  show(app)

  const sender = connect(port, '127.0.0.1')
  let answer = ''
  sender.on('data', (data) => {
    answer += data
  })
  const cut = once(sender, 'close')
  sender.write('POST /list HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 2000000\r\n\r\n')
  await arrived.promise
  vi.advanceTimersByTime(29_000)
  sender.write(Buffer.alloc(1_000_000))
  await vi.waitUntil(() => bytes === 1_000_000)
  vi.advanceTimersByTime(50_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect([sender.destroyed, answer]).toEqual([false, ''])
  vi.advanceTimersByTime(2_000)
  await cut
  expect(answer).toContain('408 Request Timeout')
})
