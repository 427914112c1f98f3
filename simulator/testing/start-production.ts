import { join } from 'node:path'
import { readEnv } from '../../server/config/config.ts'
import { type Server, startServer } from '../../server/start-server.ts'

const SMALL = { PORT: '0', TELTONIKA_PORT: '0', DATA_DIR: ':memory:', SIMULATOR: 'off' }

/** Production in this process on free ports, with what its record holds and nothing else. */
export const startProduction = (source: Record<string, string> = {}): Promise<Server> =>
  startServer({
    env: readEnv({ ...SMALL, ...source }),
    distDir: join(import.meta.dirname, 'no-portal'),
    logger: false,
  })
