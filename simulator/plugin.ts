import { join as joinPaths } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge } from 'prom-client'
import type { OpenBody, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError } from '#machines/contracts/decode.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import {
  type Infrastructure,
  type ReplaceApp,
  refused,
  type ServerOfSession,
  type Simulator,
  type SimulatorPart,
  type SimulatorSession,
  type Store,
  type TrackerPorts,
} from '../server/ports.ts'
import { activeScenario, forgetRecord, isSameChoice, type ScenarioChoice } from './active-scenario.ts'
import { heldByOther, unreadable } from './cannot-open.ts'
import { readSimulatorConfig, type SimulatorConfig } from './config.ts'
import type { Director } from './director/director.ts'
import { createLogHash, type LogHash } from './director/log-hash.ts'
import { namedScenario, scenarioNameOf } from './director/scenario-files.ts'
import { createBrowserRuns, walkByScript } from './lab/browser-runs.ts'
import { readEndToEnd } from './lab/end-to-end.ts'
import { isKnown } from './lab/known.ts'
import { type PlayedWorld, playWorld, WORLD_CHECKPOINT } from './leader.ts'
import { createNetworkFaults, type NetworkFaults } from './network/network-faults.ts'
import type { PastSource } from './past/past-source.ts'
import { type StoreWithPast, withPast } from './past/with-past.ts'
import { demoAccountsOf, registrationOf } from './registration.ts'
import { labPlugin } from './routes/lab.ts'
import { scenarioSchemaPlugin } from './routes/scenario-schema.ts'
import { simPlugin } from './routes/sim.ts'
import { followWorld } from './shared-world.ts'
import { openSimulation, restored, type Simulation, type SimulationOptions } from './world/simulation.ts'

export type SimulatorOptions = {
  config: SimulatorConfig
  /** real time for the world's clock, turned by hand and looked at every `tick` ms */
  turned?: SimulationOptions['turned'] | undefined
  /** leaves what was before the record began unevaluated, however small the fleet */
  isPastLeft?: boolean
}

/** A simulator, and what tests and tools look at in it. */
export type DemoSimulator = Simulator & {
  readonly simulation: Simulation
  /** who plays on the world; undefined where another node leads */
  readonly director: Director | undefined
  /** resolves when what was before the record began is stored and evaluated, or is not going to be by this node */
  readonly past: Promise<void>
}

type State = Required<Pick<SimulatorOptions, 'config' | 'isPastLeft'>> & {
  turned: SimulationOptions['turned']
  infrastructure: Infrastructure | undefined
  /** which scenario is active, and its world */
  active: { choice: ScenarioChoice; simulation: Simulation } | undefined
  /** the world as this node plays it */
  played: PlayedWorld | undefined
  /** a reset under way */
  resetting: Promise<SimStatus> | undefined
}

/** @throws EnvError that names every bad variable */
export const openSimulator = (source: Readonly<Record<string, string | undefined>>): DemoSimulator =>
  createSimulator({ config: readSimulatorConfig(source) })

export function createSimulator({ config, turned, isPastLeft = false }: SimulatorOptions): DemoSimulator {
  const state: State = {
    config,
    turned,
    isPastLeft,
    infrastructure: undefined,
    active: undefined,
    played: undefined,
    resetting: undefined,
  }
  return {
    get simulation() {
      return activeOf(state).simulation
    },
    get director() {
      return state.played?.director
    },
    get past() {
      return state.played?.past ?? Promise.resolve()
    },
    prepare: (infrastructure) => prepare(state, infrastructure),
    session: (replaceApp) => session(state, replaceApp),
    greeting: (ports) => greeting(activeOf(state), state.config, ports),
  }
}

function activeOf({ active }: State): NonNullable<State['active']> {
  if (active === undefined) throw new Error('the simulator is not open yet')
  return active
}

async function prepare(state: State, infrastructure: Infrastructure): Promise<void> {
  state.infrastructure = infrastructure
  const { active } = state
  const choice = await activeScenario(state.config, infrastructure, active?.choice)
  const isSame = active !== undefined && isSameChoice(choice, active.choice)
  const simulation = isSame
    ? active.simulation
    : await open(state, choice).catch((error: unknown) => {
        throw unreadable(error, choice)
      })
  if (active !== undefined) simulation.reset()
  state.active = { choice, simulation }
}

const open = ({ config, turned }: State, choice: ScenarioChoice, simSpeed = config.simSpeed) =>
  openSimulation({ ...choice, simSpeed, turned })

/** What one app is built with. */
type Session = {
  state: State
  simulation: Simulation
  /** among all worlds there could be */
  identity: string
  network: NetworkFaults
  /** world index by device number */
  indexes: Map<number, number>
  /** the store, with the world's past in front of it */
  past: { store: StoreWithPast | undefined }
  replaceApp: ReplaceApp
}

function session(state: State, replaceApp: ReplaceApp): SimulatorSession {
  const { choice, simulation } = activeOf(state)
  const { scenario, world, clock } = simulation
  const network = createNetworkFaults()
  const indexes = new Map<number, number>()
  const past: Session['past'] = { store: undefined }
  const identity = `${scenario.name}, seed ${world.seed}, ${world.size} devices`
  return {
    clock,
    registration: registrationOf(simulation),
    demoAccounts: demoAccountsOf(simulation),
    network,
    pace: () => ({ speed: clock.speed(), paused: clock.paused() }),
    wrapStore(store: Store) {
      // refused before anybody of this world is registered in the record of another; with a database the one that leads knows
      const saved = store.checkpoints.load(WORLD_CHECKPOINT)
      const { database, dataDir } = state.infrastructure as Infrastructure
      if (saved !== undefined && database === undefined) refuseOther(simulation, saved.bytes, choice, dataDir)
      past.store = withPast(store, pastOf(simulation, indexes))
      return past.store
    },
    join: (app, server) =>
      join({ state, simulation, identity, network, indexes, past, replaceApp }, app, server),
  }
}

/** @throws what is said where the data folder holds another world */
function refuseOther(
  simulation: Simulation,
  saved: Uint8Array,
  choice: ScenarioChoice,
  dataDir: string,
): void {
  try {
    restored(simulation, saved)
  } catch (error) {
    throw heldByOther(error, choice, dataDir)
  }
}

/** Readings of before the record began, by device number. */
function pastOf({ world, liveFrom }: Simulation, indexes: ReadonlyMap<number, number>): PastSource {
  return {
    span: (device) => (indexes.has(device) ? { from: world.historyStart, to: liveFrom } : undefined),
    readings(device, from, to) {
      const readings = world.history(indexes.get(device) as number, from, to)
      readings.device.fill(device)
      return readings
    },
  }
}

async function join(session: Session, app: FastifyInstance, server: ServerOfSession): Promise<SimulatorPart> {
  const { state, simulation, identity, network } = session
  const { core, cluster, address, publicUrl, isProxy } = server
  const { clock } = simulation
  const numbers = numbersOf(session, server)
  const followed = followWorld({ cluster, clock, network, identity })
  const logHash = createLogHash(core.store.log, core.readModels)
  const runs = createBrowserRuns(walkByScript(address))
  const gate = { token: state.config.simToken, publicUrl, isProxy, nodes: cluster }
  await app.register(simPlugin, { ...gate, director: () => directorOf(state) })
  await app.register(scenarioSchemaPlugin)
  await app.register(labPlugin, { ...gate, coverage: readEndToEnd, isKnown, runs })
  registerMetrics(app, state, simulation)
  return {
    notReadyBecause() {
      const other = followed.other()
      if (other !== undefined)
        return `the leader plays another world (${other}): all nodes need the same SCENARIO, SEED and DEVICES`
      return state.played?.isRunning() === false ? 'the device world has stopped' : undefined
    },
    lead: () => lead(session, server, { numbers, logHash, log: app.log }),
    async stop() {
      followed.stop()
      await runs.stop()
    },
  }
}

/** Device number of each world index. */
function numbersOf({ simulation, indexes }: Session, { core }: ServerOfSession): Uint32Array {
  const { directory } = core.readModels
  const numbers = Uint32Array.from(
    simulation.world.registration.devices,
    ({ imei }) => deviceByImei(directory, imei)?.no as number,
  )
  for (const [index, deviceNo] of numbers.entries()) indexes.set(deviceNo, index)
  return numbers
}

type Joined = { numbers: Uint32Array; logHash: LogHash; log: FastifyInstance['log'] }

/** This node leads: it plays the world to the server. */
function lead(
  { state, simulation, identity, network, past, replaceApp }: Session,
  { core, cluster }: ServerOfSession,
  joined: Joined,
): ReturnType<SimulatorPart['lead']> {
  const { clock } = simulation
  // a world that goes on from where it was saved has not sent yet what it has until now
  const isResumed = core.store.checkpoints.load(WORLD_CHECKPOINT) !== undefined
  /** until when all the world sent is stored; a fast clock is ahead of that */
  let storedUntil = isResumed ? 0 : Number.POSITIVE_INFINITY
  return {
    recordFrom: simulation.liveFrom,
    evaluatorClock: { now: () => Math.min(clock.now(), storedUntil) },
    async start(jobs, over) {
      const played = await playWorld({
        ...jobs,
        ...joined,
        cluster,
        simulation,
        identity,
        core,
        eachPastDay: (past.store as StoreWithPast).backfill,
        network,
        isPastLeft: state.isPastLeft,
        reset: () => reset(state, replaceApp),
        open: (wanted) => openScenario(state, replaceApp, wanted),
        savedScenarios: savedScenarios(state),
        onStored(until) {
          storedUntil = until
        },
        signal: over,
      })
      state.played = played
      return {
        async stop() {
          if (state.played === played) state.played = undefined
          await played.stop()
        },
      }
    },
  }
}

function directorOf({ played }: State): Director {
  if (played === undefined)
    throw refused(503, 'The device world is not up yet, try again shortly', { 'retry-after': '1' })
  return played.director
}

/** Back to the scenario's start. Who asks for it twice at a time gets the same one. */
function reset(state: State, replaceApp: ReplaceApp): Promise<SimStatus> {
  state.resetting ??= startOver(state, replaceApp, async () => activeOf(state)).finally(() => {
    state.resetting = undefined
  })
  return state.resetting
}

/** Where scenarios are saved; undefined where the record is in memory, or on nodes that have no folder in common. */
function savedScenarios({ infrastructure }: State): string | undefined {
  if (infrastructure === undefined || infrastructure.database !== undefined) return undefined
  return infrastructure.dataDir === ':memory:' ? undefined : joinPaths(infrastructure.dataDir, 'scenarios')
}

/**
 * Another world behind the same port. It is made and checked before anything is taken from the present one.
 * @returns undefined where there is no such scenario
 * @throws ContractError
 */
async function openScenario(
  state: State,
  replaceApp: ReplaceApp,
  { scenario, seed, devices, at }: OpenBody,
): Promise<SimStatus | undefined> {
  const file = namedScenario(scenario, savedScenarios(state))
  if (file === undefined) return undefined
  let goal: number | undefined
  return startOver(
    state,
    replaceApp,
    async () => {
      const choice = { scenario: file, seed, devices }
      const { clock } = activeOf(state).simulation
      const simulation = await open(state, choice, clock.speed())
      goal = instantOf(at, simulation.world.start)
      if (clock.paused()) simulation.clock.pause()
      return { choice, simulation }
    },
    () => {
      if (goal !== undefined) void state.played?.director.travelTo(goal).catch(() => {})
    },
  )
}

/** Forgets the record and begins with another world, or the same anew. Where that fails, the present one begins anew. */
async function startOver(
  state: State,
  replaceApp: ReplaceApp,
  makeNext: () => Promise<NonNullable<State['active']>>,
  done = (): void => {},
): Promise<SimStatus> {
  let before = activeOf(state)
  let next = before
  const forget = ({ choice }: typeof next) =>
    forgetRecord(state.config, state.infrastructure as Infrastructure, choice)
  await replaceApp({
    async prepare() {
      before = activeOf(state)
      next = await makeNext()
    },
    async begin() {
      await forget(next)
      next.simulation.reset()
      state.active = next
    },
    done,
    async takeBack() {
      state.active = before
      if (next.simulation !== before.simulation) await forget(before)
    },
  })
  return directorOf(state).status()
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

/** What `/metrics` shows of the world. */
function registerMetrics({ metrics }: FastifyInstance, state: State, { world }: Simulation): void {
  new Counter({
    name: 'world_messages_total',
    help: 'Messages the device world has sent; 0 where another node plays it',
    registers: [metrics],
    collect() {
      this.reset()
      this.inc(state.played ? world.messagesSent() : 0)
    },
  })
  new Gauge({
    name: 'world_running',
    help: 'Whether the device world goes on here (1), or has stopped or goes on elsewhere (0)',
    registers: [metrics],
    collect() {
      this.set(state.played?.isRunning() ? 1 : 0)
    },
  })
}

/** What a newcomer needs to know: what runs, how it came to that, and whom to be there. */
function greeting(
  { choice, simulation: { scenario, world } }: NonNullable<State['active']>,
  config: SimulatorConfig,
  ports: TrackerPorts,
): string[] {
  const { password, users, name } = scenario
  const { devices, trackers } = world.registration
  const accounts = users.filter(({ note }) => note !== '')
  const width = Math.max(...accounts.map(({ email }) => email.length))
  return [
    `${name}: ${devices.length + trackers.length} devices; trackers connect by TCP: Teltonika to port ${ports.teltonika}, GT06 to port ${ports.gt06}`,
    ...openedInstead(choice, config),
    '',
    `Sign in, password ${password}:`,
    ...accounts.map(({ email, note }) => `  ${email.padEnd(width)}  ${note}`),
  ]
}

/** Where the director's panel opened another world than the environment names: that it did, and the ways back. */
function openedInstead(choice: ScenarioChoice, { scenario, isScenarioGiven }: SimulatorConfig): string[] {
  const named = scenarioNameOf(scenario)
  const opened = scenarioNameOf(choice.scenario)
  if (named === opened) return []
  return [
    `It is ${opened}, which the director's panel opened here in place of ${named}.`,
    isScenarioGiven
      ? `SCENARIO is not followed, as this data folder holds the world that was opened.`
      : `It stays so at each start, as this data folder holds it.`,
    `For ${named}: open it in the panel (key D, World), or start with an empty DATA_DIR.`,
  ]
}
