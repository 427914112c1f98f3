import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { administration, administratorsOf } from '#machines/projections/administrators.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { loggerOptions } from './api/http/logging.ts'
import { isSimulatorOn, readEnv } from './config/config.ts'
import { readTogether } from './config/variables.ts'
import { type Server, startServer } from './start-server.ts'
import { whyNotStarted } from './why-not-started.ts'

// what the server keeps is its user's alone, whatever mask it is started with
process.umask(0o077)

const up = Promise.withResolvers<Server>()
// before anything that takes long: a process that does not listen for it ends by it
onBackupSignal(up.promise)

/** The process: environment in, server up, signals received. */
async function start(): Promise<void> {
  // production loads nothing of it
  const plugin = isSimulatorOn(process.env) ? await import('../simulator/plugin.ts') : undefined
  const [env, simulator] = readTogether(
    () => readEnv(process.env),
    () => plugin?.openSimulator(process.env),
  )
  const distDir = join(import.meta.dirname, '..', 'dist')
  // the portal may still be being built: its folder is there to be looked into
  mkdirSync(distDir, { recursive: true })
  const server = await startServer({ env, distDir, logger: loggerOptions('warn'), simulator })
  // before anybody is told that it is up, who may end it at once
  onEndSignals(server)
  up.resolve(server)
  const greeting = simulator?.greeting(server.trackerPorts) ?? productionGreeting(server)
  console.log([`Frostline is up at ${server.address}`, ...greeting].join('\n'))
}

/** Where trackers connect, and what is to be done first where nobody can sign in. */
function productionGreeting({ app, trackerPorts }: Server): string[] {
  const { directory } = app.core.readModels
  return [
    `Trackers connect by TCP: Teltonika to port ${trackerPorts.teltonika}, GT06 to port ${trackerPorts.gt06}`,
    ...whoeverIsMissing(directory),
  ]
}

/** Why nobody can set up companies, and what helps; nothing where somebody can. */
function whoeverIsMissing(directory: Directory): string[] {
  const [first] = administratorsOf(directory)
  switch (administration(directory)) {
    case 'is-there':
      return []
    case 'none':
      return [
        'There is no administrator yet: on this machine, npm run admin -- create-admin you@company.example',
      ]
    case 'no-password':
      return [
        `The administrator ${first?.email} has no password yet; for a link to choose one, on this machine: npm run admin -- reset-password ${first?.email}`,
      ]
  }
}

/** SIGUSR2 makes a backup, as soon as the server is up. */
function onBackupSignal(up: Promise<Server>): void {
  process.on('SIGUSR2', () => {
    up.then(({ app }) => app.backups.make()).then(
      (folder) => console.log(`Backed up to ${folder}`),
      (error: unknown) => console.error(`Not backed up: ${error instanceof Error ? error.message : error}`),
    )
  })
}

/** SIGINT and SIGTERM close the server. */
function onEndSignals(server: Server): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close().catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    })
}

await start().catch((error: unknown) => {
  console.error(whyNotStarted(error))
  process.exit(1)
})
