import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { type AnswerLimits, answersInFlightPlugin } from './answers-in-flight.ts'
import { refusalsPlugin } from './refusals.ts'

/** More than the buffers of both ends of a connection take. */
const LONG = 'x'.repeat(32 * 1024 * 1024)

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

/** An app whose `/long` is longer than buffers take; `begun` counts how often it was answered. */
async function listen(limits: Partial<AnswerLimits> = {}) {
  app = Fastify({ forceCloseConnections: true })
  await app.register(refusalsPlugin)
  await app.register(answersInFlightPlugin, limits)
  const begun = { long: 0, short: 0 }
  app.get('/long', async () => {
    begun.long++
    return LONG
  })
  app.get('/short', async () => {
    begun.short++
    return 'short'
  })
  app.get('/healthz', { config: { neverWaits: true } }, async () => 'ok')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const open = () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    return socket
  }
  return { begun, open, url: `http://127.0.0.1:${port}` }
}

const asking = (path: string, times = 1) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`.repeat(times)

/** A connection that requests and reads nothing of what is answered. */
function unread(socket: Socket, requests: string): Socket {
  socket.pause()
  socket.write(requests)
  return socket
}

test('requests sent ahead on one connection are answered one at a time', async () => {
  const { begun, open, url } = await listen()
  const socket = unread(open(), asking('/long', 20))
  await vi.waitFor(() => expect(begun.long).toBe(1))
  // whoever comes on another connection is answered meanwhile, and the first one still has its one answer
  for (let i = 0; i < 20; i++) expect(await (await fetch(`${url}/short`)).text()).toBe('short')
  expect(begun.long).toBe(1)
  socket.resume()
  await vi.waitFor(() => expect(begun.long).toBe(20))
})

test('an address has some answers under way at once; the next is made when one was taken', async () => {
  const { begun, open, url } = await listen({ atOnce: 2 })
  const readers = [open(), open(), open()].map((socket) => unread(socket, asking('/long')))
  await vi.waitFor(() => expect(begun.long).toBe(2))
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
  expect(begun.long).toBe(2)
  for (const socket of readers) socket.resume()
  await vi.waitFor(() => expect(begun.long).toBe(3))
  expect(await (await fetch(`${url}/short`)).text()).toBe('short')
})

test("more requests than may wait are refused, and those who left take nobody's turn", async () => {
  const { begun, open, url } = await listen({ atOnce: 1, waiting: 1 })
  const first = unread(open(), asking('/long'))
  await vi.waitFor(() => expect(begun.long).toBe(1))
  const second = unread(open(), asking('/short'))
  await vi.waitFor(async () => expect((await fetch(`${url}/short`)).status).toBe(503))
  second.destroy()
  first.destroy()
  await vi.waitFor(async () => expect((await fetch(`${url}/short`)).status).toBe(200))
})

test('who leaves keeps their place until the work for them has ended', async () => {
  app = Fastify({ forceCloseConnections: true })
  await app.register(refusalsPlugin)
  await app.register(answersInFlightPlugin, { atOnce: 2 })
  const [ends, gone] = [[] as (() => void)[], { count: 0 }]
  app.get('/work', (request) => {
    request.raw.once('close', () => gone.count++)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  app.get('/healthz', { config: { neverWaits: true } }, async () => 'ok')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const leave = async (begun: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(asking('/work'))
    await vi.waitFor(() => expect(ends).toHaveLength(begun))
    socket.destroy()
    await vi.waitFor(() => expect(gone.count).toBe(begun))
  }
  await leave(1)
  await leave(2)
  const third = connect(port, '127.0.0.1')
  sockets.push(third)
  third.write(asking('/work'))
  for (let i = 0; i < 20; i++) await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await vi.waitFor(() => expect(ends).toHaveLength(3))
  for (const end of ends) end()
})

test('the addresses of one network of IPv6 have theirs together', async () => {
  app = Fastify()
  await app.register(refusalsPlugin)
  await app.register(answersInFlightPlugin, { atOnce: 1, waiting: 0 })
  const isHeld = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<string>()
  app.get('/held', () => {
    isHeld.resolve()
    return goOn.promise
  })
  app.get('/short', async () => 'short')
  const ask = (url: string, remoteAddress: string) => app.inject({ url, remoteAddress })
  const held = ask('/held', '2001:db8::1')
  await isHeld.promise
  expect((await ask('/short', '2001:db8::2')).statusCode).toBe(503)
  expect((await ask('/short', '2001:db8:0:1::2')).statusCode).toBe(200)
  goOn.resolve('at last')
  expect((await held).statusCode).toBe(200)
})

test('who takes an answer too slowly is cut off', async () => {
  const { begun, open, url } = await listen({ atOnce: 1, patience: 1, slowest: LONG.length })
  const socket = unread(open(), asking('/long'))
  await vi.waitFor(() => expect(begun.long).toBe(1))
  expect(await (await fetch(`${url}/short`)).text()).toBe('short')
  socket.resume()
  await once(socket, 'close')
})
