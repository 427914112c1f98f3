import { join } from 'node:path'
import type { AppOptions } from '../../server/app.ts'
import { readEnv } from '../../server/config/config.ts'
import { openHouse } from '../../server/start-server.ts'
import { callerOf } from '../../server/testing/caller.ts'

const SMALL = {
  PORT: '0',
  TELTONIKA_PORT: '0',
  DATA_DIR: ':memory:',
  DEVICES: '40',
  // tests turn the clock by hours
  ACCESS_TTL: '86400',
}

/** The whole house in this process on a free port, with a small world; its clock stands, tests turn it. */
export async function openSmallHouse(
  source: Record<string, string> = {},
  logger: AppOptions['logger'] = false,
) {
  const env = readEnv({ ...SMALL, ...source })
  const distDir = join(import.meta.dirname, 'no-portal')
  const house = await openHouse({ env, distDir, logger })
  const caller = callerOf(house.address)
  if (env.simulator) await caller.sim.pause()
  return { house, ...caller }
}
