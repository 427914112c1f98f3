import { once } from 'node:events'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type House, openHouse } from './testing/house.ts'

let house: House
beforeEach(async () => {
  house = await openHouse(4)
})
afterEach(() => house.close())

describe('one port', () => {
  test('serves both sockets at once, each over its own WebSocket', async () => {
    const notifications = io(`http://127.0.0.1:${house.port}/notifications`, {
      transports: ['polling', 'websocket'],
      tryAllTransports: true,
      auth: { token: 'ayesha@indus' },
      forceNew: true,
    })
    const live = new WebSocket(`ws://127.0.0.1:${house.port}/live`)
    await Promise.all([once(live, 'open'), new Promise<void>((done) => notifications.on('connect', done))])
    expect(notifications.io.engine.transport.name).toBe('websocket')
    live.send(JSON.stringify({ type: 'hello', token: 'ayesha@indus' }))
    const [message] = await once(live, 'message')
    expect(JSON.parse(String(message))).toMatchObject({ type: 'welcome' })
    expect(notifications.connected).toBe(true)
    notifications.disconnect()
    live.terminate()
  })

  test.each(['/elsewhere', '/live/more', '/', '/socket.iox'])('closes an upgrade of %s', async (path) => {
    const socket = new WebSocket(`ws://127.0.0.1:${house.port}${path}`)
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(404)
    socket.on('error', () => {})
    socket.terminate()
  })

  test('does not answer polling', async () => {
    const response = await fetch(`http://127.0.0.1:${house.port}/socket.io/?EIO=4&transport=polling`)
    expect(response.status).toBe(404)
  })
})
