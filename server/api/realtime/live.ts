import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Clock } from '#machines/contracts/clock.ts'
import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import { LIVE_CLOSE, LiveHello, type LiveMessage, LiveResume } from '#machines/contracts/live-messages.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Lane, Links } from '../network.ts'
import type { LiveHub, Member, Outlet } from './live-hub.ts'
import { endedBy, type VerifyToken, type Visitor } from './visitor.ts'

export type LiveTimes = {
  /** ms a visitor has to say hello */
  hello: number
  /** ms between two looks at which frames are due */
  turn: number
  /** ms between two tellings of the time, and between two looks at tokens that ran out */
  age: number
  /** ms between two pings; a link that answered none of the last is cut */
  ping: number
  /** ms a client has to answer a goodbye when the server closes */
  farewell: number
}

export const LIVE_TIMES: LiveTimes = { hello: 5000, turn: 50, age: 1000, ping: 5000, farewell: 500 }

type Deps = {
  clock: Clock
  readModels: ReadModels
  verifyToken: VerifyToken
  hub: LiveHub
  links: Pick<Links, 'lane'>
  times: LiveTimes
}

/** `/live`: who speaks, for how long, and when it ends. What they are told is the hub's. */
export function serveLive(
  app: FastifyInstance,
  { clock, readModels, verifyToken, hub, links, times }: Deps,
): { links(): number; startOver(): void } {
  const members = new Map<WebSocket, Member>()
  const lanes = new Map<WebSocket, Lane>()
  const alive = new WeakSet<WebSocket>()
  const sockets = new Set<WebSocket>()

  const welcome = (socket: WebSocket): void => {
    sockets.add(socket)
    alive.add(socket)
    const late = setTimeout(() => socket.close(LIVE_CLOSE.badHello, 'no hello'), times.hello)
    let greeted = false

    socket.on('pong', () => alive.add(socket))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(late)
      sockets.delete(socket)
      lanes.get(socket)?.close()
      lanes.delete(socket)
      const member = members.get(socket)
      members.delete(socket)
      if (member !== undefined) hub.leave(member)
    })
    socket.on('message', (data, isBinary) => {
      try {
        if (isBinary) throw new ContractError('live message', '', 'expected text')
        const text = String(data)
        const member = members.get(socket)
        if (member !== undefined) hub.resume(member, decodeJson(text, LiveResume, 'live message').after)
        else if (!greeted) {
          const hello = decodeJson(text, LiveHello, 'live hello')
          greeted = true
          clearTimeout(late)
          void greet(socket, hello)
        }
      } catch (error) {
        if (!(error instanceof ContractError)) throw error
        socket.close(LIVE_CLOSE.badHello, shortened(error.message))
      }
    })
  }
  app.route({
    method: 'GET',
    url: '/live',
    // over plain HTTP there is nothing to be had
    handler: (_, reply) => reply.callNotFound(),
    wsHandler: welcome,
  })

  async function greet(socket: WebSocket, { token, after }: LiveHello): Promise<void> {
    let visitor: Visitor | undefined
    try {
      visitor = await verifyToken(token)
    } catch (error) {
      app.log.error(error, 'live: a token could not be looked at')
    }
    if (socket.readyState !== socket.OPEN) return
    if (visitor === undefined || visitor.expiresAt <= clock.now())
      socket.close(LIVE_CLOSE.refused, 'token refused')
    else if (readModels.directory.companies.get(visitor.companyId)?.suspended === true)
      socket.close(LIVE_CLOSE.suspended, 'company suspended')
    else {
      const lane = links.lane()
      lanes.set(socket, lane)
      members.set(socket, hub.join(outletOf(socket, lane), visitor, after))
    }
  }

  const stopListening = readModels.onAdvance(({ facts }) => {
    for (const fact of facts)
      for (const [socket, { visitor }] of members) {
        const ending = endedBy(fact, visitor)
        if (ending !== undefined) end(socket, ending.code, ending.reason)
      }
  })

  /** Nothing more is told from here on, though the other side may take its time to close. */
  function end(socket: WebSocket, code: number, reason: string): void {
    const member = members.get(socket)
    members.delete(socket)
    if (member !== undefined) hub.leave(member)
    lanes.get(socket)?.flush()
    socket.close(code, reason)
  }

  const timers = [
    setInterval(() => hub.turn(performance.now()), times.turn),
    setInterval(() => {
      // Before anybody is sent away: whose token ran out by a leap of the clock renews it only where it knows of the leap.
      hub.tellAge()
      const now = clock.now()
      for (const [socket, { visitor }] of members)
        if (visitor.expiresAt <= now) end(socket, LIVE_CLOSE.refused, 'token ran out')
    }, times.age),
    setInterval(() => {
      for (const socket of sockets) {
        if (!alive.delete(socket)) socket.terminate()
        else socket.ping()
      }
    }, times.ping),
  ]
  for (const timer of timers) timer.unref()

  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer)
    stopListening()
    hub.stop()
    for (const socket of sockets) socket.close(1001, 'server is going away')
    // A client that does not answer must not keep the server from closing.
    setTimeout(() => {
      for (const socket of sockets) socket.terminate()
    }, times.farewell).unref()
  })

  return {
    links: () => members.size,
    startOver() {
      for (const socket of members.keys()) end(socket, LIVE_CLOSE.moved, 'start over')
    },
  }
}

/** A frame and an age tell their place in the log, so whoever gets them out of order can tell. */
const keepsPlace = (message: Uint8Array | LiveMessage): boolean =>
  !(message instanceof Uint8Array || message.type === 'age')

function outletOf(socket: WebSocket, lane: Lane): Outlet {
  return {
    send(message) {
      const binary = message instanceof Uint8Array
      const data = binary ? message : JSON.stringify(message)
      lane.send(() => socket.send(data, { binary }), keepsPlace(message))
    },
    waiting: () => socket.bufferedAmount,
    drop: () => socket.terminate(),
  }
}

/** A close reason may hold 123 bytes. */
const shortened = (text: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(text).slice(0, 100))
