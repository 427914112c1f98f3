/** The control calls of the pretend world: what the sales engineer's panel and the tests play on. Not part of the product's API. */
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { boolean, type Infer, object, optional, refine, type Struct, string } from 'superstruct'
import type { Clock } from '#machines/contracts/clock.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import { Finite, Imei } from '#machines/contracts/scalars.ts'
import { FaultKind } from '#machines/contracts/scenario-script.ts'
import { ApiError } from './refusals.ts'

/** A fault as the calls show it; times epoch ms. */
export type SimFault = { id: string; imei: string; fault: FaultKind; from: number; until: number }
/** A mail or a text message that was not sent but kept; `at` epoch ms. */
type SimMessage = { to: string; text: string; links: string[]; at: number } & (
  | { channel: 'email'; subject: string; html: string }
  | { channel: 'sms' }
)

/** What the calls act on. Each `false` or `undefined` says that there is no such thing. */
export type SimDeps = {
  /** needed in `x-sim-token` from anywhere but loopback; without it only loopback is answered */
  token: string | undefined
  world: {
    readonly scenario: { name: string }
    readonly seed: number
    readonly size: number
    messagesSent(): number
    hash(): string
  }
  clock: Clock & {
    speed(): number
    paused(): boolean
    setSpeed(speed: number): void
    pause(): void
    resume(): void
  }
  /** resolves when the world got there and everything is stored */
  advance(seconds: number): Promise<void>
  faults: {
    inject(imei: string, fault: FaultKind, forSeconds: number): Promise<SimFault | undefined>
    /** those in force, and those that were */
    list(): SimFault[]
    remove(id: string): Promise<boolean>
  }
  suspendCompany(companyId: string, isSuspended: boolean): Promise<boolean>
  requireReset(userName: string): Promise<boolean>
  logoutUser(userName: string): Promise<boolean>
  /** newest first; `to`: an address in any case, or a phone number */
  outbox(to: string | undefined): SimMessage[] | Promise<SimMessage[]>
  expireToken(token: string): Promise<boolean>
  /** back to the scenario's start; resolves when the house is ready again */
  reset(): Promise<void>
}

const Positive = (most: number) => refine(Finite, `more than 0, at most ${most}`, (v) => v > 0 && v <= most)
const DAY_SECONDS = 86_400

const ClockBody = refine(
  object({
    speed: optional(Positive(10_000)),
    paused: optional(boolean()),
    advanceSeconds: optional(Positive(31 * DAY_SECONDS)),
  }),
  'one of speed, paused, advanceSeconds',
  (body) => Object.values(body).some((value) => value !== undefined),
)
const FaultBody = object({ imei: Imei, fault: FaultKind, forSeconds: Positive(31 * DAY_SECONDS) })
const CompanyBody = object({ suspended: boolean() })
const UserBody = refine(
  object({ requireReset: optional(boolean()), logout: optional(boolean()) }),
  'requireReset or logout, true',
  (body) => body.requireReset === true || body.logout === true,
)
const OutboxQuery = object({ to: optional(string()) })

async function sim(app: FastifyInstance, deps: SimDeps): Promise<void> {
  const { world, clock, faults } = deps

  app.addHook('onRequest', async (request) => {
    if (!isLoopback(request) && (deps.token === undefined || request.headers['x-sim-token'] !== deps.token))
      throw new ApiError(403, 'The device world is controlled from this machine, or with its token')
  })

  const status = () => ({
    scenario: world.scenario.name,
    seed: world.seed,
    now: clock.now(),
    speed: clock.speed(),
    paused: clock.paused(),
    devices: world.size,
    messagesSent: world.messagesSent(),
    hash: world.hash(),
  })
  app.get('/sim/status', async () => status())

  app.post('/sim/clock', async (request) => {
    const { speed, paused, advanceSeconds } = bodyOf(request, ClockBody, 'clock')
    if (speed !== undefined) clock.setSpeed(speed)
    if (paused === true) clock.pause()
    if (paused === false) clock.resume()
    if (advanceSeconds !== undefined) {
      // a month takes longer than a silent connection is kept; a request without a port has none
      const { socket } = request.raw
      if ('setTimeout' in socket) socket.setTimeout(0)
      await deps.advance(advanceSeconds)
    }
    return status()
  })

  app.get('/sim/faults', async () => faults.list())
  app.get<{ Params: { id: string } }>('/sim/faults/:id', async ({ params }) =>
    found(faultOf(params.id), 'fault'),
  )
  app.post('/sim/faults', async (request, reply) => {
    const { imei, fault, forSeconds } = bodyOf(request, FaultBody, 'fault')
    const { id } = found(await faults.inject(imei, fault, forSeconds), 'simulated device')
    return reply.code(201).send({ id })
  })
  app.delete<{ Params: { id: string } }>('/sim/faults/:id', async ({ params }, reply) => {
    found(await faults.remove(params.id), 'fault in force')
    return reply.code(204).send()
  })
  const faultOf = (id: string) => faults.list().find((fault) => fault.id === id)

  app.post<{ Params: { companyId: string } }>('/sim/companies/:companyId', async (request) => {
    const { suspended } = bodyOf(request, CompanyBody, 'company')
    const { companyId } = request.params
    found(await deps.suspendCompany(companyId, suspended), 'company')
    return { companyId, suspended }
  })

  app.post<{ Params: { userName: string } }>('/sim/users/:userName', async (request) => {
    const { requireReset, logout } = bodyOf(request, UserBody, 'user')
    const { userName } = request.params
    if (requireReset) found(await deps.requireReset(userName), 'user')
    if (logout) found(await deps.logoutUser(userName), 'user')
    return { userName, ...(requireReset && { requireReset }), ...(logout && { logout }) }
  })

  app.get('/sim/outbox', async (request) => deps.outbox(checked(request.query, OutboxQuery, 'query').to))

  app.post<{ Params: { token: string } }>('/sim/tokens/:token/expire', async ({ params }) => {
    found(await deps.expireToken(params.token), 'link')
    return { expired: true }
  })

  app.post('/sim/reset', async () => {
    await deps.reset()
    return status()
  })
}

/** `/sim` and nothing else; its gate stands before its own routes only. */
export const simPlugin = fp(sim, { name: 'sim', fastify: '5.x', encapsulate: true })

function bodyOf<T, S>(request: FastifyRequest, struct: Struct<T, S>, what: string): Infer<Struct<T, S>> {
  return checked(request.body, struct, what)
}

function checked<T, S>(value: unknown, struct: Struct<T, S>, what: string): T {
  try {
    return decode(value, struct, what)
  } catch (error) {
    if (error instanceof ContractError) throw new ApiError(400, error.message)
    throw error
  }
}

function found<T>(thing: T, what: string): NonNullable<Exclude<T, false>> {
  if (thing === undefined || thing === null || thing === false)
    throw new ApiError(404, `There is no such ${what}`)
  return thing as NonNullable<Exclude<T, false>>
}

function isLoopback({ ip }: FastifyRequest): boolean {
  const plain = ip.startsWith('::ffff:') ? ip.slice(7) : ip
  return isIP(plain) === 4 ? plain.startsWith('127.') : plain === '::1'
}
