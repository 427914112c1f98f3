import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { FactOf, FactType } from '#machines/contracts/facts.ts'
import { type EventLog, type LogRecord, type Store, StoreUnavailable } from './store.ts'
import { Waiting } from './waiting.ts'

/** Where somebody is in the log that takes it in steps, and who waits for them. */
export type LogFollower = {
  /** all up to here is taken */
  readonly seq: number
  /** The records after `seq`, step by step up to the head. Each step ends with `reached`, else it was the last. */
  steps(): Generator<LogRecord[]>
  reached(seq: number): void
  /** resolves when all up to there is taken, or following has stopped */
  settled(seq: number): Promise<void>
  stop(): void
}

/** @param options.after what is taken already; `recordsAStep`: at most so many at once */
export function followLog(
  log: Pick<EventLog, 'read' | 'head'>,
  options: { after: number; recordsAStep: number },
): LogFollower {
  let seq = options.after
  let isStopped = false
  const waiting = new Waiting()
  return {
    get seq() {
      return seq
    },
    *steps() {
      for (let before = -1; before < seq && seq < log.head() && !isStopped; ) {
        before = seq
        const records = log.read(seq, options.recordsAStep)
        if (records.length > 0) yield records
      }
    },
    reached(through) {
      seq = through
      waiting.reached(through)
    },
    settled(wanted) {
      return wanted <= seq || isStopped ? Promise.resolve() : waiting.for(wanted)
    },
    stop() {
      isStopped = true
      waiting.reached(Number.POSITIVE_INFINITY)
    },
  }
}

const FACTS_A_PAGE = 1000

/** Facts of these types with after < seq ≤ upTo, oldest first. */
export function* factsBetween<T extends FactType>(
  log: Pick<EventLog, 'readFacts'>,
  types: Iterable<T>,
  { after, upTo = Number.POSITIVE_INFINITY }: { after: number; upTo?: number },
): Generator<FactOf<T>> {
  for (let from = after; from < upTo; ) {
    const page = log.readFacts(from, { types: [...types], limit: FACTS_A_PAGE })
    for (const fact of page) {
      if (fact.seq > upTo) return
      yield fact as FactOf<T>
    }
    const last = page.at(-1)
    if (last === undefined || page.length < FACTS_A_PAGE) return
    from = last.seq
  }
}

const FACTS_A_BREATH = 500

/** The same with a breath after some hundred: of what may be read for one answer. */
export async function* factsInBreaths<T extends FactType>(
  ...args: Parameters<typeof factsBetween<T>>
): AsyncGenerator<FactOf<T>> {
  let sinceBreath = 0
  for (const fact of factsBetween(...args)) {
    yield fact
    if (++sinceBreath % FACTS_A_BREATH === 0) await breath()
  }
}

/** Facts are never deleted: a follower of facts alone lets all batches go. */
const NEEDS_NO_BATCHES = Number.MAX_SAFE_INTEGER

/** `shape` is raised with what is saved: what has another shape is passed over. */
export type CheckpointKind = { name: string; shape: number }

/** @returns what was saved last, and the position it was saved with; undefined where there is none of this shape */
export function loadCheckpoint<T extends object>(
  checkpoints: Store['checkpoints'],
  { name, shape }: CheckpointKind,
): (T & { seq: number }) | undefined {
  const saved = checkpoints.load(name)
  if (saved === undefined) return undefined
  const state = deserialize(saved.bytes)
  return state.shape === shape ? { ...state, seq: saved.seq } : undefined
}

/**
 * @param seq batches after it are needed to go on from here; left out: none is
 * @returns whether it is saved
 */
export function saveCheckpoint(
  checkpoints: Store['checkpoints'],
  { name, shape }: CheckpointKind,
  state: object,
  seq = NEEDS_NO_BATCHES,
): boolean {
  return checkpoints.save(name, seq, () => serialize({ shape, ...state }))
}

/** Tries again while the store cannot write. @returns undefined where it could not before the signal was given */
export async function untilStored<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  { retryMs = 1_000, sleep = sleepFor }: { retryMs?: number; sleep?: typeof sleepFor } = {},
): Promise<T | undefined> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (signal.aborted) return undefined
      await sleep(retryMs, signal)
    }
  }
}

const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => {})
