import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { io, type Socket } from 'socket.io-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { decode } from '#machines/contracts/decode.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { SERVER_EVENTS, type ServerEvents } from '#machines/contracts/sockets.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { violationFound } from '../../testing/facts.ts'
import { LIVE_TIMES } from './live.ts'
import { device, imeiOf, openTestServer, START, type TestServer } from './testing/test-app.ts'

const QUICK = { notificationLimits: { turn: 5, chunk: 7, idle: 20 } }

const servers: TestServer[] = []
const sockets: Socket[] = []
async function open(
  devices: number,
  options: Parameters<typeof openTestServer>[1] = QUICK,
): Promise<TestServer> {
  const server = await openTestServer(devices, options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  for (const server of servers.splice(0)) await server.close()
})

type Heard = { [E in keyof ServerEvents]: ServerEvents[E][] }
const nothing = (): Heard => ({
  facts: [],
  snapshot: [],
  notification: [],
  vehicleStatusChanged: [],
  logout: [],
  catchingUp: [],
})

type Client = ReturnType<typeof connect>

/** A client that keeps what it hears in `heard`, each event checked against its contract. */
function connect(server: TestServer, auth: object, heard = nothing(), transports = ['websocket']) {
  const socket = io(`http://127.0.0.1:${server.port}/notifications`, {
    transports,
    reconnection: false,
    forceNew: true,
    auth,
  })
  sockets.push(socket)
  const waiting = new Set<{ condition: () => boolean; resolve: () => void }>()
  const look = () => {
    for (const waiter of waiting)
      if (waiter.condition()) {
        waiting.delete(waiter)
        waiter.resolve()
      }
  }
  for (const name of Object.keys(SERVER_EVENTS) as (keyof ServerEvents)[])
    socket.on(name, (message: unknown) => {
      ;(heard[name] as unknown[]).push(decode<unknown, unknown>(message, SERVER_EVENTS[name] as never, name))
      look()
    })
  return {
    socket,
    heard,
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        waiting.add({ condition, resolve })
        look()
      }),
  }
}

const hears = (socket: Socket, event: string) =>
  new Promise<unknown>((resolve) => socket.once(event, resolve))

const status = (no: number, to: 'online' | 'offline' | 'disconnected'): NewFact => ({
  type: 'device-status.changed',
  at: START + no,
  companyId: no % 4 === 3 ? 'karakoram' : 'indus',
  data: { imei: imeiOf(no), from: 'online', to },
})

const tooHot = (no: number): NewFact => ({
  type: 'violation.opened',
  at: START,
  companyId: 'indus',
  data: {
    violationId: `v${no}`,
    imei: imeiOf(no),
    type: 'HIGH_TEMPERATURE_DETECTED',
    threshold: 8,
    delaySeconds: 60,
    clearMargin: 0.5,
    since: START,
    value: 12.34,
    lat: 31.5,
    lng: 74.3,
    readings: [],
  },
})

/** What becomes of the violation of a device: somebody writes, somebody takes care of it, and it ends. */
const made = (no: number): NewFact[] => {
  const about = { at: START, companyId: 'indus' }
  const of = { violationId: `v${no}`, imei: imeiOf(no), type: 'HIGH_TEMPERATURE_DETECTED' as const }
  const comment = { notificationId: 'f1', imei: imeiOf(no), userName: 'Amna', comment: 'On it' }
  return [
    { ...about, type: 'notification.commented', data: { ...comment, commentId: 'c1' } },
    { ...about, type: 'violation.acknowledged', data: { ...of, ...comment } },
    {
      ...about,
      type: 'violation.cleared',
      data: { ...of, value: 7, worst: 13, durationSeconds: 60, reason: 'back-inside' },
    },
  ]
}

describe('/notifications', () => {
  test('is the only place to be: nobody gets in beside it without a token', async () => {
    const server = await open(1)
    const socket = io(`http://127.0.0.1:${server.port}/`, { transports: ['websocket'], reconnection: false })
    sockets.push(socket)
    const answer = await new Promise((resolve) => {
      socket.on('connect', () => resolve('let in'))
      socket.on('connect_error', ({ message }) => resolve(message))
    })
    expect(answer).toBe('nothing is said here')
  })

  test('tells facts, notifications and changes of status of what the visitor sees, and nothing else', async () => {
    const server = await open(8)
    const { heard, until } = connect(server, { token: 'ayesha@punjab' })
    await until(() => heard.facts.length > 0)
    server.add([tooHot(0), tooHot(2), status(1, 'offline'), status(3, 'offline')])
    server.add([
      {
        type: 'user.signed-in',
        at: START,
        companyId: 'indus',
        data: { userId: 'x', sessionId: 'y', refreshHash: 'z', expiresAt: 1 },
      },
    ])
    server.add([status(5, 'disconnected')])
    await until(() => heard.vehicleStatusChanged.length === 2 && heard.notification.length === 2)
    expect(heard.facts.flatMap((m) => m.facts.map((f) => [f.type, 'imei' in f.data && f.data.imei]))).toEqual(
      [
        ['violation.opened', imeiOf(0)],
        ['device-status.changed', imeiOf(1)],
        ['device-status.changed', imeiOf(5)],
      ],
    )
    expect(heard.vehicleStatusChanged).toMatchObject([
      { imei: imeiOf(1), groupId: 'lahore', thingStatus: 'offline' },
      { imei: imeiOf(5), groupId: 'lahore', thingStatus: 'disconnected' },
    ])
    expect(heard.notification).toMatchObject([
      {
        type: 'HIGH_TEMPERATURE_DETECTED',
        thing: imeiOf(0),
        plateNumber: 'P-0',
        message: 'Device 0: 12.3 °C, above 8 °C',
        lat: 31.5,
        lng: 74.3,
      },
      { type: 'vehicleOffline', name: 'Device unplugged', thing: imeiOf(5) },
    ])
  })

  test('whatever the points at which the link is cut, each fact is told, once and in order', async () => {
    const server = await open(8)
    let n = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('cut', 'fact', 'many', 'wait'), { maxLength: 20 }),
        async (steps) => {
          const start = server.readModels.seq
          const heard = nothing()
          const last = () => heard.facts.at(-1)?.seq ?? start
          let client = connect(server, { token: 'ayesha@indus', after: start }, heard)
          for (const step of steps) {
            if (step === 'cut') {
              client.socket.disconnect()
              client = connect(server, { token: 'ayesha@indus', after: last() }, heard)
            } else if (step === 'wait') {
              const current = client
              if (!current.socket.connected) await once(current.socket as never, 'connect')
            } else
              server.add(Array.from({ length: step === 'many' ? 20 : 1 }, () => status(n++ % 8, 'offline')))
          }
          await client.until(() => last() === server.readModels.seq)
          const received = heard.facts.flatMap((m) => m.facts.map((f) => f.seq))
          const all = server.readModels.seq - start
          const theirs = Array.from({ length: all }, (_, i) => start + 1 + i).filter((seq) => {
            const no = (n - (server.readModels.seq - seq) - 1) % 8
            return no % 4 !== 3
          })
          expect(received).toEqual(theirs)
          expect(heard.snapshot).toEqual([])
          let reached = start
          for (const message of heard.facts) {
            expect(message.prevSeq).toBeLessThanOrEqual(reached)
            reached = message.seq
          }
          client.socket.disconnect()
        },
      ),
      { numRuns: 30 },
    )
  })

  test('who was away too long is told to start over, and goes on from there', async () => {
    const server = await open(4, { notificationLimits: { missed: 3 } })
    const after = server.readModels.seq
    server.add([status(0, 'offline'), status(1, 'offline'), status(2, 'offline')])
    const { heard, until } = connect(server, { token: 'ayesha@indus', after })
    await until(() => heard.snapshot.length > 0)
    expect(heard.snapshot).toEqual([{ snapshot: true, seq: server.readModels.seq }])
    server.add([status(0, 'online')])
    await until(() => heard.facts.length > 0)
    expect(heard.facts[0]).toMatchObject({ prevSeq: heard.snapshot[0]?.seq, seq: server.readModels.seq })
  })

  test('who comes from another log that had gone as far is told so, and who comes from this one is not', async () => {
    const before = await open(4)
    before.add([status(0, 'offline'), status(1, 'offline')])
    const { heard, until } = connect(before, { token: 'ayesha@indus' })
    await until(() => heard.facts.length > 0)
    const { seq: after, mark } = heard.facts.at(-1) as ServerEvents['facts']
    const here = connect(before, { token: 'ayesha@indus', after, mark })
    before.add([status(2, 'offline')])
    await here.until(() => here.heard.facts.at(-1)?.seq === before.readModels.seq)
    expect(here.heard.snapshot).toEqual([])
    const restored = await open(4)
    restored.add([status(0, 'offline'), status(2, 'offline'), status(0, 'online'), status(2, 'online')])
    const there = connect(restored, { token: 'ayesha@indus', after, mark })
    await there.until(() => there.heard.snapshot.length > 0)
    expect(there.heard.snapshot).toEqual([{ snapshot: true, seq: restored.readModels.seq, isAnew: true }])
    // of a log that went farther than this one
    const farther = connect(before, { token: 'ayesha@indus', after: 99, mark: { ...mark, seq: 99 } })
    await farther.until(() => farther.heard.snapshot.length > 0)
    expect(farther.heard.snapshot).toMatchObject([{ isAnew: true }])
  })

  test('a position that is not here yet, while what others have cannot be asked for, is of no other log', async () => {
    const server = await open(4)
    const lost = new StoreUnavailable('the connection was lost')
    vi.spyOn(server.store.log, 'caughtUp').mockRejectedValue(lost)
    const ahead = { seq: server.readModels.seq + 1, recordedAt: START }
    const { heard, until } = connect(server, { token: 'ayesha@indus', after: ahead.seq, mark: ahead })
    await until(() => heard.snapshot.length > 0)
    expect(heard.snapshot).toEqual([{ snapshot: true, seq: server.readModels.seq }])
  })

  test('who missed a change of what they see is told to start over', async () => {
    const server = await open(4)
    const after = server.readModels.seq
    server.add([device('indus', 'sindh', 4)])
    const { heard, until } = connect(server, { token: 'ayesha@indus', after })
    await until(() => heard.snapshot.length > 0)
  })

  test('a link that hears nothing for a while learns how far the server is', async () => {
    const server = await open(4)
    const { heard, until } = connect(server, { token: 'ayesha@sindh' })
    await until(() => heard.facts.length > 0)
    server.add([status(0, 'offline')])
    await until(() => heard.facts.at(-1)?.seq === server.readModels.seq)
    expect(heard.facts.flatMap((m) => m.facts)).toEqual([])
  })

  test('a foreign room is ignored, and who asks is told so', async () => {
    const server = await open(4)
    const spy = connect(server, { token: 'ayesha@karakoram' })
    await spy.until(() => spy.heard.facts.length > 0)
    const answerTo = (message: unknown) => spy.socket.emitWithAck('room', message)
    spy.socket.emit('room', { userId: 'bilal' })
    for (const foreign of [{ userId: 'bilal' }, 'bilal'])
      expect(await answerTo(foreign)).toEqual({
        isIn: false,
        message: 'Ignored: a connection is in the room of its own user alone',
      })
    for (const own of [{ userId: 'ayesha' }, 'ayesha'])
      expect(await answerTo(own)).toMatchObject({ isIn: true })
    expect(await answerTo({ userId: 7 })).toEqual({
      isIn: false,
      message: 'Ignored: room: at userId: expected string, got 7',
    })
    server.add([tooHot(0), status(3, 'offline')])
    await spy.until(() => spy.heard.vehicleStatusChanged.length > 0)
    expect(spy.heard.facts.flatMap((m) => m.facts)).toHaveLength(1)
    expect(spy.heard.notification).toEqual([])
  })

  test('what one has seen is remembered as far as they were told, and told to their own windows alone', async () => {
    const seen: unknown[][] = []
    const server: TestServer = await open(4, {
      ...QUICK,
      markRead: async ({ userId, groupId }, upTo) => {
        seen.push([userId, groupId, upTo])
        server.add([
          { type: 'notifications.seen', at: START, companyId: 'indus', data: { userId, upTo } },
          status(0, 'online'),
        ])
      },
    })
    server.add([tooHot(0)])
    const [desk, phone, other] = ['ayesha@indus', 'ayesha@indus', 'bilal@indus'].map((token) =>
      connect(server, { token }),
    ) as [Client, Client, Client]
    const clients = [desk, phone, other]
    await Promise.all(clients.map(({ heard, until }) => until(() => heard.facts.length > 0)))
    const { seq } = server.readModels
    for (const nonsense of [{ userId: 'bilal' }, { userId: 7 }, 'bilal', { userId: 'ayesha', upTo: -1 }])
      desk.socket.emit('seeNotifications', nonsense)
    desk.socket.emit('seeNotifications', { userId: 'ayesha', upTo: seq + 100 })
    const types = ({ heard }: Client) => heard.facts.flatMap(({ facts }) => facts.map(({ type }) => type))
    await Promise.all(clients.map((each) => each.until(() => types(each).includes('device-status.changed'))))
    expect(seen).toEqual([['ayesha', 'indus', seq]])
    expect(clients.map(types)).toEqual([
      ['notifications.seen', 'device-status.changed'],
      ['notifications.seen', 'device-status.changed'],
      ['device-status.changed'],
    ])
  })

  test('what one has seen is marked once at a time, up to the newest, and not again', async () => {
    const marked: number[] = []
    let finish: () => void = () => {}
    const server: TestServer = await open(4, {
      ...QUICK,
      markRead: async (_, upTo) => {
        marked.push(upTo)
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      },
    })
    const { socket, heard, until } = connect(server, { token: 'ayesha@indus' })
    await until(() => heard.facts.length > 0)
    const { seq } = server.readModels
    /** Whatever was sent before is taken by then. */
    const see = async (...positions: number[]) => {
      for (const upTo of positions) socket.emit('seeNotifications', { userId: 'ayesha', upTo })
      await new Promise((resolve) => socket.emit('room', {}, resolve))
    }
    await see(1, 2, 3, seq, 2)
    expect(marked).toEqual([1])
    finish()
    await vi.waitUntil(() => marked.length > 1)
    finish()
    await see(3, seq)
    expect(marked).toEqual([1, seq])
  })

  test('what could not be marked read is marked when it is seen again', async () => {
    let isWell = false
    const marked: number[] = []
    const server: TestServer = await open(4, {
      ...QUICK,
      markRead: async (_, upTo) => {
        if (!isWell) throw new Error('the store is away')
        marked.push(upTo)
      },
    })
    const { socket, heard, until } = connect(server, { token: 'ayesha@indus' })
    await until(() => heard.facts.length > 0)
    const see = () =>
      new Promise((resolve) => {
        socket.emit('seeNotifications', { userId: 'ayesha', upTo: 1 })
        socket.emit('room', {}, resolve)
      })
    await see()
    isWell = true
    await see()
    expect(marked).toEqual([1])
  })

  test('a violation found of before the record began is told to nobody', async () => {
    const server = await open(4)
    const { heard, until } = connect(server, { token: 'ayesha@indus' })
    await until(() => heard.facts.length > 0)
    server.add([violationFound(imeiOf(0), START, {}, 'indus'), tooHot(0)])
    await until(() => heard.notification.length > 0)
    expect(heard.notification).toMatchObject([{ _id: `f${server.readModels.seq}` }])
    expect(heard.facts.flatMap(({ facts }) => facts.map(({ type }) => type))).toEqual(['violation.opened'])
  })

  test('what people and time make of a notification is told to all who see the device, and to no others', async () => {
    const server = await open(4)
    const [lahore, sindh] = [connect(server, { token: 'a@lahore' }), connect(server, { token: 'b@sindh' })]
    await Promise.all([lahore, sindh].map(({ heard, until }) => until(() => heard.facts.length > 0)))
    server.add([tooHot(1), ...made(1), tooHot(2)])
    await lahore.until(() => lahore.heard.facts.some(({ facts }) => facts.length > 0))
    await sindh.until(() => sindh.heard.facts.some(({ facts }) => facts.length > 0))
    const types = ({ heard }: Client) => heard.facts.flatMap(({ facts }) => facts.map(({ type }) => type))
    expect(types(lahore)).toEqual(['violation.opened', ...made(1).map(({ type }) => type)])
    expect(types(sindh)).toEqual(['violation.opened'])
    expect(lahore.heard.notification).toMatchObject([{ acknowledged: { userName: 'Amna' }, isRepeat: false }])
  })

  test('a device that moves while a violation is open: both sides ask anew, and only the new one is told of its end', async () => {
    const server = await open(8)
    server.add([tooHot(1)])
    const [lahore, sindh, top] = ['a@lahore', 'b@sindh', 'c@indus'].map((token) =>
      connect(server, { token }),
    ) as [Client, Client, Client]
    const clients = [lahore, sindh, top]
    await Promise.all(clients.map(({ heard, until }) => until(() => heard.facts.length > 0)))
    server.add([
      {
        type: 'device.updated',
        at: START,
        companyId: 'indus',
        data: { imei: imeiOf(1), groupId: 'sindh' },
      },
    ])
    const movedAt = server.readModels.seq
    await Promise.all([lahore, sindh].map((each) => each.until(() => each.heard.snapshot.length > 0)))
    server.add([...made(1), status(1, 'offline'), status(5, 'offline')])
    const typesHeard = ({ heard }: Client) =>
      heard.facts.flatMap(({ facts }) => facts.filter(({ seq }) => seq > movedAt).map(({ type }) => type))
    await Promise.all(clients.map((each) => each.until(() => typesHeard(each).length > 0)))
    expect(clients.map(({ heard }) => heard.snapshot)).toEqual([
      [{ snapshot: true, seq: movedAt }],
      [{ snapshot: true, seq: movedAt }],
      [],
    ])
    expect(typesHeard(lahore)).toEqual(['device-status.changed'])
    expect(typesHeard(sindh)).toEqual([...made(1).map(({ type }) => type), 'device-status.changed'])
  })

  test.each([{ token: 'nobody' }, {}, { token: 'ayesha@indus', after: -1 }])('refuses %j', async (auth) => {
    const server = await open(1)
    const { socket } = connect(server, auth)
    const [error] = await once(socket as never, 'connect_error')
    expect(error).toBeInstanceOf(Error)
    expect(socket.connected).toBe(false)
  })

  test('refuses one more of a user than may be open, however they come and go', async () => {
    const server = await open(1, { ...QUICK, seatsPerUser: 2 })
    const enters = async () => {
      const client = connect(server, { token: 'ayesha@indus' })
      const outcome = await Promise.race([
        hears(client.socket, 'connect').then(() => 'in'),
        hears(client.socket, 'connect_error').then((error) => (error as Error).message),
      ])
      return { ...client, outcome }
    }
    const first = await enters()
    // coming again over the same line takes no other seat
    for (let i = 0; i < 5; i++) {
      first.socket.disconnect().connect()
      await hears(first.socket, 'connect')
    }
    const several = await Promise.all(Array.from({ length: 5 }, enters))
    expect(several.map(({ outcome }) => outcome).toSorted()).toEqual([
      'in',
      ...Array.from({ length: 4 }, () => 'too many windows'),
    ])
    const other = connect(server, { token: 'bilal@indus' })
    await hears(other.socket, 'connect')
    first.socket.disconnect()
    await vi.waitUntil(() => server.delivery.connections().notifications === 2)
    expect((await enters()).outcome).toBe('in')
  })

  test('whoever leaves ends their line: none stays that nobody is on', async () => {
    const server = await open(1)
    const { port } = server
    const line = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
    const closed = once(line, 'close')
    line.on('message', (data) => {
      const text = String(data)
      if (text.startsWith('0')) line.send('40/notifications,{"token":"ayesha@indus"}')
      if (text.startsWith('40')) line.send('41/notifications,')
      if (text === '2') line.send('3')
    })
    await closed
    expect(server.delivery.connections().notifications).toBe(0)
  })

  test('says logout with the token it was given, to that session alone, and closes', async () => {
    const server = await open(1)
    const ayesha = connect(server, { token: 'ayesha@indus', refreshToken: 'r-ayesha' })
    const bilal = connect(server, { token: 'bilal@indus', refreshToken: 'r-bilal' })
    await Promise.all([ayesha, bilal].map((c) => c.until(() => c.heard.facts.length > 0)))
    const ended = once(ayesha.socket as never, 'disconnect')
    server.add([
      {
        type: 'session.ended',
        at: START,
        companyId: 'indus',
        data: { userId: 'ayesha', sessionId: 'session-ayesha', reason: 'remote' },
      },
    ])
    await ended
    expect(ayesha.heard.logout).toEqual([
      { seq: server.readModels.seq, refreshToken: 'r-ayesha', identityId: 'session-ayesha' },
    ])
    expect(bilal.heard.logout).toEqual([])
    expect(bilal.socket.connected).toBe(true)
  })

  test('closes when the token runs out, on the clock of the server', async () => {
    const server = await open(1)
    const visitor = { userId: 'u', sessionId: 's', companyId: 'indus', groupId: 'indus' }
    server.tokens.set('short', { ...visitor, expiresAt: START + 1000 })
    const { socket, heard, until } = connect(server, { token: 'short' })
    await until(() => heard.facts.length > 0)
    const ended = once(socket as never, 'disconnect')
    server.clock.time = START + 1000
    await ended
  })

  test.each([[['websocket']], [['polling', 'websocket']]])(
    'drops a client over %s that has stopped reading, while the others hear everything',
    async (transports) => {
      const server = await open(8, { notificationLimits: { turn: 5, waiting: 8, stuck: 500 } })
      const stopped = connect(server, { token: 'ayesha@indus' }, nothing(), transports)
      const { io: manager } = stopped.socket
      if (transports.length > 1)
        await once(manager as never, 'open').then(() => once(manager.engine as never, 'upgrade'))
      const reader = connect(server, { token: 'bilal@indus' })
      await Promise.all([stopped, reader].map((c) => c.until(() => c.heard.facts.length > 0)))
      const start = reader.heard.facts.length
      const raw = (stopped.socket.io.engine.transport as unknown as { ws: { _socket: Duplex } }).ws
      raw._socket.pause()
      const connections = () => server.delivery.connections().notifications
      let added = 0
      while (connections() > 1) {
        server.add(Array.from({ length: 400 }, (_, i) => status((i % 2) * 4, 'offline')))
        added += 400
        await reader.until(() => reader.heard.facts.at(-1)?.seq === server.readModels.seq)
      }
      expect(reader.heard.facts.slice(start).flatMap((m) => m.facts)).toHaveLength(added)
      const ended = once(stopped.socket as never, 'disconnect')
      raw._socket.resume()
      await ended
    },
  )
})

test('who takes nothing is noticed within ten seconds, by either socket', async () => {
  const server = await open(1)
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket.io/?EIO=4&transport=websocket`)
  const [opening] = await once(socket, 'message')
  const { pingInterval, pingTimeout } = JSON.parse(String(opening).slice(1))
  expect(pingInterval + pingTimeout).toBeLessThanOrEqual(10_000)
  // a link is cut at the ping after the one it did not answer
  expect(2 * LIVE_TIMES.ping).toBeLessThanOrEqual(10_000)
  socket.terminate()
})
