import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type App, buildApp } from './app.ts'
import { EnvError, readEnv } from './env.ts'
import { createFront } from './front.ts'
import { removeSqliteStore } from './log/sqlite/open.ts'

const distDir = join(import.meta.dirname, '..', 'dist')

/** The process: environment in, house up, signals heard. */
async function start(): Promise<void> {
  const env = readEnv(process.env)
  const front = createFront()
  const logger = { level: 'warn' }
  const build = (pretend?: App['pretend']) =>
    buildApp({ env, distDir, logger, reset, ...(pretend && { pretend }) })
  let app = await build()
  let trackers = env.teltonikaPort

  async function reset(): Promise<void> {
    const { pretend } = app
    await app.close()
    removeSqliteStore(env.dataDir)
    pretend.reset()
    app = await build(pretend)
    await app.gateway.listen(trackers, env.host)
    front.show(app.fastify)
  }

  front.show(app.fastify)
  front.server.listen(env.port, env.host)
  await once(front.server, 'listening')
  trackers = await app.gateway.listen(trackers, env.host)
  if (env.simulator) console.log(greeting(app, addressOf(front.server), trackers))
  else console.log(`Frostline is up at ${addressOf(front.server)}`)

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      Promise.all([front.close(), app.close()]).catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    })
}

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** What a newcomer needs to know: where to go, and whom to be there. */
function greeting({ pretend, backbone }: App, address: string, trackers: number): string {
  const { password, users, name } = pretend.scenario
  const accounts = users.filter(({ note }) => note !== '')
  const width = Math.max(...accounts.map(({ email }) => email.length))
  return [
    `Frostline is up at ${address}`,
    `${name}: ${backbone.readModels.directory.devices.length} devices; trackers (Teltonika, TCP) connect to port ${trackers}`,
    '',
    `Sign in, password ${password}:`,
    ...accounts.map(({ email, note }) => `  ${email.padEnd(width)}  ${note}`),
  ].join('\n')
}

await start().catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error)
  process.exit(1)
})
