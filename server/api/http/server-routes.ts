import { administration } from '#machines/projections/administrators.ts'
import type { HttpContext } from './context.ts'

type Deps = Pick<
  HttpContext,
  'app' | 'answerCall' | 'env' | 'clock' | 'readModels' | 'demoAccounts' | 'timeZone'
>

/** The server itself: its clock, its accounts for show, its description. */
export function serverRoutes(deps: Deps): void {
  const { app, answerCall, env, clock, readModels, demoAccounts, timeZone } = deps

  answerCall('time', ({ reply }) => {
    reply.header('cache-control', 'no-store')
    const { directory } = readModels
    const [company] = directory.companies.values()
    return {
      now: clock.now(),
      simulator: env.simulator,
      timeZone: company?.timeZone ?? timeZone,
      ...(!env.simulator && ADMINISTRATOR_NEEDED[administration(directory)]),
    }
  })

  answerCall('demoAccounts', () => (env.simulator ? demoAccounts : []))

  answerCall('openapi', () => ({ openapi: '3.1.0', ...app.swagger() }))
}

const ADMINISTRATOR_NEEDED = {
  'is-there': {},
  none: { needsAdministrator: true },
  'no-password': { needsAdministrator: true, hasNoPassword: true },
} as const
