import { deserialize, serialize } from 'node:v8'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { applyFact, applyReadings, emptyLatest, type Latest } from '#machines/projections/latest.ts'
import type { Store } from '../log/log.ts'

/** What one step of following the log brought. */
export type Advance = {
  /** records after `from` up to and including `to` are folded in */
  from: number
  to: number
  facts: Fact[]
  /** device numbers whose row in `latest` changed, each once */
  changed: Uint32Array
}

/** The log folded into what requests and sockets ask for. Read only, except here. */
export type ReadModels = {
  readonly seq: number
  readonly directory: Directory
  readonly latest: Latest
  /** called after each step, in order; answers how to stop */
  onAdvance(listener: (advance: Advance) => void): () => void
  /** resolves when everything up to `seq` is folded in: read what you wrote */
  settled(seq: number): Promise<void>
}

export type Projecting = ReadModels & { checkpoint(): void; stop(): void }

const CHECKPOINT = 'read-models'
/** Raised when the shape of the read models changes: an older snapshot is passed over and the log replayed. */
const SHAPE = 1
const RECORDS_A_STEP = 1000

/**
 * Loads the last checkpoint, replays the log after it and follows from there.
 * Answers when the read models are caught up.
 */
export function startProjecting(store: Store): Projecting {
  const { log, checkpoints } = store
  let { seq, directory, latest } = restore(store)
  const listeners = new Set<(advance: Advance) => void>()
  let waiting: { seq: number; resolve: () => void }[] = []

  /** Folds in at most one step; false when there is nothing left. */
  function step(): boolean {
    const records = log.read(seq, RECORDS_A_STEP)
    const last = records.at(-1)
    if (last === undefined) return false
    const from = seq
    const facts: Fact[] = []
    const changes = new Set<number>()
    for (const record of records) {
      if (record.kind === 'readings') applyReadings(latest, record.readings, record.seq, changes)
      else {
        evolve(directory, record.fact)
        applyFact(latest, directory, record.fact, changes)
        facts.push(record.fact)
      }
    }
    seq = last.seq
    const advance = { from, to: seq, facts, changed: Uint32Array.from(changes) }
    for (const listener of listeners) listener(advance)
    const reached = waiting.filter((w) => w.seq <= seq)
    waiting = waiting.filter((w) => w.seq > seq)
    for (const { resolve } of reached) resolve()
    return records.length === RECORDS_A_STEP
  }

  const catchUp = () => {
    while (step());
  }
  catchUp()
  const stop = log.onCommit(catchUp)

  return {
    get seq() {
      return seq
    },
    directory,
    latest,
    onAdvance(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settled(wanted) {
      if (wanted <= seq) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ seq: wanted, resolve }))
    },
    checkpoint() {
      checkpoints.save(CHECKPOINT, seq, serialize({ shape: SHAPE, directory, latest }))
    },
    stop,
  }
}

function restore({ checkpoints }: Store): { seq: number; directory: Directory; latest: Latest } {
  const saved = checkpoints.load(CHECKPOINT)
  if (saved !== undefined) {
    const { shape, directory, latest } = deserialize(saved.bytes)
    if (shape === SHAPE) return { seq: saved.seq, directory, latest }
  }
  return { seq: 0, directory: emptyDirectory(), latest: emptyLatest() }
}
