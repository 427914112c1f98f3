import { once } from 'node:events'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { OUTDATED } from '#machines/contracts/protocol.ts'
import { openTestServer, type TestServer } from './testing/test-app.ts'

const TOKEN = 'ayesha@indus'

/** A server of the second version of the protocol. */
let server: TestServer
beforeEach(async () => {
  server = await openTestServer(1, { protocol: 2 })
})
afterEach(() => server.close())

/** What `/live` answers to a first message: its welcome, or the code it closes with. */
async function greeted(hello: object): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: TOKEN, ...hello }))
  const answer = await Promise.race([
    once(socket, 'message').then(([data]) => JSON.parse(String(data))),
    once(socket, 'close').then(([code]) => code),
  ])
  socket.terminate()
  return answer
}

/** What `/notifications` answers to a handshake: the name of its first event, or why it is refused. */
async function admitted(auth: object): Promise<unknown> {
  const socket = io(`http://127.0.0.1:${server.port}/notifications`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token: TOKEN, ...auth },
  })
  const answer = await new Promise((resolve) => {
    socket.onAny(resolve)
    socket.on('connect_error', ({ message }) => resolve(message))
  })
  socket.disconnect()
  return answer
}

test('a window of a version before, or of before it said one, is told so by both sockets', async () => {
  for (const older of [{}, { protocol: 1 }]) {
    expect(await greeted(older)).toBe(LIVE_CLOSE.outdated)
    expect(await admitted(older)).toBe(OUTDATED)
  }
})

test('one of the same version is let in and told it, one of a version to come is served too', async () => {
  for (const protocol of [2, 3]) {
    expect(await greeted({ protocol })).toMatchObject({ type: 'welcome', protocol: 2 })
    expect(await admitted({ protocol })).toBe('facts')
  }
})

test('what is no version is refused like any first message that is none', async () => {
  expect(await greeted({ protocol: 'two' })).toBe(LIVE_CLOSE.badHello)
  expect(await admitted({ protocol: -1 })).toMatch(/handshake: at protocol/)
})
