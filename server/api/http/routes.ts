import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Struct } from 'superstruct'
import { API_PREFIX, BODY_BYTES, type Call } from '#machines/contracts/calls/call.ts'
import {
  type Answer,
  type Body,
  CALLS,
  type CallName,
  type Params,
  type Query,
} from '#machines/contracts/calls.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { KeyOf, KeyOwner } from '../../auth/key-of.ts'
import type { KnownDevices } from '../../auth/known-devices.ts'
import type { Visitor, VisitorOf } from '../../auth/visitor.ts'
import { topGroup } from '../../commands/access/handoff.ts'
import { suspension } from '../../commands/access/sessions.ts'
import type { CatchUp } from './catch-up.ts'
import type { Once } from './once.ts'
import { ApiError, keyRefusal, notFound, refusal, tooMany, unauthorized } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the call of the contract this route answers */
    call?: CallName
  }
  interface FastifyRequest {
    visitor: Visitor | null
  }
}

type VisitorFor<N extends CallName> = (typeof CALLS)[N]['access'] extends 'session' ? Visitor : undefined

/** One request of a call, decoded and let in. */
export type CallRequest<N extends CallName> = {
  params: Params<N>
  query: Query<N>
  body: Body<N>
  visitor: VisitorFor<N>
  request: FastifyRequest
  reply: FastifyReply
}

/** What is answered, or its bytes, with their type put upon the reply. */
type CallAnswer<N extends CallName> = Answer<N> | Readable | Uint8Array
export type Handler<N extends CallName> = (request: CallRequest<N>) => CallAnswer<N> | Promise<CallAnswer<N>>

type Options = {
  visitorOf: VisitorOf
  keyOf: KeyOf
  directory: Directory
  attempts: Pick<Attempts, 'waitOfAddress'>
  knownDevices: Pick<KnownDevices, 'isKnown'>
  once: Once
  catchUp: CatchUp
}
type RouteOptions = {
  /** the handler finds out by itself whose request it is */
  letsAnyoneIn?: boolean
  /** requests an address has a minute */
  perMinute?: number
  /** somebody may guess here: an address that guessed too often is refused before its body is read, where the browser is a stranger's */
  limitsGuessing?: boolean
  /** where the route is put: a part of the app that reads other bodies */
  on?: FastifyInstance
}

export type AnswerCall = <N extends CallName>(name: N, handler: Handler<N>, options?: RouteOptions) => void

/**
 * Makes routes of calls: access is decided before a byte of the body is read, and again once it is there, as that may take long
 * enough for whoever sends it to be signed out. Then parameters, query and body are decoded by the contract, and what does not fit
 * is refused with its path.
 */
export function createAnswerCall(
  app: FastifyInstance,
  { visitorOf, keyOf, directory, attempts, knownDevices, once, catchUp }: Options,
): AnswerCall {
  app.decorateRequest('visitor', null)

  async function refuseGuessers({ ip, headers }: FastifyRequest): Promise<void> {
    if (knownDevices.isKnown(headers.cookie)) return
    const wait = attempts.waitOfAddress(ip)
    if (wait > 0) throw tooMany(wait)
  }

  /** Another system reads as its company's top group does. */
  async function letKeyIn(request: FastifyRequest): Promise<void> {
    if (request.headers.authorization !== undefined || request.headers['x-device-key'] === undefined)
      return letIn(request)
    const key = keyOf(request.headers['x-device-key'], 'read', request.ip)
    if ('refused' in key) throw keyRefusal(key.refused)
    const top = topGroup(directory, key.companyId)
    if (top === undefined) throw notFound()
    request.visitor = visitorByKey(key, top._id)
  }

  async function letIn(request: FastifyRequest): Promise<void> {
    const token = bearer(request)
    const visitor = token === undefined ? undefined : await visitorOf(token)
    if (visitor === undefined || visitor.scope !== 'full') throw unauthorized()
    const suspended = suspension(directory.companies.get(visitor.companyId))
    if (suspended) throw refusal(suspended)
    request.visitor = visitor
  }

  return (name, handler, { letsAnyoneIn = false, perMinute, limitsGuessing = false, on = app } = {}) => {
    const call: Call = CALLS[name]
    const access = call.access === 'session' && !letsAnyoneIn ? [call.takesKey ? letKeyIn : letIn] : []
    on.route({
      method: call.method,
      url: `${API_PREFIX}${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      config: { call: name, ...(perMinute && { rateLimit: { max: perMinute, timeWindow: 60_000 } }) },
      bodyLimit: call.bodyBytes ?? BODY_BYTES,
      onRequest: [...(limitsGuessing ? [refuseGuessers] : []), ...access],
      preHandler: call.method === 'GET' ? [] : access,
      handler: async (request, reply) => {
        if (request.visitor) await catchUp(request, reply)
        const decoded = {
          params: part(request.params, call.params, 'path'),
          query: part(request.query, call.query, 'query'),
          body: part(request.body, call.body, 'body'),
          visitor: request.visitor ? waiting(request.visitor, request) : undefined,
          request,
          reply,
        } as CallRequest<typeof name>
        // what is answered to somebody is kept by no browser and no proxy, unless its handler says so
        if (call.access !== 'anyone') reply.header('cache-control', 'no-store')
        const answer = await (request.visitor
          ? once({ request, reply, call, visitor: request.visitor }, () => handler(decoded))
          : handler(decoded))
        return reply.code(call.status ?? 200).send(answer)
      },
    })
  }
}

const waiting = (visitor: Visitor, { raw: { socket } }: FastifyRequest): Visitor => ({
  ...visitor,
  hasLeft: () => socket.destroyed,
})

function part(value: unknown, struct: Struct<unknown> | undefined, what: string): unknown {
  if (struct === undefined) return undefined
  try {
    return decode(value, struct, what)
  } catch (error) {
    if (error instanceof ContractError) throw new ApiError(400, error.message)
    throw error
  }
}

const visitorByKey = ({ companyId, keyId }: KeyOwner, groupId: string): Visitor => ({
  userId: keyId,
  sessionId: keyId,
  companyId,
  groupId,
  scope: 'full',
  superAdmin: false,
  expiresAt: Number.POSITIVE_INFINITY,
})

/** The access token of a request. */
export function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1]
}
