import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { listenForAdmin, PathTooLong } from './admin/socket.ts'
import { type App, type AppOptions, buildApp } from './app.ts'
import { type AppReloader, createAppReloader } from './app-reloader.ts'
import type { Env } from './config/config.ts'
import { createFrontServer, type FrontServer } from './front-server.ts'
import { type Infrastructure, openInfrastructure } from './infrastructure.ts'
import type { Simulator } from './ports.ts'

/** The app behind its one port. The app is replaced when its record begins anew; the ports stay. */
export type Server = {
  /** the app that answers now */
  readonly app: App
  /** e.g. `http://127.0.0.1:4000` */
  readonly address: string
  /** where trackers connect */
  readonly trackersPort: number
  /** lets requests finish for a moment, writes what waits, and is gone */
  close(): Promise<void>
}

export type ServerOptions = Pick<AppOptions, 'env' | 'distDir' | 'logger'> & {
  /** undefined in production */
  simulator?: Simulator | undefined
}

/**
 * Takes the port, builds the app behind it and shows it. Until then requests are answered 503.
 * @throws Error of the system where a port is taken or no such address is ours; whatever `buildApp` throws
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { env } = options
  const front = createFrontServer()
  front.server.listen(env.port, env.host)
  await once(front.server, 'listening')
  const address = addressOf(front.server.address() as AddressInfo)
  const ports = { trackers: env.teltonikaPort }
  const opened: Opened = { front, infrastructure: undefined, reloader: undefined, admin: undefined }
  try {
    opened.infrastructure = await openInfrastructure(env, address)
    const reloader = await reload(options, opened.infrastructure, { front, address, ports })
    opened.reloader = reloader
    opened.admin = await openAdmin(env, () => reloader.app)
  } catch (error) {
    await close(opened)
    throw error
  }
  const { reloader } = opened
  return {
    get app() {
      return reloader.app
    },
    address,
    get trackersPort() {
      return ports.trackers
    },
    close: () => close(opened),
  }
}

type Opened = {
  front: FrontServer
  infrastructure: Infrastructure | undefined
  reloader: AppReloader | undefined
  /** where `npm run admin` is heard */
  admin: { close(): Promise<void> } | undefined
}
/** `trackers`: the port that was asked for; once there is an app, the one that was given */
type Doors = { front: FrontServer; address: string; ports: { trackers: number } }

function reload(
  { simulator, ...options }: ServerOptions,
  infrastructure: Infrastructure,
  { front, address, ports }: Doors,
): Promise<AppReloader> {
  return createAppReloader({
    infrastructure,
    simulator,
    hide: front.hide,
    async build(session, onStale) {
      const app = await buildApp({ ...options, address, infrastructure, simulator: session, onStale })
      try {
        ports.trackers = await app.gateway.listen(ports.trackers, options.env.host)
      } catch (error) {
        await app.close()
        throw error
      }
      front.show(app.fastify)
      return app
    },
  })
}

/** A folder is this process's alone, so others on the machine ask it; a database they open themselves. */
async function openAdmin({ dataDir, databaseUrl }: Env, app: () => App): Promise<Opened['admin']> {
  if (dataDir === ':memory:' || databaseUrl !== undefined) return undefined
  try {
    return await listenForAdmin(dataDir, () => app().administration)
  } catch (error) {
    if (!(error instanceof PathTooLong)) throw error
    console.error(`npm run admin works while this server is stopped: ${error.message}`)
    return undefined
  }
}

async function close({ front, infrastructure, reloader, admin }: Opened): Promise<void> {
  await admin?.close()
  const { answered, gone } = front.close()
  // whoever is answered before the parts behind it stop gets what they asked for
  if (reloader) await answered
  await reloader?.close()
  await gone
  await infrastructure?.close()
}

function addressOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
