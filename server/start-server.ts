import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type App, type AppOptions, buildApp, openWorld } from './app.ts'
import { createExchange } from './app-reloader.ts'
import { createFront } from './front-server.ts'
import { openGround } from './infrastructure.ts'

/** The app behind its one port. A reset exchanges the app, another scenario also the pretend world; the ports stay. */
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

/** What the house adds to them by itself. */
type Own = 'address' | 'ground' | 'reset' | 'open' | 'pretend' | 'onStale'

/**
 * Takes the port, builds the app behind it and shows it. Until then requests are answered 503.
 * @throws Error of the system where a port is taken or no such address is ours; whatever `buildApp` throws
 */
export async function openHouse(options: Omit<AppOptions, Own>): Promise<House> {
  const { env, turned } = options
  const front = createFront()
  front.server.listen(env.port, env.host)
  await once(front.server, 'listening')
  const address = addressOf(front.server.address() as AddressInfo)
  let trackersPort = env.teltonikaPort
  const ground = await openGround(env, address).catch(async (error: unknown) => {
    await front.close().gone
    throw error
  })
  const exchange = await createExchange({
    ground,
    hide: front.hide,
    async build(pretend, asks) {
      const app = await buildApp({ ...options, ...asks, address, ground, pretend })
      try {
        trackersPort = await app.gateway.listen(trackersPort, env.host)
      } catch (error) {
        await app.close()
        throw error
      }
      front.show(app.fastify)
      return app
    },
    openWorld: (world, simSpeed = env.simSpeed) => openWorld({ ...world, simSpeed, turned }),
  }).catch(async (error: unknown) => {
    await front.close().gone
    await ground.close()
    throw error
  })

  return {
    get app() {
      return exchange.app
    },
    address,
    get trackersPort() {
      return trackersPort
    },
    async close() {
      const { answered, gone } = front.close()
      // whoever is answered before the parts behind it stop gets what they asked for
      await answered
      await exchange.close()
      await gone
      await ground.close()
    },
  }
}

function addressOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
