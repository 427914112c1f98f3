import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { OpenBody, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError } from '#machines/contracts/decode.ts'
import { type App, type AppOptions, buildApp, openWorld } from './app.ts'
import { alone } from './cluster/alone.ts'
import { namedScenario } from './directing/scenario-files.ts'
import { createFront } from './front.ts'
import { removeSqliteStore } from './log/sqlite/open.ts'
import { keepOpened, openedIn } from './opened.ts'
import { removeReportFiles } from './reports/files.ts'

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

/**
 * Takes the port, builds the app behind it and shows it. Until then requests are answered 503.
 * @throws Error of the system where a port is taken or no such address is ours; whatever `buildApp` throws
 */
export async function openHouse(
  options: Omit<AppOptions, 'address' | 'cluster' | 'reset' | 'open' | 'pretend'>,
): Promise<House> {
  const { env } = options
  const front = createFront()
  front.server.listen(env.port, env.host)
  await once(front.server, 'listening')
  const address = addressOf(front.server.address() as AddressInfo)
  const cluster = alone({ node: 'alone', address, dataDir: env.dataDir })
  let app: App
  let opened = openedIn(env)
  let trackersPort = env.teltonikaPort
  try {
    app = await build(await openWorld({ ...env, ...opened, turned: options.turned }))
  } catch (error) {
    await front.close().gone
    throw error
  }

  async function build(pretend: App['pretend']): Promise<App> {
    const opened = await buildApp({ ...options, address, cluster, reset, open, pretend })
    try {
      trackersPort = await opened.gateway.listen(trackersPort, env.host)
    } catch (error) {
      await opened.close()
      throw error
    }
    front.show(opened.fastify)
    return opened
  }

  let exchanging: Promise<unknown> | undefined
  let resetting: Promise<SimStatus> | undefined
  /** One exchange after the other. */
  function exchange<T>(work: () => Promise<T>): Promise<T> {
    const done = (exchanging ?? Promise.resolve()).then(work)
    const last = done
      .catch(() => {})
      .finally(() => {
        if (exchanging === last) exchanging = undefined
      })
    exchanging = last
    return done
  }

  /** Back to the scenario's start. Who asks for it twice at a time gets the same one. */
  function reset(): Promise<SimStatus> {
    resetting ??= exchange(() => startOver(app.pretend)).finally(() => {
      resetting = undefined
    })
    return resetting
  }

  /** Another world behind the same port. It is made and checked before anything is taken from the present one. */
  async function open({ scenario, seed, devices, at }: OpenBody): Promise<SimStatus | undefined> {
    const file = namedScenario(scenario)
    if (file === undefined) return undefined
    return exchange(async () => {
      const wanted = { scenario: file, seed, devices }
      const { clock } = app.pretend
      const next = await openWorld({ ...wanted, simSpeed: clock.speed(), turned: options.turned })
      const goal = instantOf(at, next.world.start)
      if (clock.paused()) next.clock.pause()
      await startOver(next, wanted)
      if (goal !== undefined) void app.director?.travelTo(goal).catch(() => {})
      return statusOf(app)
    })
  }

  /** Forgets everything and begins with this world. Where that fails, the present one begins anew instead. */
  async function startOver(pretend: App['pretend'], wanted = opened): Promise<SimStatus> {
    const before = app.pretend
    front.hide()
    await app.close()
    await forget()
    pretend.reset()
    try {
      keepOpened(env, wanted)
      app = await build(pretend)
      opened = wanted
    } catch (error) {
      if (pretend === before) throw error
      await forget()
      before.reset()
      keepOpened(env, opened)
      app = await build(before)
      throw error
    }
    return statusOf(app)
  }
  async function forget(): Promise<void> {
    removeSqliteStore(env.dataDir)
    await removeReportFiles(env.dataDir)
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
      const { answered, gone } = front.close()
      await exchanging
      // whoever is answered before the parts behind it stop gets what they asked for
      await answered
      await app.close()
      await gone
    },
  }
}

/** Only who has a world is asked for another. */
function statusOf({ director }: App): SimStatus {
  if (director === undefined) throw new Error('there is no pretend world')
  return director.status()
}

/** The longest journey from a start: a month. */
const LONGEST_WAY = 31 * 86_400_000

function instantOf(at: OpenBody['at'], start: number): number | undefined {
  if (at === undefined) return undefined
  const instant = typeof at === 'number' ? start + at * 1000 : Date.parse(at)
  if (instant < start || instant > start + LONGEST_WAY)
    throw new ContractError(
      'open',
      'at',
      'expected a moment from the start of the scenario to a month after it',
    )
  return instant
}

function addressOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
