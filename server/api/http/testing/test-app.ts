import type { InjectOptions } from 'fastify'
import type { Struct } from 'superstruct'
import { type Call, urlOf } from '#machines/contracts/calls/call.ts'
import { type Answer, CALLS, type CallName } from '#machines/contracts/calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { hashPassword } from '../../../auth/passwords.ts'
import { sealKeyPlace } from '../../../auth/seal-key.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { startSealing } from '../../../jobs/seals/sealing.ts'
import { buildTestApp, type TestAppOverrides } from '../../../testing/build-test-app.ts'

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

type Options = Pick<TestAppOverrides, 'distDir' | 'facts' | 'join' | 'logger' | 'reportFile'> & {
  simulator?: boolean
  publicUrl?: string
  /** further variables of the environment */
  env?: Readonly<Record<string, string>>
  trustedProxies?: string[]
  /** another server is over the same record: everybody is in it already, and time goes by there as well */
  beside?: { clock: { at: number; now(): number } }
}

const DEMO_ACCOUNTS = [
  { userName: 'ayesha', email: 'ayesha@indus.example', password: PASSWORD, note: 'all of Indus' },
]

/** The server with the people of two companies in it, asked over REST without a port. */
export async function buildTestServer({ facts = [], ...options }: Options = {}) {
  const { simulator = true, publicUrl, trustedProxies = [], env = {}, beside, ...overrides } = options
  const clock = beside?.clock ?? { at: START, now: (): number => clock.at }
  const uptime = { at: 0 }
  const { fastify, core, unknownDevices, close } = await buildTestApp({
    ...overrides,
    clock,
    uptime: () => uptime.at,
    facts: beside ? facts : [...people(await hash), ...facts],
    demoAccounts: DEMO_ACCOUNTS,
    env: {
      TOKEN_SECRET,
      SIMULATOR: simulator ? 'on' : 'off',
      PUBLIC_URL: publicUrl ?? '',
      TRUSTED_PROXIES: trustedProxies.join(','),
      ...env,
    },
  })
  const { store, readModels, access, execute } = core
  const app = fastify
  const place = sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, undefined)

  return {
    app,
    unknownDevices,
    clock,
    uptime,
    store,
    readModels,
    access,
    execute,
    close,
    /** Signs the record as it is now, as the node that leads does each minute. */
    async signRecord() {
      const warn = (message: string): void => {
        throw new Error(message)
      }
      const sealing = startSealing({ store, readModels, place, clock, term: () => 1, warn })
      const head = await sealing.signNow()
      await sealing.stop()
      return head ?? (await store.seals.heads())[0]
    },
    /** Stores readings and waits until they are seen. */
    async read(...readings: Reading[]) {
      const columns = createReadings(readings.length)
      for (const reading of readings) pushReading(columns, reading)
      const { seq } = await store.telemetry.append(columns, clock.now())
      await readModels.settled(seq)
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
