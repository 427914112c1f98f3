import { join } from 'node:path'
import { buildApp } from './app.ts'
import { EnvError, readEnv } from './env.ts'

const root = join(import.meta.dirname, '..')

/** The process: environment in, house up, signals heard. */
async function start(): Promise<void> {
  const env = readEnv(process.env)
  const app = await buildApp({ env, distDir: join(root, 'dist'), logger: { level: 'warn' } })
  const address = await app.fastify.listen({ host: env.host, port: env.port })
  const trackers = await app.gateway.listen(env.teltonikaPort, env.host)
  console.log(`Frostline is up at ${address}, trackers connect to port ${trackers}`)

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      app.close().catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    })
}

await start().catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error)
  process.exit(1)
})
