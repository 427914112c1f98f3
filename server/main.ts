import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { loggerOptions } from './api/http/logging.ts'
import { OtherSecret } from './cluster/shared-token-secret.ts'
import { EnvError, readEnv } from './config/config.ts'
import { type House, openHouse } from './start-server.ts'
import { StoreUnavailable } from './store/store.ts'

/** The process: environment in, house up, signals heard. */
async function start(): Promise<void> {
  const env = readEnv(process.env)
  const distDir = join(import.meta.dirname, '..', 'dist')
  // the portal may still be being built: its folder is there to be looked into
  mkdirSync(distDir, { recursive: true })
  const house = await openHouse({ env, distDir, logger: loggerOptions('warn') })
  if (env.simulator) console.log(greeting(house))
  else console.log(`Frostline is up at ${house.address}`)

  process.on('SIGUSR2', () => {
    house.app.backups.make().then(
      (folder) => console.log(`Backed up to ${folder}`),
      (error: unknown) => console.error(`Not backed up: ${error instanceof Error ? error.message : error}`),
    )
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      house.close().catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    })
}

/** What a newcomer needs to know: where to go, and whom to be there. */
function greeting({ app: { pretend, backbone }, address, trackersPort }: House): string {
  const { password, users, name } = pretend.scenario
  const accounts = users.filter(({ note }) => note !== '')
  const width = Math.max(...accounts.map(({ email }) => email.length))
  const { devices } = backbone.readModels.directory
  return [
    `Frostline is up at ${address}`,
    `${name}: ${devices.length} devices; trackers (Teltonika, TCP) connect to port ${trackersPort}`,
    '',
    `Sign in, password ${password}:`,
    ...accounts.map(({ email, note }) => `  ${email.padEnd(width)}  ${note}`),
  ].join('\n')
}

/** What went wrong, in a line where it is the operator's to mend. */
function explained(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof OtherSecret) return error.message
  if (error instanceof StoreUnavailable || error instanceof postgres.PostgresError) {
    const { message } = error.cause instanceof Error ? error.cause : error
    return `what keeps the record cannot be had: ${message}`
  }
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `${address} port ${port} is taken: choose another with PORT or TELTONIKA_PORT`
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES')
    return `cannot listen on ${address} port ${port}: ${code}`
  return error
}

await start().catch((error: unknown) => {
  console.error(explained(error))
  process.exit(1)
})
