import type { HttpContext } from './context.ts'

/** The server itself: its clock, its accounts for show, its description. */
export function serverRoutes(context: HttpContext): void {
  const { app, answerCall, env, clock, readModels, demoAccounts, timeZone } = context

  answerCall('time', ({ reply }) => {
    reply.header('cache-control', 'no-store')
    const [company] = readModels.directory.companies.values()
    return { now: clock.now(), simulator: env.simulator, timeZone: company?.timeZone ?? timeZone }
  })

  answerCall('demoAccounts', () => (env.simulator ? demoAccounts : []))

  answerCall('openapi', () => ({ openapi: '3.1.0', ...app.swagger() }))
}
