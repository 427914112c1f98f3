import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type App, type AppOptions, buildApp } from './app.ts'
import { createFront } from './front.ts'
import { removeSqliteStore } from './log/sqlite/open.ts'
import { removeReportFiles } from './reports/files.ts'

/** The app behind its one port. A reset exchanges the app; the port, the trackers' port and the pretend world stay. */
export type House = {
  /** the app that answers now */
  readonly app: App
  /** e.g. `http://127.0.0.1:4000` */
  readonly address: string
  /** where trackers connect */
  readonly trackersPort: number
  /** lets requests finish for a moment, writes what waits, and is gone */
  close(): Promise<void>
}

/**
 * Takes the port, builds the app behind it and shows it. Until then requests are answered 503.
 * @throws Error of the system where a port is taken or no such address is ours; whatever `buildApp` throws
 */
export async function openHouse(options: Omit<AppOptions, 'address' | 'reset' | 'pretend'>): Promise<House> {
  const { env } = options
  const front = createFront()
  front.server.listen(env.port, env.host)
  await once(front.server, 'listening')
  const address = addressOf(front.server.address() as AddressInfo)
  let app: App
  let trackersPort = env.teltonikaPort
  try {
    app = await open()
  } catch (error) {
    await front.close()
    throw error
  }

  async function open(before?: App): Promise<App> {
    const opened = await buildApp({ ...options, address, reset, ...(before && { pretend: before.pretend }) })
    try {
      trackersPort = await opened.gateway.listen(trackersPort, env.host)
    } catch (error) {
      await opened.close()
      throw error
    }
    front.show(opened.fastify)
    return opened
  }

  let resetting: Promise<void> | undefined
  /** Back to the scenario's start. Who asks for it twice at a time gets the same one. */
  function reset(): Promise<void> {
    resetting ??= startOver().finally(() => {
      resetting = undefined
    })
    return resetting
  }
  async function startOver(): Promise<void> {
    front.hide()
    await app.close()
    removeSqliteStore(env.dataDir)
    await removeReportFiles(env.dataDir)
    app.pretend.reset()
    app = await open(app)
  }

  return {
    get app() {
      return app
    },
    address,
    get trackersPort() {
      return trackersPort
    },
    async close() {
      const gone = front.close()
      await resetting?.catch(() => {})
      await app.close()
      await gone
    },
  }
}

function addressOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
