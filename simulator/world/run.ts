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
   * As fast as it can: resolves when the world got there, or not so far, and the sink has taken everything in; with whether it
   * was halted on its way. Rejects with WorldStopped.
   */
  advance(seconds: number, options?: AdvanceOptions): Promise<boolean>
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

type Options = { onError: (error: unknown) => void; tick?: number; script?: Script }
type Given = { world: World; clock: WorldClock; sink: Sink }

type RunState = Given & {
  onError: (error: unknown) => void
  /** real ms between two looks at the clock */
  tick: number
  script: Script
  timer: ReturnType<typeof setTimeout> | undefined
  isRunning: boolean
  isStopping: boolean
  /** one thing after the other: steps, advances, changes */
  queue: Promise<unknown>
  /** changes that wait for the end of a step, also of an advance that takes minutes */
  changes: (() => Promise<void>)[]
  /** the advance under way, then those that wait for it */
  advances: Advance[]
  /** given by the world, not yet taken in */
  offered: (Sent & { until: number })[]
}

/** One advance; `to` is final once it is under way. */
type Advance = { from: number; to: number; isHalted: boolean }

/**
 * @param options `onError`: the sink failed and the run has stopped; `start` offers the same messages again.
 * `tick`: real ms between two looks at the clock. `script`: met between two steps, when neither clock nor world has passed it
 */
export function createWorldRun(world: World, clock: WorldClock, sink: Sink, options: Options): WorldRun {
  const state = openRun({ world, clock, sink }, options)
  return {
    start: () => start(state),
    stop: () => stop(state),
    advance: (seconds, advanceOptions) => advance(state, seconds, advanceOptions),
    journey: () => journey(state),
    halt: () => halt(state),
    between: (change) => between(state, change),
    reset: (clear) => enqueue(state, () => reset(state, clear)),
  }
}

const openRun = (given: Given, { onError, tick = TICK, script = NO_SCRIPT }: Options): RunState => ({
  ...given,
  onError,
  tick,
  script,
  timer: undefined,
  isRunning: false,
  isStopping: false,
  queue: Promise.resolve(),
  changes: [],
  advances: [],
  offered: [],
})

function enqueue<T>(state: RunState, work: () => T | Promise<T>): Promise<T> {
  const done = state.queue.then(work)
  state.queue = done.catch(() => undefined)
  return done
}

function between<T>(state: RunState, change: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    state.changes.push(async () => {
      await Promise.resolve().then(change).then(resolve, reject)
    })
    void enqueue(state, () => makeChanges(state))
  })
}

async function makeChanges({ changes }: RunState): Promise<void> {
  for (const change of changes.splice(0)) await change()
}

/** Moves the world to an instant, hands over what it sends, and lets happen what is due by then. */
async function step(state: RunState, to: number): Promise<void> {
  const { world, sink, script } = state
  if (state.offered.length === 0) state.offered = partsOf(world.advance(to), to)
  for (let part = state.offered[0]; part !== undefined; part = state.offered[0]) {
    await sink(part.readings, part.sentAt, part.until)
    state.offered.shift()
  }
  while (script.due() <= world.position()) await script.play()
  await makeChanges(state)
}

/**
 * The clock may run ahead of what has been taken in by a little, not by what a slow sink has left lying, and never so
 * far that a device whose message is still to be sent would seem silent.
 */
function hold({ world, clock, script, tick }: RunState): void {
  const ahead = Math.min(LONGEST_STRIDE, Math.max(1000, 3 * tick * clock.speed()))
  clock.holdAt(Math.min(script.due(), world.position() + ahead))
}

function start(state: RunState): void {
  if (state.isRunning) return
  state.isRunning = true
  hold(state)
  schedule(state)
}

async function stop(state: RunState): Promise<void> {
  state.isRunning = false
  state.isStopping = true
  clearTimeout(state.timer)
  state.timer = undefined
  await state.queue
  state.isStopping = false
}

function schedule(state: RunState): void {
  if (state.isRunning && state.timer === undefined)
    state.timer = setTimeout(() => look(state), pauseOf(state))
}

/** A fast clock is looked at more often, or it would stand where it is held between two looks. */
const pauseOf = ({ tick, clock }: RunState): number => Math.min(tick, LONGEST_STRIDE / 3 / clock.speed())

function look(state: RunState): void {
  state.timer = undefined
  enqueue(state, () => catchUp(state)).then(
    () => schedule(state),
    (error) => {
      state.isRunning = false
      state.onError(error)
    },
  )
}

async function catchUp(state: RunState): Promise<void> {
  const { world, clock, script } = state
  const goal = clock.now()
  const isBehind = () =>
    state.offered.length > 0 || script.due() <= world.position() || world.position() < goal
  while (state.isRunning && isBehind()) {
    await step(state, Math.min(goal, script.due(), world.position() + LONGEST_STEP))
    hold(state)
    await breathe()
  }
}

function advance(state: RunState, seconds: number, options: AdvanceOptions = {}): Promise<boolean> {
  const { world, clock, advances } = state
  const { until } = options
  const length = Math.round(seconds * 1000)
  const begin = () => Math.max(clock.now(), world.position())
  const own: Advance = { from: begin(), to: until ?? begin() + length, isHalted: false }
  advances.push(own)
  return enqueue(state, async () => {
    own.from = begin()
    own.to = until ?? own.from + length
    try {
      await goOn(state, own, options)
      return own.isHalted
    } finally {
      advances.shift()
      hold(state)
    }
  })
}

async function goOn(state: RunState, own: Advance, options: AdvanceOptions): Promise<void> {
  const { world, clock, script } = state
  const { stride = strideOf(world.size), isEnough = async () => false } = options
  while (!own.isHalted && (state.offered.length > 0 || world.position() < own.to)) {
    if (state.isStopping) throw new WorldStopped()
    const to = Math.min(own.to, script.due(), world.position() + stride)
    // first the time, then what was sent in it: nobody receives what is yet to be measured
    clock.jumpTo(to)
    await step(state, to)
    if (await isEnough()) break
    await breathe()
  }
}

function journey({ advances: [current], world }: RunState): Journey | null {
  return current === undefined ? null : { from: current.from, to: current.to, at: world.position() }
}

function halt({ advances }: RunState): boolean {
  for (const one of advances) one.isHalted = true
  return advances.length > 0
}

async function reset(state: RunState, clear: () => Promise<void>): Promise<void> {
  const { world, clock } = state
  state.offered = []
  await clear()
  world.reset()
  clock.reset(world.start)
  hold(state)
}

/** Lets sockets and requests have their turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
