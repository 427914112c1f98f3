/** The simulated world as one thing: a scenario, its world, its clock. It outlives the server that listens to it. */
import { deserialize, serialize } from 'node:v8'
import {
  copyReading,
  createReadings,
  type ReadingColumns,
  sliceReadings,
} from '#machines/contracts/readings.ts'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { createWorldClock, type WorldClock } from './clock.ts'
import type { Fault } from './faults.ts'
import { loadScenario } from './load-scenario.ts'
import { createWorldRun, type Script, type Sink, type WorldRun } from './run.ts'
import { createWorld, type World, type WorldCheckpoint } from './world.ts'

export type Simulation = {
  scenario: Scenario
  /** where the scenario was read */
  file: string
  world: World
  clock: WorldClock
  /** readings of before this instant are history, told when asked for; those after it were sent */
  liveFrom: number
  /** real ms between two looks at the clock; undefined: as usual */
  tick: number | undefined
  /** back to the scenario's start; nobody may be listening */
  reset(): void
}

export type SimulationOptions = {
  scenario: string
  seed: number | undefined
  devices: number | undefined
  simSpeed: number
  /** real time that somebody turns by hand, looked at every `tick` ms; left out: the system's */
  turned?: { realNow: () => number; tick: number } | undefined
}

/** So long before the scenario's start devices have been sending, so that what is wrong then is known to be wrong. */
const WARM_UP = 20 * 60_000
/** A large fleet sends all it measures only for the last of it, and one in a while before: it has to be up in seconds. */
const WARM_UP_READINGS = 100_000

/** @throws ContractError for a scenario that is none */
export async function openSimulation({
  scenario: path,
  seed,
  devices,
  simSpeed,
  turned,
}: SimulationOptions): Promise<Simulation> {
  const scenario = await loadScenario(path)
  const world = createWorld(scenario, {
    ...(seed !== undefined && { seed }),
    ...(devices !== undefined && { devices }),
  })
  const liveFrom = world.start - WARM_UP
  const clock = createWorldClock({
    start: liveFrom,
    speed: simSpeed,
    ...(turned && { realNow: turned.realNow }),
  })
  // until somebody takes in what is sent, no time passes
  clock.holdAt(liveFrom)
  return {
    scenario,
    file: path,
    world,
    clock,
    liveFrom,
    tick: turned?.tick,
    reset() {
      world.reset()
      clock.reset(liveFrom)
      clock.holdAt(liveFrom)
    },
  }
}

/** What the world asks of the server that listens to it. */
export type Listener = {
  /** device number of each world index */
  numbers: Uint32Array
  /** resolves when stored */
  submit(readings: ReadingColumns): Promise<unknown>
  /** where the world was when it was last saved; undefined at the first start */
  saved: Uint8Array | undefined
  save(bytes: Uint8Array): void
  /** all that was sent until then is stored, epoch ms */
  onHeard(until: number): void
  /** injected before this start, oldest first, and those of the script that were ended */
  faults: Fault[]
  /** what else the world meets on its way */
  script: Script
  onError(error: unknown): void
}

const SAVE_MS = 10_000
/** Raised when the shape of what is saved changes. */
const SHAPE = 1

/**
 * Puts the world where the server last heard of it, or at the start with a warm-up, and answers its run, not yet started.
 * What was sent after the last save is sent again, the same to the byte: the server knows it and drops it.
 * @throws OtherWorld when what is saved is of another scenario or seed
 */
export async function listenTo(simulation: Simulation, listener: Listener): Promise<WorldRun> {
  const { world, clock } = simulation
  const forServer = renumbered(listener.numbers)
  const submit = async (sent: ReadingColumns): Promise<void> => {
    const readings = forServer(sent)
    const parts: Promise<unknown>[] = []
    for (let from = 0; from < readings.length; from += MOST_AT_ONCE)
      parts.push(
        listener.submit(sliceReadings(readings, from, Math.min(from + MOST_AT_ONCE, readings.length))),
      )
    await Promise.all(parts)
  }
  let savedAt = performance.now()
  const save = (): void => {
    listener.save(serialize({ shape: SHAPE, identity: identityOf(simulation), ...world.checkpoint() }))
    savedAt = performance.now()
  }

  for (const fault of listener.faults) world.restoreFault(fault)
  const checkpoint = listener.saved && restored(simulation, listener.saved)
  if (checkpoint !== undefined) {
    world.resume(checkpoint.position, checkpoint)
    // where others went on with this world meanwhile, the clock is ahead and waits
    clock.jumpTo(checkpoint.position)
    clock.holdAt(checkpoint.position)
  } else {
    await warmUp(simulation, submit)
    save()
  }

  listener.onHeard(world.position())
  const sink: Sink = async (readings, _, until) => {
    await submit(readings)
    listener.onHeard(until)
    // between two parts of a step the world is ahead of what is stored
    if (until === world.position() && performance.now() - savedAt > SAVE_MS) save()
  }
  const run = createWorldRun(world, clock, sink, {
    onError: listener.onError,
    script: listener.script,
    ...(simulation.tick !== undefined && { tick: simulation.tick }),
  })
  return {
    ...run,
    async stop() {
      await run.stop()
      save()
    },
  }
}

/**
 * What was sent in the last minutes before the start, as if somebody had listened: the clock goes along. Resolves when it is
 * stored and the world stands at its start.
 */
async function warmUp(
  { scenario, world, clock, liveFrom }: Simulation,
  submit: (sent: ReadingColumns) => Promise<void>,
): Promise<void> {
  const interval = scenario.reportSeconds * 1000
  const affordable = Math.max(1, Math.floor(WARM_UP_READINGS / Math.max(1, world.size))) * interval
  const dense = Math.max(liveFrom, world.start - affordable)
  const goTo = (at: number): void => {
    clock.jumpTo(at)
    clock.holdAt(at)
  }
  for (const [step, readings] of thinned(world, liveFrom, dense).entries()) {
    goTo(Math.min(liveFrom + (step + 1) * WARM_UP_STEP, dense))
    await submit(readings)
  }
  world.resume(dense)
  while (world.position() < world.start) {
    goTo(Math.min(world.position() + WARM_UP_STEP, world.start))
    await submit(world.advance(clock.now()).readings)
  }
}

/** One reading of each device a step. */
function thinned(world: World, from: number, to: number): ReadingColumns[] {
  const steps = Array.from({ length: Math.ceil((to - from) / WARM_UP_STEP) }, () =>
    createReadings(world.size),
  )
  for (let index = 0; steps.length > 0 && index < world.size; index++) {
    const readings = world.history(index, from, to, WARM_UP_STEP)
    for (let i = 0; i < readings.length; i++)
      copyReading(
        steps[Math.floor(((readings.at[i] as number) - from) / WARM_UP_STEP)] as ReadingColumns,
        readings,
        i,
      )
  }
  return steps
}

/** Shorter than any company's patience, and no reading comes late: nobody may seem silent because the past is told in steps. */
const WARM_UP_STEP = 120_000
/** A large fleet sends more in a step than the server takes at once. */
const MOST_AT_ONCE = 10_000

const identityOf = ({ scenario, world }: Simulation): string => `${scenario.name}, seed ${world.seed}`

/** What was saved is of another world than the one that is to go on; both as `name, seed n`. */
export class OtherWorld extends Error {
  readonly held: string
  readonly requested: string
  constructor(held: string, requested: string) {
    super(`DATA_DIR holds the world of "${held}", asked for is "${requested}"`)
    this.name = 'OtherWorld'
    this.held = held
    this.requested = requested
  }
}

/**
 * What was saved of a world; undefined in a shape of before.
 * @throws OtherWorld where it is of another one
 */
export function restored(simulation: Simulation, saved: Uint8Array): WorldCheckpoint | undefined {
  const { shape, identity, ...checkpoint } = deserialize(saved)
  if (shape !== SHAPE) return undefined
  if (identity !== identityOf(simulation)) throw new OtherWorld(identity, identityOf(simulation))
  return checkpoint
}

/** World indexes to device numbers, in place; they are the same unless devices were added since the first start. */
function renumbered(numbers: Uint32Array): (readings: ReadingColumns) => ReadingColumns {
  if (numbers.every((no, index) => no === index)) return (readings) => readings
  return (readings) => {
    for (let i = 0; i < readings.length; i++)
      readings.device[i] = numbers[readings.device[i] as number] as number
    return readings
  }
}
