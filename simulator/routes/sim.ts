/** The control calls of the simulated world: what the director's panel, scripts and tests play on. Not part of the product's API. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Struct } from 'superstruct'
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '#machines/contracts/calls/call.ts'
import {
  type OpenBody,
  SIM_CALLS,
  type SimAction,
  type SimFault,
  type SimIncident,
  type SimLink,
  type SimScenario,
  type SimStatus,
} from '#machines/contracts/calls/sim-calls.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import type { ScenarioFile } from '#machines/contracts/scenario.ts'
import { refused } from '../../server/ports.ts'
import { directedNameOf } from '../director/scenario-files.ts'
import { forwardToLead, takesLong } from './forward-to-leader.ts'
import { type SimGate, simGate } from './sim-gate.ts'

type SimCalls = typeof SIM_CALLS
type SimCallName = keyof SimCalls
/** A mail or a text message that was not sent but kept; `at` epoch ms. */
type SimMessage = { to: string; text: string; links: string[]; at: number } & (
  | { channel: 'email'; subject: string; html: string }
  | { channel: 'sms' }
)

/** What the calls act on. Each `false` or `undefined` says that there is no such thing. */
export type SimDeps = {
  status(): SimStatus
  setSpeed(speed: number): Promise<void>
  setPaused(isPaused: boolean): Promise<void>
  /** resolves when the world got there, or was stopped on its way, and everything is stored */
  advance(seconds: number): Promise<void>
  /** null: none came; undefined: none had when it was stopped on its way */
  toNextIncident(): Promise<SimIncident | null | undefined>
  stopJourney(): boolean
  faults: {
    /** those in force alone, or also those that were, and those of the script to come */
    list(isInForce: boolean): SimFault[]
    find(id: string): SimFault | undefined
    inject(order: BodyOf<SimCalls['injectSimFault']>): Promise<{ id: string; devices: number } | undefined>
    /** one, or all that an action brought */
    lift(id: string): Promise<boolean>
  }
  network: {
    list(): SimLink[]
    begin(order: BodyOf<SimCalls['breakSimLinks']>): Promise<SimLink>
    end(id: string): Promise<boolean>
  }
  suspendCompany(companyId: string, isSuspended: boolean): Promise<boolean>
  requireReset(userName: string): Promise<boolean>
  logoutUser(userName: string): Promise<boolean>
  expireSessions(userName: string): Promise<boolean>
  /** newest first; `to`: an address in any case, or a phone number */
  outbox(to: string | undefined): SimMessage[] | Promise<SimMessage[]>
  expireToken(token: string): Promise<boolean>
  actions: {
    /** newest first */
    list(): SimAction[]
    undo(id: string): Promise<SimAction | 'cannot' | undefined>
  }
  script(): Promise<ScenarioFile>
  scenarios(): Promise<SimScenario[]>
  /** keeps the scenario with all that was done among those that can be opened; null: this server keeps none */
  save(): Promise<SimScenario | null>
  /** another world; resolves when the server is up with it. @throws ContractError for a file that is no scenario */
  open(wanted: OpenBody): Promise<SimStatus | undefined>
  /** back to the scenario's start; resolves when the server is ready again */
  reset(): Promise<SimStatus>
}

export type SimOptions = SimGate & {
  /** who plays on the world now. @throws ApiError while nobody does */
  director(): SimDeps
}

type Requested<C extends Call> = {
  /** what it acts on */
  world: SimDeps
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  reply: FastifyReply
}

async function sim(app: FastifyInstance, options: SimOptions): Promise<void> {
  app.addHook('onRequest', simGate(options))
  if (options.nodes) await forwardToLead(app, options.nodes)
  const answer = createAnswer(app, options)

  answer('simStatus', ({ world }) => world.status())
  answer('setSimClock', async ({ world, body, reply }) => {
    const { speed, paused, advanceSeconds, toNextIncident } = body
    if (speed !== undefined) await world.setSpeed(speed)
    if (paused !== undefined) await world.setPaused(paused)
    if (advanceSeconds === undefined && toNextIncident === undefined) return world.status()
    takesLong(reply.request)
    if (advanceSeconds !== undefined) await world.advance(advanceSeconds)
    const incident = toNextIncident && (await world.toNextIncident())
    return { ...world.status(), ...(incident !== undefined && { incident }) }
  })
  answer('stopSimJourney', ({ world }) => {
    found(world.stopJourney(), 'journey under way')
    return world.status()
  })

  answer('simFaults', ({ world, query }) => world.faults.list(query.inForce !== undefined))
  answer('simFault', ({ world, params }) => found(world.faults.find(params.id), 'fault'))
  answer('injectSimFault', async ({ world, body }) =>
    found(await world.faults.inject(body), 'simulated device'),
  )
  answer('liftSimFault', async ({ world, params }) => {
    found(await world.faults.lift(params.id), 'fault in force')
  })

  answer('simLinks', ({ world }) => world.network.list())
  answer('breakSimLinks', ({ world, body }) => world.network.begin(body))
  answer('mendSimLinks', async ({ world, params }) => {
    found(await world.network.end(params.id), 'link fault in force')
  })

  answer('suspendSimCompany', async ({ world, params: { companyId }, body: { suspended } }) => {
    found(await world.suspendCompany(companyId, suspended), 'company')
    return { companyId, suspended }
  })
  answer('changeSimUser', async ({ world, params: { userName }, body }) => {
    if (body.requireReset) found(await world.requireReset(userName), 'user')
    if (body.logout) found(await world.logoutUser(userName), 'user')
    if (body.expire) found(await world.expireSessions(userName), 'user')
    const done = Object.entries(body).filter(([, isRequested]) => isRequested)
    return { userName, ...Object.fromEntries(done) }
  })
  answer('simOutbox', ({ world, query }) => world.outbox(query.to))
  answer('expireSimLink', async ({ world, params }) => {
    found(await world.expireToken(params.token), 'link')
    return { expired: true as const }
  })

  answer('simActions', ({ world }) => world.actions.list())
  answer('undoSimAction', async ({ world, params }) => {
    const action = found(await world.actions.undo(params.id), 'action')
    if (action === 'cannot') throw refused(409, 'This cannot be undone, or not any more')
    return action
  })
  answer('simScript', async ({ world, reply }) => {
    const { scenarioName } = world.status()
    reply.header('content-disposition', `attachment; filename="${directedNameOf(scenarioName)}.json"`)
    return world.script()
  })

  answer('simScenarios', ({ world }) => world.scenarios())
  answer('saveSimScenario', ({ world }) => orRefused(409, () => world.save()))
  answer('openSimScenario', async ({ world, body, reply }) => {
    takesLong(reply.request)
    return found(await orRefused(400, () => world.open(body)), 'scenario')
  })
  answer('resetSim', async ({ world, reply }) => {
    takesLong(reply.request)
    return world.reset()
  })
}

/** What is no scenario is refused with what is wrong with it. */
async function orRefused<T>(status: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ContractError) throw refused(status, error.message)
    throw error
  }
}

/** `/sim` and nothing else; its gate stands before its own routes only. */
export const simPlugin = fp(sim, { name: 'sim', fastify: '5.x', encapsulate: true })

/** Makes routes of calls: what is asked is decoded, and what does not fit refused with its path. */
function createAnswer(app: FastifyInstance, { director }: SimOptions) {
  return <N extends SimCallName>(
    name: N,
    handler: (requested: Requested<SimCalls[N]>) => AnswerOf<SimCalls[N]> | Promise<AnswerOf<SimCalls[N]>>,
  ): void => {
    const call: Call = SIM_CALLS[name]
    const what = call.path.split('/')[1] as string
    app.route({
      method: call.method,
      url: `${call.under}${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const requested = {
          world: director(),
          params: part(request.params, call.params, 'path'),
          query: part(request.query, call.query, 'query'),
          body: part(request.body, call.body, what),
          reply,
        } as Requested<SimCalls[N]>
        return reply.code(call.status ?? 200).send(await handler(requested))
      },
    })
  }
}

function part(value: unknown, struct: Struct<unknown> | undefined, what: string): unknown {
  if (struct === undefined) return undefined
  try {
    return decode(value, struct, what)
  } catch (error) {
    if (error instanceof ContractError) throw refused(400, error.message)
    throw error
  }
}

function found<T>(thing: T, what: string): NonNullable<Exclude<T, false>> {
  if (thing === undefined || thing === null || thing === false) throw refused(404, `There is no such ${what}`)
  return thing as NonNullable<Exclude<T, false>>
}
