import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Answer } from '#machines/contracts/calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { GOOD_NETWORK } from '../api/network.ts'
import { type App, buildApp } from '../app.ts'
import { alone } from '../cluster/alone.ts'
import type { Registration } from '../commands/registration/register.ts'
import { readEnv } from '../config/config.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { ServerOfSession, SimulatorPart, SimulatorSession } from '../ports.ts'
import type { ReportFiles } from '../store/report-files.ts'

/** What a test has otherwise than a server that has just been started on nothing. */
export type TestAppOverrides = {
  /** variables of the environment, e.g. `PUBLIC_URL`; DATA_DIR is `:memory:` where left out */
  env?: Record<string, string>
  clock: Clock
  /** ms that only ever grow, for limits on guessing */
  uptime?: () => number
  /** who there must be before the first reading; nobody where left out */
  registration?: Registration
  /** what else has happened before somebody comes in */
  facts?: readonly NewFact[]
  /** file of a made report by the name it is kept under (`r-1.0`), where no report is really made */
  reportFile?: ReportFiles['get']
  demoAccounts?: Answer<'demoAccounts'>
  /** directory of the built portal */
  distDir?: string
  logger?: NonNullable<FastifyServerOptions['logger']>
  /** puts further routes onto the app, as a simulator does */
  join?(app: FastifyInstance, server: ServerOfSession): Promise<void>
}

const ADDRESS = 'http://127.0.0.1:4000'
const NOBODY: Registration = { companies: [], users: [], devices: [], password: '', timeZone: 'Asia/Karachi' }
const QUIET: SimulatorPart = {
  notReadyBecause: () => undefined,
  lead: () => {
    throw new Error('no world is played in this test')
  },
  stop: async () => {},
}

/** The real app, listening nowhere, on a store in memory: everything is as a start puts it together, but what is overridden. */
export async function buildTestApp(overrides: TestAppOverrides): Promise<App> {
  const { facts = [], logger = false, distDir = '/nowhere/dist' } = overrides
  const env = readEnv({ DATA_DIR: ':memory:', ...overrides.env })
  const app = await buildApp({
    env,
    infrastructure: infrastructureOf(env.dataDir, overrides.reportFile),
    address: ADDRESS,
    distDir,
    logger,
    simulator: sessionOf(overrides),
    uptime: overrides.uptime,
    onStale(why) {
      throw new Error(why)
    },
  })
  const { store, readModels } = app.core
  if (facts.length > 0) await store.log.append('setup', [...facts])
  await readModels.settled(store.log.head())
  return app
}

/** A simulator's place in the server is where a test hands in its clock and its routes. */
const sessionOf = ({
  clock,
  registration = NOBODY,
  demoAccounts = [],
  join,
}: TestAppOverrides): SimulatorSession => ({
  clock,
  registration,
  demoAccounts,
  network: GOOD_NETWORK,
  pace: () => ({ speed: 1, paused: false }),
  wrapStore: (store) => store,
  async join(app, server) {
    await join?.(app, server)
    return QUIET
  },
})

/** Of a node that does not lead: nothing but the read models follows the log. */
function infrastructureOf(dataDir: string, reportFile?: ReportFiles['get']): Infrastructure {
  const cluster = alone({ node: 'test', address: ADDRESS, dataDir })
  const files = { ...cluster.files, ...(reportFile && { get: reportFile }) }
  return {
    cluster: { ...cluster, files, leads: () => false },
    dataDir,
    database: undefined,
    bus: undefined,
    isBusUp: () => true,
    forget: async () => {},
    close: async () => {},
  }
}
