import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { networkOf } from '../../auth/attempts.ts'
import { ApiError } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** waits for no other answer: it is small, or becomes a socket */
    neverWaits?: true
  }
}

export type AnswerLimits = {
  /** answers an address (of IPv6 its /64 network) may have under way at once; further requests wait for their turn */
  atOnce: number
  /** requests of an address that may wait; further ones are refused */
  waiting: number
  /** ms an answer may take to be taken, and bytes per ms it is granted beyond that */
  patience: number
  slowest: number
}

/** An office behind one address has some dozens of requests at once; a telephone on a bad line takes 20 kB/s. */
const LIMITS: AnswerLimits = { atOnce: 64, waiting: 2_000, patience: 30_000, slowest: 20 }
/** Bytes of an answer that does not say how long it is. */
const UNSAID_BYTES = 16 * 1024 * 1024

/** What one address has under way. */
type Address = { underWay: number; waiting: (() => void)[] }

/**
 * Bounds what unread answers can hold of the memory: a connection has one answer at a time, so requests sent ahead wait
 * for it; an address has some dozens; who takes an answer too slowly is cut off. Whoever leaves gives their place back when
 * the work for them has ended.
 */
async function answersInFlight(app: FastifyInstance, given: Partial<AnswerLimits>): Promise<void> {
  const limits = { ...LIMITS, ...given }
  /** when an answer is taken: of each connection the last one, and of each request */
  const answers = new WeakMap<Socket, Promise<void>>()
  const taken = new WeakMap<IncomingMessage, Promise<void>>()
  /** settled when its handler has ended */
  const handled = new WeakMap<IncomingMessage, Promise<unknown>>()
  const addresses = new Map<string, Address>()

  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.neverWaits) return
    const { socket } = request.raw
    const before = answers.get(socket)
    const over = closed(reply.raw)
    answers.set(socket, over)
    taken.set(request.raw, over)
    await before
    const network = networkOf(request.ip)
    await turnOf(addresses, network, limits)
    void over.then(() => handled.get(request.raw)).then(() => giveBack(addresses, network))
    // whoever left while they waited is answered no more
    if (socket.destroyed) reply.hijack()
  })

  app.addHook('onRoute', (route) => {
    if (route.config?.neverWaits) return
    const { handler } = route
    route.handler = function (request, reply) {
      // they may have left while it was decided who they are: their place is given back, so nothing is begun
      if (request.raw.socket.destroyed) return void reply.hijack()
      const answer = handler.call(this, request, reply)
      handled.set(request.raw, Promise.allSettled([answer]))
      return answer
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.neverWaits) return payload
    const bytes = lengthOf(payload, reply.getHeader('content-length'))
    const { socket } = request.raw
    const cutOff = () => {
      if (!reply.raw.writableFinished) socket.destroy()
    }
    const timer = setTimeout(cutOff, limits.patience + bytes / limits.slowest)
    timer.unref()
    void taken.get(request.raw)?.then(() => clearTimeout(timer))
    return payload
  })
}

/** Resolves when the answer was taken, or nobody is there to take it. */
function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed || response.writableFinished) resolve()
    response.once('finish', resolve)
    response.once('close', resolve)
  })
}

function lengthOf(payload: unknown, declared: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length
  return declared === undefined ? UNSAID_BYTES : Number(declared)
}

/** Resolves when it is the turn of one more request of an address. @throws ApiError 503 where too many wait */
function turnOf(addresses: Map<string, Address>, network: string, limits: AnswerLimits): Promise<void> {
  const address = addresses.get(network) ?? { underWay: 0, waiting: [] }
  addresses.set(network, address)
  if (address.underWay < limits.atOnce) {
    address.underWay++
    return Promise.resolve()
  }
  if (address.waiting.length >= limits.waiting)
    throw new ApiError(
      503,
      'Too many requests of one address wait for their answers',
      {},
      { 'retry-after': '5' },
    )
  return new Promise((resolve) => address.waiting.push(resolve))
}

/** The next request of an address has its turn. */
function giveBack(addresses: Map<string, Address>, network: string): void {
  const address = addresses.get(network) as Address
  const next = address.waiting.shift()
  if (next !== undefined) {
    next()
    return
  }
  address.underWay--
  if (address.underWay === 0) addresses.delete(network)
}

export const answersInFlightPlugin = fp(answersInFlight, { name: 'answers-in-flight', fastify: '5.x' })
