import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Clock } from '#machines/contracts/clock.ts'
import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { LIVE_CLOSE, LiveHello, type LiveMessage, LiveResume } from '#machines/contracts/live-messages.ts'
import { isOutdated, OUTDATED } from '#machines/contracts/protocol.ts'
import { CROWDED } from '#machines/contracts/sockets.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Lane, Network } from '../network.ts'
import type { LiveHub, Member, Outlet } from './live-hub.ts'
import type { Seats } from './seats.ts'
import { createStrangers, type Strangers } from './strangers.ts'
import { endedBy, type VerifyToken, type Visitor } from './visitor.ts'

export type LiveTimes = {
  /** ms a visitor has to say hello */
  hello: number
  /** ms between two looks at which frames are due */
  turn: number
  /** ms between two messages of the time, and between two looks at tokens that ran out */
  age: number
  /** ms between two pings; a connection that answered none of the last is cut */
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
  network: Pick<Network, 'lane'>
  seats: Seats
  times: LiveTimes
  /** connections that nobody is let in on yet, beyond which the oldest gives way */
  mostStrangers: number
  /** the version that is spoken here */
  protocol: number
}

type Live = Deps & {
  app: FastifyInstance
  /** every connection, let in or not */
  sockets: Set<WebSocket>
  strangers: Strangers<WebSocket>
  /** those that answered since the last ping */
  alive: WeakSet<WebSocket>
  members: Map<WebSocket, Member>
  lanes: Map<WebSocket, Lane>
}

/** `/live`: who is connected, for how long, and when it ends. What they are sent is the hub's. */
export function serveLive(app: FastifyInstance, deps: Deps): { connections(): number; startOver(): void } {
  const live: Live = {
    ...deps,
    app,
    sockets: new Set(),
    strangers: createStrangers(deps.mostStrangers, (socket) => socket.terminate()),
    alive: new WeakSet(),
    members: new Map(),
    lanes: new Map(),
  }
  app.route({
    method: 'GET',
    url: '/live',
    config: { neverWaits: true },
    // over plain HTTP there is nothing to be had
    handler: (_, reply) => reply.callNotFound(),
    wsHandler: (socket) => welcome(live, socket),
  })
  const stopListening = deps.readModels.onAdvance(({ facts }) => endByFacts(live, facts))
  const timers = startTimers(live)
  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer)
    stopListening()
    deps.hub.stop()
    sayGoodbye(live)
  })
  return {
    connections: () => live.members.size,
    startOver() {
      for (const socket of live.members.keys()) end(live, socket, LIVE_CLOSE.moved, 'start over')
    },
  }
}

function startTimers(live: Live): ReturnType<typeof setInterval>[] {
  const { hub, times } = live
  const timers = [
    setInterval(() => hub.turn(performance.now()), times.turn),
    setInterval(() => {
      // Before anybody is sent away: whose token ran out by a leap of the clock renews it only where it knows of the leap.
      hub.sendAges()
      endRunOut(live)
    }, times.age),
    setInterval(() => ping(live), times.ping),
  ]
  for (const timer of timers) timer.unref()
  return timers
}

function welcome(live: Live, socket: WebSocket): void {
  live.sockets.add(socket)
  live.strangers.add(socket)
  live.alive.add(socket)
  const late = setTimeout(() => socket.close(LIVE_CLOSE.badHello, 'no hello'), live.times.hello)
  let isGreeted = false
  socket.on('pong', () => live.alive.add(socket))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(late)
    forget(live, socket)
  })
  socket.on('message', (data, isBinary) => {
    try {
      if (isBinary) throw new ContractError('live message', '', 'expected text')
      const text = String(data)
      const member = live.members.get(socket)
      if (member !== undefined) live.hub.resume(member, decodeJson(text, LiveResume, 'live message').after)
      else if (!isGreeted) {
        const hello = decodeJson(text, LiveHello, 'live hello')
        isGreeted = true
        clearTimeout(late)
        void greet(live, socket, hello)
      }
    } catch (error) {
      if (!(error instanceof ContractError)) throw error
      socket.close(LIVE_CLOSE.badHello, shortened(error.message))
    }
  })
}

function forget(live: Live, socket: WebSocket): void {
  live.sockets.delete(socket)
  live.strangers.delete(socket)
  live.lanes.get(socket)?.close()
  live.lanes.delete(socket)
  leave(live, socket)
}

function leave({ members, hub, seats }: Live, socket: WebSocket): void {
  const member = members.get(socket)
  members.delete(socket)
  if (member === undefined) return
  seats.leave(member.visitor.userId)
  hub.leave(member)
}

async function greet(live: Live, socket: WebSocket, { token, after, protocol }: LiveHello): Promise<void> {
  if (isOutdated(protocol, live.protocol)) return socket.close(LIVE_CLOSE.outdated, OUTDATED)
  const { app, clock, readModels, hub, network } = live
  let visitor: Visitor | undefined
  try {
    visitor = await live.verifyToken(token)
  } catch (error) {
    app.log.error(error, 'live: a token could not be verified')
  }
  if (socket.readyState !== socket.OPEN) return
  if (visitor === undefined || visitor.expiresAt <= clock.now())
    socket.close(LIVE_CLOSE.refused, 'token refused')
  else if (readModels.directory.companies.get(visitor.companyId)?.suspended === true)
    socket.close(LIVE_CLOSE.suspended, 'company suspended')
  else if (!live.seats.take(visitor.userId)) socket.close(LIVE_CLOSE.crowded, CROWDED)
  else {
    // a portal of before the version was said knows no such word
    const spoken = protocol === undefined ? undefined : live.protocol
    const lane = network.lane()
    live.strangers.delete(socket)
    live.lanes.set(socket, lane)
    live.members.set(socket, hub.join(outletOf(socket, lane), visitor, after, spoken))
  }
}

function endByFacts(live: Live, facts: readonly Fact[]): void {
  for (const fact of facts)
    for (const [socket, { visitor }] of live.members) {
      const ending = endedBy(fact, visitor)
      if (ending !== undefined) end(live, socket, ending.code, ending.reason)
    }
}

function endRunOut(live: Live): void {
  const now = live.clock.now()
  for (const [socket, { visitor }] of live.members)
    if (visitor.expiresAt <= now) end(live, socket, LIVE_CLOSE.refused, 'token ran out')
}

/** Nothing more is sent from here on, though the other side may take its time to close. */
function end(live: Live, socket: WebSocket, code: number, reason: string): void {
  leave(live, socket)
  live.lanes.get(socket)?.flush()
  socket.close(code, reason)
}

function ping({ sockets, alive }: Live): void {
  for (const socket of sockets) {
    if (!alive.delete(socket)) socket.terminate()
    else socket.ping()
  }
}

function sayGoodbye({ sockets, times }: Live): void {
  for (const socket of sockets) socket.close(1001, 'server is going away')
  // A client that does not answer must not keep the server from closing.
  setTimeout(() => {
    for (const socket of sockets) socket.terminate()
  }, times.farewell).unref()
}

/** A frame and an age have their place in the log, so whoever gets them out of order notices. */
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
