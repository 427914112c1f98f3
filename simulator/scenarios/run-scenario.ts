/** Plays a scenario on a server of its own that keeps nothing, and looks whether what must happen happens. */
import { join } from 'node:path'
import { statusOf } from '#machines/contracts/device-state.ts'
import { type Directory, deviceByImei } from '#machines/projections/directory.ts'
import { readEnv } from '../../server/config/config.ts'
import { pastOf } from '../../server/ports.ts'
import { startServer } from '../../server/start-server.ts'
import { readSimulatorConfig } from '../config.ts'
import { createLogHash } from '../director/log-hash.ts'
import { createSimulator, type DemoSimulator, type SimulatorOptions } from '../plugin.ts'
import type { Evidence, Known } from './evidence.ts'
import { createFactCollector } from './fact-collector.ts'
import { dueMinute, evaluateOutcome, type Finding } from './outcomes.ts'
import { createSeenLoads } from './seen-loads.ts'
import { type Agreement, triedInForce } from './tried-limits.ts'

const MINUTE = 60_000
/** The store may tidy away what is older than two hours of a world that runs fast. */
const LOOK_EVERY = 10 * MINUTE
/** Minutes after which what came late is evaluated anew at the latest. */
const SETTLED_AFTER = 16

/** `scenario`: a name or a path. `turned`: real time that somebody turns by hand. */
export type ScenarioRunOptions = {
  scenario: string
  seed?: number | undefined
  devices?: number | undefined
  speed?: number
  turned?: SimulatorOptions['turned']
}

/** Where a scenario that is played stands. `messageHash`, `logHash`: of what was sent, and of what that led to. */
export type Standing = {
  minutes: number
  messages: number
  facts: number
  messageHash: string
  logHash: string
}

export type ScenarioRun = {
  readonly title: string
  readonly seed: number
  readonly devices: number
  /** minute by which the last outcome is due; 0 where there are none */
  readonly lastMinute: number
  /** minutes after the start */
  now(): number
  /** as fast as it can, or, with `isByClock`, at the speed of the world's clock; resolves when all of it is evaluated */
  goTo(minute: number, isByClock?: boolean): Promise<void>
  /** plays on to `minute`, or the last outcome; answers those that are due on the way, or were before */
  outcomes(minute?: number, isByClock?: boolean): Promise<Finding[]>
  /**
   * Plays on until what came late is settled; whether trying the limits in force finds what live evaluation told. `untold`: on so many of
   * those devices that nothing was told of, all where left out.
   */
  triedInForce(untold?: number): Promise<Agreement>
  standing(): Standing
  close(): Promise<void>
}

type App = Awaited<ReturnType<typeof startServer>>['app']

/** A scenario on its server, as the functions below play it. */
type Playing = {
  app: App
  simulator: DemoSimulator
  past: ReturnType<typeof pastOf>
  logHash: ReturnType<typeof createLogHash>
  collector: ReturnType<typeof createFactCollector>
  /**
   * Minutes that outcomes look back at, and from, epoch ms: the world stands there until they are kept, with what came late
   * since the last one.
   */
  lookedBackAt: readonly number[]
  evidence: Evidence
}

/** @throws ContractError for a scenario that is none, Error for one that is not there */
export async function openScenarioRun(options: ScenarioRunOptions): Promise<ScenarioRun> {
  const { server, simulator } = await started(options)
  const { core } = server.app
  const { world, scenario } = simulator.simulation
  const logHash = createLogHash(core.store.log, core.readModels)
  await logHash.caughtUp
  const collector = createFactCollector(core.store.log, core.store.log.head())
  const past = pastOf(core)
  const playing: Playing = {
    ...{ app: server.app, simulator, past, logHash, collector },
    lookedBackAt: scenario.outcomes.flatMap((one) =>
      one.expect === 'asOf'
        ? [one.atMinutes, one.byMinutes].map((minute) => world.start + minute * MINUTE)
        : [],
    ),
    evidence: {
      start: world.start,
      reportSeconds: scenario.reportSeconds,
      devices: devicesOf(simulator, core.readModels.directory),
      facts: collector.facts,
      late: collector.late,
      status: (no) => statusOf(core.readModels.latest.state[no] as number),
      stateAt: (minute, view) => past.at(minute, view, ({ latest }) => latest.state.slice()),
      loadOn: createSeenLoads(server.app.fastify, scenario),
      readings: core.store.telemetry.history,
    },
  }
  await setClock(playing, { paused: true })
  const lastMinute = Math.max(0, ...scenario.outcomes.map(dueMinute))
  return {
    title: scenario.name,
    seed: world.seed,
    devices: world.size,
    lastMinute,
    now: () => minuteNow(playing),
    goTo: (minute, isByClock = false) => goTo(playing, minute, isByClock),
    outcomes: (minute = lastMinute, isByClock = false) => outcomesUpTo(playing, minute, isByClock),
    triedInForce: (untold) => tried(playing, untold),
    standing: () => standingOf(playing),
    close: () => server.close(),
  }
}

async function started(options: ScenarioRunOptions) {
  const source = {
    PORT: '0',
    TELTONIKA_PORT: '0',
    GT06_PORT: '0',
    DATA_DIR: ':memory:',
    SCENARIO: options.scenario,
    SIM_SPEED: String(options.speed ?? 1),
    ...(options.seed !== undefined && { SEED: String(options.seed) }),
    ...(options.devices !== undefined && { DEVICES: String(options.devices) }),
  }
  const simulator = createSimulator({
    config: readSimulatorConfig(source),
    isPastLeft: true,
    turned: options.turned,
  })
  const server = await startServer({
    env: readEnv(source),
    distDir: join(import.meta.dirname, 'no-portal'),
    logger: false,
    simulator,
  })
  return { server, simulator }
}

function minuteNow({ simulator: { simulation } }: Playing): number {
  return (simulation.world.position() - simulation.world.start) / MINUTE
}

async function goTo(playing: Playing, minute: number, isByClock: boolean): Promise<void> {
  const { app, simulator, lookedBackAt, collector } = playing
  const { world } = simulator.simulation
  const goal = world.start + Math.round(minute * MINUTE)
  while (world.position() < goal) {
    const position = world.position()
    const next = Math.min(goal, position + LOOK_EVERY, ...lookedBackAt.filter((at) => at > position))
    await (isByClock ? runTo(playing, next) : advanceTo(playing, next))
    await app.core.settled()
    if (lookedBackAt.includes(next)) await kept(playing, next)
    await collector.look()
  }
}

/** By its own clock to just before, then exactly there: a clock stops where it happens to be. */
async function runTo(playing: Playing, at: number): Promise<void> {
  const { clock } = playing.simulator.simulation
  await setClock(playing, { paused: false })
  const ahead = Math.max(5_000, 2_000 * clock.speed())
  while (clock.now() < at - ahead) await new Promise((resolve) => setTimeout(resolve, 1))
  await setClock(playing, { paused: true })
  await advanceTo(playing, at)
}

async function advanceTo(playing: Playing, at: number): Promise<void> {
  const { clock, world } = playing.simulator.simulation
  const seconds = (at - Math.max(clock.now(), world.position())) / 1000
  if (seconds > 0) await setClock(playing, { advanceSeconds: seconds })
}

async function setClock({ app }: Playing, body: Record<string, unknown>): Promise<void> {
  const requested = { method: 'POST', url: '/sim/clock', payload: body } as const
  const { statusCode, payload } = await app.fastify.inject(requested)
  if (statusCode !== 200) throw new Error(`the world's clock answers ${statusCode}: ${payload}`)
}

/** Waits for a minute to be kept: the server looks at its clock once a second whether one began. */
async function kept({ past }: Playing, at: number): Promise<void> {
  const minute = Math.floor(at / MINUTE)
  const last = () => past.at(minute, 'then', (fleet) => fleet.minute)
  while ((await last()) !== minute) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function outcomesUpTo(playing: Playing, minute: number, isByClock: boolean): Promise<Finding[]> {
  const { simulator, collector, evidence } = playing
  const due = simulator.simulation.scenario.outcomes
    .map((outcome) => ({ outcome, at: dueMinute(outcome) }))
    .filter(({ at }) => at <= minute)
    .sort((a, b) => a.at - b.at)
  const findings: Finding[] = []
  for (const { outcome, at } of due) {
    await goTo(playing, at, isByClock)
    // an outcome before it may have waited for what is told of a load
    await collector.look()
    findings.push(await evaluateOutcome(outcome, evidence))
  }
  await goTo(playing, minute, isByClock)
  return findings
}

async function tried(playing: Playing, untold?: number): Promise<Agreement> {
  const { app, simulator, evidence } = playing
  await goTo(playing, minuteNow(playing) + SETTLED_AFTER, false)
  const { liveFrom, world } = simulator.simulation
  const { devices, facts } = evidence
  return triedInForce(app.core, { devices, facts, from: liveFrom, to: world.position(), untold })
}

function standingOf(playing: Playing): Standing {
  const { simulator, logHash } = playing
  const { world } = simulator.simulation
  return {
    minutes: minuteNow(playing),
    messages: world.messagesSent(),
    facts: logHash.facts(),
    messageHash: world.hash(),
    logHash: logHash.value(),
  }
}

/** Every device of the scenario, with the groups it is in. */
function devicesOf({ simulation }: DemoSimulator, directory: Directory): Known[] {
  const parents = new Map(
    simulation.scenario.companies.flatMap(({ groups }) => groups.map(({ id, parentId }) => [id, parentId])),
  )
  const chains = new Map<string, string[]>()
  const groupsOf = (groupId: string): string[] => {
    const known = chains.get(groupId)
    if (known !== undefined) return known
    const parent = parents.get(groupId) ?? null
    const chain = [groupId, ...(parent === null ? [] : groupsOf(parent))]
    chains.set(groupId, chain)
    return chain
  }
  const { devices, trackers } = simulation.world.registration
  return [...devices, ...trackers].flatMap((device) => {
    const no = deviceByImei(directory, device.imei)?.no
    if (no === undefined) return []
    const { imei, name, companyId, groupId } = device
    const known = { no, imei, name, companyId, groups: groupsOf(groupId) }
    return 'fleet' in device ? { ...known, fleet: device.fleet.id, ordinal: device.ordinal } : known
  })
}
