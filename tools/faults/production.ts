import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'

/** No simulated world: the record holds what the writers were acknowledged. */
export const PRODUCTION = { SIMULATOR: 'off', ACCESS_TTL: '86400' }

/** Production with the people and trackers of the demo, in a folder that goes when it is killed. */
export async function startProduction(): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-production-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    await preparePeople({ dataDir })
    const app = await startApp({ dataDir, env: PRODUCTION })
    return {
      ...app,
      async kill() {
        await app.kill()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
