import { setTimeout as pause } from 'node:timers/promises'
import type { OpenBody, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError } from '#machines/contracts/decode.ts'
import type { World } from '../simulator/active-scenario.ts'
import { namedScenario } from '../simulator/director/scenario-files.ts'
import type { App, AppOptions } from './app.ts'
import type { Ground } from './infrastructure.ts'

type Pretend = App['pretend']
/** What an app may ask to be exchanged for. */
type Asks = Pick<AppOptions, 'reset' | 'open' | 'onStale'>
type Parts = {
  ground: Ground
  /** from now on nobody answers */
  hide(): void
  /** an app of this world that answers */
  build(pretend: Pretend, asks: Asks): Promise<App>
  /** the world, and how fast its clock runs where that is not the environment's */
  openWorld(world: World, simSpeed?: number): Promise<Pretend>
}

/** The app that answers, whichever it is now. */
export type Exchange = {
  readonly app: App
  /** waits for what is under way and closes the app */
  close(): Promise<void>
}

const RETRY_MS = 1_000

/** Builds the first app, and puts others in its place: one exchange after the other. */
export async function createExchange({ ground, hide, build, openWorld }: Parts): Promise<Exchange> {
  let opened = await ground.opened()
  let app: App
  /** the world of the newest build */
  let entered: Pretend
  /** the newest build whose record turned out not to be what this node has of it */
  let staleBuild = 0
  let exchanging: Promise<unknown> = Promise.resolve()
  let resetting: Promise<SimStatus> | undefined
  /** says which build is the newest */
  let builds = 0
  const closing = new AbortController()
  function exchange<T>(work: () => Promise<T>): Promise<T> {
    const done = exchanging.then(work)
    exchanging = done.catch(() => {})
    return done
  }

  async function enter(pretend: Pretend): Promise<void> {
    const mine = ++builds
    entered = pretend
    app = await build(pretend, {
      reset,
      open,
      onStale(why) {
        staleBuild = mine
        void exchange(() => renew(mine, why))
      },
    })
  }
  /** The first app. What it stands on may turn out to be another record before it answers, as after a restore. */
  async function begin(): Promise<void> {
    try {
      await enter(await openWorld(opened))
    } catch (error) {
      if (staleBuild !== builds) throw error
      console.error('this node begins again: the record is not what it has of it')
      await beginAgain()
    }
  }
  async function leave(): Promise<void> {
    hide()
    await app.close()
  }

  /** Back to the scenario's start. Who asks for it twice at a time gets the same one. */
  function reset(): Promise<SimStatus> {
    resetting ??= exchange(() => startOver(app.pretend, opened)).finally(() => {
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
      const next = await openWorld(wanted, clock.speed())
      const goal = instantOf(at, next.world.start)
      if (clock.paused()) next.clock.pause()
      await startOver(next, wanted)
      if (goal !== undefined) void app.director?.travelTo(goal).catch(() => {})
      return statusOf(app)
    })
  }

  /** The record is another by now, or not what this node has of it. */
  async function renew(build: number, why: string): Promise<void> {
    // exchanged meanwhile, as by a reset of this node's own
    if (build !== builds || closing.signal.aborted) return
    console.error(`this node begins again: ${why}`)
    await leave()
    await beginAgain()
  }

  /** Forgets everything and begins with this world. Where that fails, the present one begins anew instead. */
  async function startOver(pretend: Pretend, wanted: World): Promise<SimStatus> {
    const before = app.pretend
    await leave()
    try {
      await ground.forget(wanted)
      pretend.reset()
      await enter(pretend)
      opened = wanted
      return statusOf(app)
    } catch (error) {
      if (pretend !== before) await ground.forget(opened).catch(() => {})
      await beginAgain()
      throw error
    }
  }
  /** With what all nodes know by now, as often as it takes. */
  async function beginAgain(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        const wanted = await ground.opened()
        const isSame = JSON.stringify(wanted) === JSON.stringify(opened)
        const pretend = isSame ? entered : await openWorld(wanted)
        pretend.reset()
        await enter(pretend)
        opened = wanted
        return
      } catch (error) {
        console.error(`this node cannot begin again now: ${error instanceof Error ? error.message : error}`)
        await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
  }

  await exchange(begin)
  return {
    get app() {
      return app
    },
    async close() {
      closing.abort()
      await exchanging
      await app.close()
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
