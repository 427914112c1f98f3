import type { FastifyBaseLogger } from 'fastify'
import {
  type Cluster,
  type Core,
  type EachDay,
  evaluatePast,
  PAST_EVALUATION,
  type PastEvaluation,
} from '../server/ports.ts'
import { createActions } from './director/actions.ts'
import { faultsIn } from './director/device-faults.ts'
import { createDirector, type Director } from './director/director.ts'
import type { DirectorParts } from './director/director-parts.ts'
import type { LogHash } from './director/log-hash.ts'
import { createPeople } from './director/people.ts'
import { createScriptPlayer } from './director/script-player.ts'
import type { NetworkFaults } from './network/network-faults.ts'
import { publishWorld } from './shared-world.ts'
import { listenTo, type Simulation } from './world/simulation.ts'
import { HISTORY_STEP } from './world/world.ts'

export type PlayParts = Pick<
  DirectorParts,
  'evaluator' | 'releasing' | 'scheduler' | 'notifier' | 'frames' | 'reset' | 'open' | 'savedScenarios'
> & {
  cluster: Cluster
  simulation: Simulation
  /** of the world, among all there could be */
  identity: string
  core: Core
  /** walks through what was before the record began, and stores it on its way */
  eachPastDay: EachDay
  /** device number of each world index */
  numbers: Uint32Array
  network: NetworkFaults
  logHash: LogHash
  /** leaves what was before the record began unevaluated, however small the fleet */
  isPastLeft: boolean
  /** called with until when all the world sent is stored */
  onStored(until: number): void
  /** says that it is over before it has begun */
  signal: AbortSignal
  log: Pick<FastifyBaseLogger, 'error'>
}

/** The simulated world, played to the server by the node that leads. */
export type PlayedWorld = {
  /** who plays on it */
  director: Director
  /** whether it goes on, or waits to be tried again */
  isRunning(): boolean
  /** resolves when what was before the record began is written down and evaluated, or is not going to be */
  past: Promise<void>
  stop(): Promise<void>
}

export const WORLD_CHECKPOINT = 'world'
/** Fleets up to here have their whole past written down and evaluated behind; larger ones are asked when somebody looks. */
const MOST_BACKFILLED = 5_000
const WORLD_RETRY_MS = 5_000
const DAY = 86_400_000

/** Puts the world where it was, or at the start with a warm-up, and lets it run. Nothing of it is left where that fails. */
export async function playWorld(parts: PlayParts): Promise<PlayedWorld> {
  const begun: (() => Promise<void>)[] = []
  try {
    return await begin(parts, begun)
  } catch (error) {
    await Promise.all(begun.map((end) => end()))
    throw error
  }
}

async function begin(parts: PlayParts, begun: (() => Promise<void>)[]): Promise<PlayedWorld> {
  const { simulation, core, numbers, network, logHash, signal, log } = parts
  const { store, ingest } = core
  const { world, clock, scenario } = simulation
  const actions = createActions(store.log, clock)
  const people = createPeople(core, clock.now)
  // it was played by this node before, and somebody else went on with it
  if (world.position() !== world.start) world.reset()
  // what was wrong with the network of the node that led was its own director's doing
  network.stop()
  const stopPublishing = publishWorld({ ...parts, clock })
  begun.push(stopPublishing)
  let isRunning = true
  let isOver = false
  let isLive = false
  let goingOn: ReturnType<typeof setTimeout> | undefined
  const run = await listenTo(simulation, {
    numbers,
    submit(readings) {
      const stored = ingest.submitWhenRoom(readings, 'world')
      // the world sends no more until this is stored: waiting for company would make it slow for nothing
      if (isLive) void ingest.flush()
      return stored
    },
    saved: store.checkpoints.load(WORLD_CHECKPOINT)?.bytes,
    save: (bytes) => store.checkpoints.save(WORLD_CHECKPOINT, store.log.head(), () => bytes),
    faults: faultsIn(store.log, world.faults()),
    script: createScriptPlayer({ scenario, start: world.start, actions, people, network, clock }),
    onHeard: parts.onStored,
    // nothing is lost: what could not be stored is offered again
    onError(error) {
      log.error(error, 'the device world has stopped')
      isRunning = false
      if (isOver) return
      goingOn = setTimeout(() => {
        isRunning = true
        run.start()
      }, WORLD_RETRY_MS)
    },
  })
  begun.push(async () => {
    isOver = true
    clearTimeout(goingOn)
    await run.stop()
  })
  await core.settled()
  await logHash.caughtUp
  signal.throwIfAborted()
  const director = createDirector({ ...simulation, ...parts, run, actions, people })
  isLive = true
  run.start()
  const stopping = new AbortController()
  const past = parts.isPastLeft ? Promise.resolve() : learnPast(parts, stopping.signal)
  return {
    director,
    isRunning: () => isRunning,
    past,
    async stop() {
      isOver = true
      const published = stopPublishing()
      stopping.abort()
      director.stop()
      network.stop()
      clearTimeout(goingOn)
      await Promise.all([run.stop(), past, published])
    },
  }
}

/**
 * Finds since when devices are beyond a limit, then writes down what was before the record began and appends the violations in
 * it. Of a large fleet only the former, a day back.
 */
async function learnPast(
  { simulation, core, numbers, eachPastDay, evaluator, cluster, log }: PlayParts,
  signal: AbortSignal,
): Promise<void> {
  const { world, liveFrom } = simulation
  const isLarge = numbers.length > MOST_BACKFILLED
  const from = isLarge ? Math.max(world.historyStart, liveFrom - DAY) : world.historyStart
  const span = { from, to: liveFrom, spacing: HISTORY_STEP }
  const say = createSaying(cluster, { recordFrom: liveFrom, before: liveFrom, done: 0, of: isLarge ? 0 : 1 })
  try {
    await evaluator.lookBack(span)
    if (isLarge || signal.aborted) return
    const onBeyond = (devices: number[]): Promise<void> => evaluator.lookBack(span, devices)
    const past = { store: core.store, eachDay: eachPastDay, devices: numbers, ...span }
    await evaluatePast({ ...past, onBeyond, onProgress: say, signal })
    if (!signal.aborted) say({ before: null, done: 1, of: 1 })
  } catch (error) {
    log.error(error, 'the past is not written down')
  }
}

/** Says to all nodes how far the evaluation of the past is: at first, at its end, and each percent between. */
function createSaying({ values }: Cluster, first: PastEvaluation) {
  const shareOf = ({ done, of }: Pick<PastEvaluation, 'done' | 'of'>) => Math.floor((100 * done) / (of || 1))
  let reported = shareOf(first)
  let before = first.before
  // it is said again with the next percent
  const set = (value: PastEvaluation): void => void values.set(PAST_EVALUATION, value).catch(() => {})
  set(first)
  return (now: Pick<PastEvaluation, 'done' | 'of' | 'before'>): void => {
    if (shareOf(now) === reported && now.before === before) return
    reported = shareOf(now)
    before = now.before
    set({ recordFrom: first.recordFrom, ...now })
  }
}
