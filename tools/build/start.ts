import { enableCompileCache, flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { buildPortal, isPortalStale } from './portal-build.ts'

// Types stripped and scripts compiled once are not again at the next start.
enableCompileCache(resolve(import.meta.dirname, '../../.cache/compiled'))

// The backend runs in this very process, so signals reach it without a relay and a kill leaves nothing behind.
// The build runs beside it: readiness waits for the slower of the two, not for their sum.
if (isPortalStale()) {
  const build = buildPortal()
  process.once('exit', () => build.process.kill())
  build.done.catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
    process.kill(process.pid, 'SIGTERM')
  })
}

await import('../../server/main.ts')
flushCompileCache()
