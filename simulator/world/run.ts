/** Lets a world run with its clock and hands what is sent to whoever takes it in. */
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { WorldClock } from './clock.ts'
import { partsOf, type Sent } from './sent.ts'
import type { World } from './world.ts'

/**
 * Takes the messages sent until `until` (epoch ms; world indexes, in order of sending, `sentAt[i]` of message i). The next come
 * only when its promise resolves. Called for every step, also when nothing was sent, and once more for each device that sends
 * what it had kept: what came before is then known to be all there was, whatever the size of a step.
 */
export type Sink = (readings: ReadingColumns, sentAt: Float64Array, until: number) => Promise<void>

export type WorldRun = {
  start(): void
  /** resolves when the step under way has been taken in; nothing is sent afterwards */
  stop(): Promise<void>
  /**
   * As fast as it can: resolves when the world got there, or not so far, and the sink has taken everything in. Rejects with
   * WorldStopped.
   */
  advance(seconds: number, options?: AdvanceOptions): Promise<void>
  /** the advance under way: from where, to where and how far it is, epoch ms */
  journey(): Journey | null
  /** ends the advance under way after its step, and those that wait; false where there is none */
  halt(): boolean
  /** runs `change` between two steps, with nothing under way */
  between<T>(change: () => T | Promise<T>): Promise<T>
  /** back to the scenario's start; `clear` empties what lies behind the sink, with nothing under way */
  reset(clear: () => Promise<void>): Promise<void>
}

/** `until`: an instant instead of seconds from now. `stride`: ms of a step, at most. `isEnough`: asked after each step, whether it ends there. */
type AdvanceOptions = { until?: number; stride?: number; isEnough?(): Promise<boolean> }
type Journey = { from: number; to: number; at: number }

/** What the world is to meet on its way: `due` the instant of the next thing, Infinity where there is none; `play` lets it happen. */
export type Script = { due(): number; play(): Promise<void> }
const NO_SCRIPT: Script = { due: () => Number.POSITIVE_INFINITY, play: async () => {} }

/** The run was stopped before an advance got where it should: a month of it may take minutes. */
export class WorldStopped extends Error {
  readonly statusCode = 503
  constructor() {
    super('the device world was stopped on its way')
    this.name = 'WorldStopped'
  }
}

/** World time in one step, so that a fast clock neither floods the sink nor holds up the process. */
const LONGEST_STEP = 10_000
const TICK = 200
/**
 * The sink takes some 100 ms for whatever it is given, so a small fleet that is set forward goes in longer steps. No
 * longer than this: a device silent for that long is still online everywhere.
 */
const LONGEST_STRIDE = 60_000
/** Devices whose readings of a LONGEST_STEP fill a batch of the server. */
const FULL = 2_000

const strideOf = (devices: number): number =>
  Math.max(LONGEST_STEP, Math.min(LONGEST_STRIDE, (LONGEST_STEP * FULL) / Math.max(1, devices)))

/**
 * @param options `onError`: the sink failed and the run has stopped; `start` offers the same messages again.
 * `tick`: real ms between two looks at the clock. `script`: met between two steps, when neither clock nor world has passed it
 */
export function createWorldRun(
  world: World,
  clock: WorldClock,
  sink: Sink,
  options: { onError: (error: unknown) => void; tick?: number; script?: Script },
): WorldRun {
  const tick = options.tick ?? TICK
  const script = options.script ?? NO_SCRIPT
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let stopping = false
  // one thing after the other: steps, advances, changes
  let queue: Promise<unknown> = Promise.resolve()

  const enqueue = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  // changes that wait for the end of a step, also of an advance that takes minutes
  const changes: (() => Promise<void>)[] = []
  const change = async () => {
    for (const make of changes.splice(0)) await make()
  }
  const between = <T>(make: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      changes.push(async () => {
        await Promise.resolve().then(make).then(resolve, reject)
      })
      void enqueue(change)
    })

  // the advance under way, then those that wait for it
  const ways: { from: number; to: number; isHalted: boolean }[] = []

  // given by the world, not yet taken in
  let offered: (Sent & { until: number })[] = []

  const step = async (to: number) => {
    if (offered.length === 0) offered = partsOf(world.advance(to), to)
    for (let part = offered[0]; part !== undefined; part = offered[0]) {
      await sink(part.readings, part.sentAt, part.until)
      offered.shift()
    }
    while (script.due() <= world.position()) await script.play()
    await change()
  }

  /**
   * The clock may run ahead of what has been taken in by a little, not by what a slow sink has left lying, and never so
   * far that a device whose message is still to be sent would seem silent.
   */
  const hold = () =>
    clock.holdAt(
      Math.min(
        script.due(),
        world.position() + Math.min(LONGEST_STRIDE, Math.max(1000, 3 * tick * clock.speed())),
      ),
    )
  /** a fast clock is looked at more often, or it would stand where it is held between two looks */
  const pause = () => Math.min(tick, LONGEST_STRIDE / 3 / clock.speed())

  const catchUp = async () => {
    const goal = clock.now()
    while (running && (offered.length > 0 || script.due() <= world.position() || world.position() < goal)) {
      await step(Math.min(goal, script.due(), world.position() + LONGEST_STEP))
      hold()
      await breathe()
    }
  }

  const look = () => {
    timer = undefined
    enqueue(catchUp).then(schedule, (error) => {
      running = false
      options.onError(error)
    })
  }
  const schedule = () => {
    if (running && timer === undefined) timer = setTimeout(look, pause())
  }

  return {
    start() {
      if (running) return
      running = true
      hold()
      schedule()
    },
    async stop() {
      running = false
      stopping = true
      clearTimeout(timer)
      timer = undefined
      await queue
      stopping = false
    },
    advance(seconds, { until, stride = strideOf(world.size), isEnough = async () => false } = {}) {
      const length = Math.round(seconds * 1000)
      const begin = () => Math.max(clock.now(), world.position())
      const way = { from: begin(), to: until ?? begin() + length, isHalted: false }
      ways.push(way)
      return enqueue(async () => {
        way.from = begin()
        way.to = until ?? way.from + length
        try {
          while (!way.isHalted && (offered.length > 0 || world.position() < way.to)) {
            if (stopping) throw new WorldStopped()
            const to = Math.min(way.to, script.due(), world.position() + stride)
            // first the time, then what was sent in it: nobody receives what is yet to be measured
            clock.jumpTo(to)
            await step(to)
            if (await isEnough()) break
            await breathe()
          }
        } finally {
          ways.shift()
          hold()
        }
      })
    },
    journey() {
      const [way] = ways
      return way === undefined ? null : { from: way.from, to: way.to, at: world.position() }
    },
    halt() {
      for (const way of ways) way.isHalted = true
      return ways.length > 0
    },
    between,
    reset: (clear) =>
      enqueue(async () => {
        offered = []
        await clear()
        world.reset()
        clock.reset(world.start)
        hold()
      }),
  }
}

/** Lets sockets and requests have their turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
