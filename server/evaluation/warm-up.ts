import { setTimeout as pause } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { FactType, NewFact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import { emptyLimitsTable, evolveLimits, LIMITS_FACTS, type LimitsTable } from './limits.ts'
import { type PastSpan, WarmUpState } from './warm-up-state.ts'

export type WarmUpOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  /** walks through readings of the past */
  eachDay: EachDay
  /** numbers of the devices that have a past */
  devices: Uint32Array
  /** readings of [from, to) are the past, epoch ms, so far apart (ms) */
  from: number
  to: number
  spacing: number
  /** devices that were still beyond a limit at `to`, before it is saved that they are done */
  onBeyond?: (devices: number[]) => Promise<void>
  /** how far it is, after each step */
  onProgress?: (progress: Progress) => void
  /** stops it after what it is at; nothing is lost */
  signal: AbortSignal
  /** ms to wait while the store cannot write (5,000) */
  retryMs?: number
}

/** So many steps of so many are over; from `before` on, epoch ms, all is evaluated. */
export type Progress = { done: number; of: number; before: number }

/**
 * Calls `onDay` with the readings of each device and day in [from, to), of one device day by day, ascending, until it is done or
 * the signal stops it. Rejects with StoreUnavailable.
 */
export type EachDay = (
  devices: Uint32Array,
  options: {
    from: number
    to: number
    onDay: (device: number, readings: ReadingColumns) => void
    signal: AbortSignal
  },
) => Promise<void>

const STREAM = 'past-violations'
const CHECKPOINT = 'past-violations'
/** Raised when the shape of what is saved changes: all is evaluated anew, and published where it was not published. */
const SHAPE = 1
/** It needs no batches: what it reads is older than the first of them. */
const NEEDS_NO_BATCHES = Number.MAX_SAFE_INTEGER
const DAY = 86_400_000
/** Whole days that are evaluated of all devices before the rest is of any: what people look at first. */
const NEWEST_DAYS = 2
/** Devices evaluated together; the store writes down as many at a time. */
const TOGETHER = 64
/** Facts written in one turn of the event loop, some milliseconds. */
const FACTS_A_TURN = 50

/**
 * Evaluates the readings of before the record began, in the background, and tells each violation in them that ended
 * (`violation.found`): by the limits the server began with, since those are the only ones that were in force. What it
 * tells is a function of these and the readings; cut off anywhere, it goes on from there and tells nothing twice.
 * Resolves when it is through or the signal stops it.
 */
export async function warmUp(options: WarmUpOptions): Promise<void> {
  const { store, signal } = options
  const devices = options.devices.toSorted()
  const bands = limitsAtStart(store, options.to)
  const done = restoreDone(store)
  const spans = spansOf(options)
  const report = (i: number, devicesDone: number): void =>
    options.onProgress?.({
      done: i * devices.length + devicesDone,
      of: spans.length * devices.length,
      before: spans[i]?.to ?? options.to,
    })
  for (const [i, span] of spans.entries()) {
    let next = firstAfter(devices, done.get(span.from))
    for (; next < devices.length; next += TOGETHER) {
      report(i, next)
      const some = devices.subarray(next, next + TOGETHER)
      const evaluated = await untilStored(options, () => evaluateSome(options, some, bands, span))
      if (signal.aborted || evaluated === undefined) return
      await publish(options, evaluated.facts, span)
      if (signal.aborted) return
      if (span.isNewest && evaluated.beyond.length > 0) await options.onBeyond?.(evaluated.beyond)
      if (signal.aborted) return
      done.set(span.from, some.at(-1) as number)
      saveDone(store, done)
    }
    report(i, devices.length)
  }
}

/** The newest days first; the border lies between two days. */
function spansOf({ from, to, spacing }: WarmUpOptions): PastSpan[] {
  const border = Math.max(from, (Math.floor(to / DAY) - NEWEST_DAYS) * DAY)
  const newest = { from: border, to, isOldest: border === from, isNewest: true, spacing }
  const rest = { from, to: border, isOldest: true, isNewest: false, spacing }
  return border === from ? [newest] : [newest, rest]
}

async function evaluateSome(
  { eachDay, to, signal }: WarmUpOptions,
  devices: Uint32Array,
  bands: LimitsTable,
  span: PastSpan,
): Promise<{ facts: NewFact[]; beyond: number[] }> {
  const ruleState = new WarmUpState(devices, bands, span)
  const onDay: WarmUpState['take'] = (no, readings) => ruleState.take(no, readings)
  await eachDay(devices, { from: span.from, to: span.to, onDay, signal })
  for (let day = span.to; day < to && !ruleState.isThrough() && !signal.aborted; day += DAY)
    await eachDay(devices, { from: day, to: Math.min(to, day + DAY), onDay, signal })
  return { facts: ruleState.facts(), beyond: ruleState.beyond() }
}

/** One append a device: its key says which part of its past is published. */
async function publish(options: WarmUpOptions, facts: NewFact[], span: PastSpan): Promise<void> {
  const { store, signal } = options
  let turn: Promise<unknown>[] = []
  let waiting = 0
  for (const [imei, theirs] of Map.groupBy(facts, ({ data }) => ('imei' in data ? data.imei : null))) {
    if (signal.aborted) return
    const idempotencyKey = `${STREAM}-${imei}-${span.from}`
    turn.push(untilStored(options, () => store.log.append(STREAM, theirs, { idempotencyKey })))
    waiting += theirs.length
    if (waiting < FACTS_A_TURN) continue
    await Promise.all(turn)
    turn = []
    waiting = 0
  }
  await Promise.all(turn)
}

/** Again and again while the store cannot write; undefined when stopped meanwhile. */
async function untilStored<T>(
  { signal, retryMs = 5_000 }: WarmUpOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await pause(retryMs, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

/** Facts of limits that became others; all others say how they began. */
const CHANGES = new Set<FactType>(['group.updated', 'group.evaluation-set', 'device.updated'])

/** Devices where they were registered, groups as they were created; changes only where they are older than the record. */
function limitsAtStart({ log }: WarmUpOptions['store'], start: number): LimitsTable {
  const bands = emptyLimitsTable()
  for (let after = 0; ; ) {
    const facts = log.readFacts(after, { types: [...LIMITS_FACTS], limit: 1000 })
    for (const fact of facts) {
      if (!CHANGES.has(fact.type) || fact.at <= start) evolveLimits(bands, fact)
    }
    const last = facts.at(-1)
    if (last === undefined) return bands
    after = last.seq
  }
}

/** By the beginning of a span: the highest number of a device whose violations in it are published. */
type Done = Map<number, number>

function restoreDone({ checkpoints }: WarmUpOptions['store']): Done {
  const saved = checkpoints.load(CHECKPOINT)
  if (saved === undefined) return new Map()
  const { shape, done } = deserialize(saved.bytes) as { shape: number; done: Done }
  return shape === SHAPE ? done : new Map()
}

function saveDone({ checkpoints }: WarmUpOptions['store'], done: Done): void {
  checkpoints.save(CHECKPOINT, NEEDS_NO_BATCHES, () => serialize({ shape: SHAPE, done }))
}

function firstAfter(devices: Uint32Array, done = -1): number {
  const next = devices.findIndex((no) => no > done)
  return next < 0 ? devices.length : next
}
