import { join } from 'node:path'
import { readEnv } from '../../server/config/config.ts'
import { type ServerOptions, startServer } from '../../server/start-server.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { openSimulator } from '../plugin.ts'
import { registerPeople } from './scenario-people.ts'

const SMALL = {
  PORT: '0',
  TELTONIKA_PORT: '0',
  DATA_DIR: ':memory:',
  DEVICES: '40',
  // tests turn the clock by hours
  ACCESS_TTL: '86400',
}

/**
 * The whole server in this process on a free port, with a small simulated world; its clock stands, tests turn it. With
 * `SIMULATOR=off` it is production with the scenario's people and trackers.
 */
export async function startDemo(
  source: Record<string, string> = {},
  logger: ServerOptions['logger'] = false,
) {
  const variables = { ...SMALL, ...source }
  const env = readEnv(variables)
  const simulator = openSimulator(variables)
  const server = await startServer({
    env,
    distDir: join(import.meta.dirname, 'no-portal'),
    logger,
    ...(env.simulator && { simulator }),
  })
  if (!env.simulator) {
    const { store, readModels } = server.app.core
    await registerPeople({ log: store.log, readModels }, variables)
  }
  const caller = callerOf(server.address)
  if (env.simulator) await caller.sim.pause()
  return { server, simulator, ...caller }
}
