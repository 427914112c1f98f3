/** Lets a world run with its clock and hands what is sent to whoever takes it in. */
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { WorldClock } from './clock.ts'
import type { Sent } from './sent.ts'
import type { World } from './world.ts'

/**
 * Takes the messages sent until `until` (epoch ms; world indexes, in order of sending, `sentAt[i]` of message i). The next come
 * only when its promise resolves. Called for every step, also when nothing was sent.
 */
export type Sink = (readings: ReadingColumns, sentAt: Float64Array, until: number) => Promise<void>

export type WorldRun = {
  start(): void
  /** resolves when the step under way has been taken in; nothing is sent afterwards */
  stop(): Promise<void>
  /** as fast as it can: resolves when the world got there and the sink has taken everything in. Rejects with WorldStopped */
  advance(seconds: number): Promise<void>
  /** runs `change` between two steps, with nothing under way */
  between<T>(change: () => T | Promise<T>): Promise<T>
  /** back to the scenario's start; `clear` empties what lies behind the sink, with nothing under way */
  reset(clear: () => Promise<void>): Promise<void>
}

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
/** Devices whose readings of a LONGEST_STEP fill a batch of the house. */
const FULL = 2_000

const strideOf = (devices: number): number =>
  Math.max(LONGEST_STEP, Math.min(LONGEST_STRIDE, (LONGEST_STEP * FULL) / Math.max(1, devices)))

/**
 * @param options `onError`: the sink failed and the run has stopped; `start` offers the same messages again.
 * `tick`: real ms between two looks at the clock
 */
export function createWorldRun(
  world: World,
  clock: WorldClock,
  sink: Sink,
  options: { onError: (error: unknown) => void; tick?: number },
): WorldRun {
  const tick = options.tick ?? TICK
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

  // given by the world, not yet taken in
  let offered: (Sent & { until: number }) | undefined

  const step = async (to: number) => {
    offered ??= { ...world.advance(to), until: to }
    await sink(offered.readings, offered.sentAt, offered.until)
    offered = undefined
  }

  /**
   * The clock may run ahead of what has been taken in by a little, not by what a slow sink has left lying, and never so
   * far that a device whose message is still to be sent would seem silent.
   */
  const hold = () =>
    clock.holdAt(world.position() + Math.min(LONGEST_STRIDE, Math.max(1000, 3 * tick * clock.speed())))
  /** a fast clock is looked at more often, or it would stand where it is held between two looks */
  const pause = () => Math.min(tick, LONGEST_STRIDE / 3 / clock.speed())

  const catchUp = async () => {
    const goal = clock.now()
    while (running && (offered || world.position() < goal)) {
      await step(Math.min(goal, world.position() + LONGEST_STEP))
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
    advance(seconds) {
      return enqueue(async () => {
        const goal = Math.max(clock.now(), world.position()) + Math.round(seconds * 1000)
        while (offered || world.position() < goal) {
          if (stopping) throw new WorldStopped()
          const to = Math.min(goal, world.position() + strideOf(world.size))
          // first the time, then what was sent in it: nobody receives what is yet to be measured
          clock.jumpTo(to)
          await step(to)
          await breathe()
        }
        hold()
      })
    },
    between: enqueue,
    reset: (clear) =>
      enqueue(async () => {
        offered = undefined
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
