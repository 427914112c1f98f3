import Fastify, { type FastifyInstance, type FastifyServerOptions, type InjectOptions } from 'fastify'
import type { Struct } from 'superstruct'
import { type Call, urlOf } from '#machines/contracts/calls/call.ts'
import { type Answer, CALLS, type CallName } from '#machines/contracts/calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { type Access, createAccess } from '../../../auth/access.ts'
import { hashPassword } from '../../../auth/passwords.ts'
import { createExecute, type Execute } from '../../../commands/execute.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { createIsProxy } from '../../../config/proxies.ts'
import { createUnknownDevices } from '../../../ingest/unknown-devices.ts'
import { createNotificationIndex, type NotificationIndex } from '../../../read-models/notification-index.ts'
import { type ReadModels, startProjecting } from '../../../read-models/read-models.ts'
import { openSqliteStore } from '../../../store/sqlite/open.ts'
import type { Store } from '../../../store/store.ts'
import type { HttpDeps } from '../context.ts'
import { HTTP_OPTIONS, registerHttp } from '../plugin.ts'

/** What tokens are signed with here. */
export const TOKEN_SECRET = 'a secret of more than thirty-two characters'
export const PASSWORD = 'Fr0st#line24'
/** When the server stands; tests move `clock.at` on. */
export const START = Date.parse('2026-11-21T04:00:00Z')

const hash = hashPassword(PASSWORD)

/** Two more companies' worth of people: a suspended one, one who must set a new password, and the server's own. */
const people = (passwordHash: string): NewFact[] => {
  const thar: NewFact[] = twoCompanies
    .filter((fact) => fact.companyId === 'karakoram' && fact.type !== 'device.registered')
    .map((fact) =>
      JSON.parse(
        JSON.stringify(fact)
          .replaceAll('karakoram', 'thar')
          .replaceAll('karim', 'tahir')
          .replaceAll('u3', 'u5'),
      ),
    )
  const reset: NewFact[] = twoCompanies
    .filter((fact) => fact.type === 'user.created' && fact.data.userId === 'u1')
    .map((fact) => JSON.parse(JSON.stringify(fact).replaceAll('ayesha', 'rabia').replaceAll('u1', 'u6')))
  return [
    ...twoCompanies,
    ...thar,
    ...reset,
    ...['u1', 'u2', 'u3', 'u4', 'u5', 'u6'].map(
      (userId): NewFact => ({
        type: 'user.password-set',
        at: 0,
        companyId: 'indus',
        data: { userId, hash: passwordHash },
      }),
    ),
    { type: 'user.reset-required', at: 0, companyId: 'indus', data: { userId: 'u6' } },
    { type: 'company.suspended', at: 0, companyId: 'thar', data: { companyId: 'thar' } },
  ]
}

export type TestServer = Awaited<ReturnType<typeof buildTestServer>>

/** What further routes are built from. */
export type Parts = {
  app: FastifyInstance
  clock: Clock
  store: Store
  readModels: ReadModels
  notifications: NotificationIndex
  access: Access
  execute: Execute
}
type Options = {
  distDir?: string
  simulator?: boolean
  publicUrl?: string
  trustedProxies?: string[]
  logger?: NonNullable<FastifyServerOptions['logger']>
  /** who makes reports; nobody where left out */
  reports?: HttpDeps['reports']
  /** what else has happened before the server is entered */
  facts?: NewFact[]
  /** registers what is not REST's, before the app is ready */
  also?(parts: Parts): Promise<void>
}

/** The REST of the server on a store in memory, without a port. */
export async function buildTestServer(options: Options = {}) {
  const clock = { at: START, now: () => clock.at }
  const uptime = { at: 0 }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const readModels = startProjecting(store)
  await store.log.append('setup', [...people(await hash), ...(options.facts ?? [])])
  await readModels.settled(store.log.head())
  const access = createAccess({
    env: { activationTtl: 86_400, resetTtl: 3600 },
    secret: TOKEN_SECRET,
    log: store.log,
    checkpoints: store.checkpoints,
    readModels,
    clock,
    uptime: () => uptime.at,
  })
  const execute = createExecute({ log: store.log, readModels, clock })
  const notifications = createNotificationIndex(store.log, readModels)
  const unknownDevices = createUnknownDevices(clock)
  const app: FastifyInstance = Fastify({
    ...HTTP_OPTIONS,
    trustProxy: createIsProxy(options.trustedProxies ?? []),
    logger: options.logger ?? false,
  })
  await registerHttp(app, {
    env: {
      accessTtl: 3600,
      sessionTtl: 2_592_000,
      resetTtl: 3600,
      simulator: options.simulator ?? true,
      publicUrl: options.publicUrl,
    },
    store,
    readModels,
    notifications,
    access,
    execute,
    reports: options.reports ?? { progress: () => undefined, file: async () => undefined },
    clock,
    demoAccounts: [
      { userName: 'ayesha', email: 'ayesha@indus.example', password: PASSWORD, note: 'all of Indus' },
    ],
    timeZone: 'Asia/Karachi',
    notReadyBecause: () => undefined,
    unknownDevices,
    lastWords: { since: START, of: () => [] },
    distDir: options.distDir ?? '/nowhere/dist',
  })
  await options.also?.({ app, clock, store, readModels, notifications, access, execute })
  await app.ready()

  return {
    app,
    clock,
    uptime,
    unknownDevices,
    store,
    readModels,
    notifications,
    access,
    execute,
    /** Stores readings and waits until they are seen. */
    async read(...readings: Reading[]) {
      const columns = createReadings(readings.length)
      for (const reading of readings) pushReading(columns, reading)
      const { seq } = await store.telemetry.append(columns, clock.now())
      await readModels.settled(seq)
    },
    async close() {
      await app.close()
      await store.close()
    },
    /** One request of a call; the answer is what came, undecoded. */
    ask(name: CallName, request: Ask = {}) {
      return app.inject(injection(name, request))
    },
    /** The same, decoded by the contract. @throws ContractError, Error for any other status */
    async answer<N extends CallName>(name: N, request: Ask = {}): Promise<Answer<N>> {
      const response = await app.inject(injection(name, request))
      const call: Call = CALLS[name]
      if (response.statusCode !== (call.status ?? 200))
        throw new Error(`${name}: ${response.statusCode} ${response.body}`)
      return decode(response.json(), call.answer as Struct<Answer<N>>, name)
    },
    /** Signs in; answers the tokens. */
    async signIn(username: string) {
      const answer = await this.answer('login', { body: { username, password: PASSWORD } })
      if (!('access_token' in answer)) throw new Error(`${username} must set a new password`)
      return answer
    },
  }
}

export type Ask = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
  from?: string
}

function injection(name: CallName, { params, query, body, token, headers, from }: Ask): InjectOptions {
  const call: Call = CALLS[name]
  return {
    method: call.method,
    url: urlOf(call, params, query),
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(from === undefined ? {} : { remoteAddress: from }),
    ...(body === undefined ? {} : { payload: body as object }),
  }
}
