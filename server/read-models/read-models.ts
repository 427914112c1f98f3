import type { Fact, FactType } from '#machines/contracts/facts.ts'
import { withAllColumns } from '#machines/contracts/readings.ts'
import {
  ATTENTION_FACTS,
  type Attention,
  emptyAttention,
  evolveAttention,
} from '#machines/projections/attention.ts'
import { applyCatchingUp, type CatchingUp, catchingUpFrom } from '#machines/projections/catching-up.ts'
import {
  DIRECTORY_FACTS,
  type Directory,
  emptyDirectory,
  evolve,
  patienceOf,
} from '#machines/projections/directory.ts'
import { emptyHistory, evolveHistory, type History } from '#machines/projections/history.ts'
import { applyFact, applyReadings, emptyLatest, type Latest } from '#machines/projections/latest.ts'
import { type Measured, measuredOf } from '#machines/projections/measured.ts'
import { emptyViolations, withoutRoom } from '#machines/projections/violations.ts'
import { LEAST_GAP_MS } from '#machines/rules/gap.ts'
import { factsBetween, followLog, loadCheckpoint, saveCheckpoint } from '../store/log-follower.ts'
import type { BatchRecord, LogRecord, Store } from '../store/store.ts'

/** What one step of following the log brought. */
export type Advance = {
  /** records after `from` up to and including `to` are folded in */
  from: number
  to: number
  facts: Fact[]
  /** batches as they came in, whichever node took them */
  batches: BatchRecord[]
  /** by `seq` of a fact about a user or device: the group they were in before it */
  groupsBefore: ReadonlyMap<number, string>
  /** device numbers whose row in `latest` changed, each once */
  changed: Uint32Array
}

/** The log folded into what requests and sockets ask for. Read only, except here. */
export type ReadModels = {
  readonly seq: number
  readonly directory: Directory
  readonly history: History
  readonly latest: Latest
  readonly catchingUp: CatchingUp
  readonly attention: Attention
  /** called after each step, in order; answers how to stop */
  onAdvance(listener: (advance: Advance) => void): () => void
  /** resolves when everything up to `seq` is folded in: read what you wrote */
  settled(seq: number): Promise<void>
}

export type Projecting = ReadModels & { checkpoint(): void; stop(): void }

/**
 * Three checkpoints: what changes all the time is some columns, written in milliseconds; the directory, and what people
 * made of notifications, are objects, which with 100,000 devices take a third of a second, and change little. Shapes are
 * raised with what they hold: an older checkpoint is passed over and the log replayed.
 */
const LATEST = { name: 'read-models', shape: 2 }
const DIRECTORY = { name: 'directory', shape: 22, facts: new Set<FactType>(DIRECTORY_FACTS) }
const ATTENTION = { name: 'attention', shape: 5, facts: new Set<FactType>(ATTENTION_FACTS) }
/** Names of what is folded from facts alone. */
export const FOLDED_CHECKPOINTS = [DIRECTORY.name, ATTENTION.name]
/** Facts of objects that a start rather folds in again than that everybody waits for them to be saved. */
const MOST_REPLAYED = 20_000
const RECORDS_A_STEP = 1000

/**
 * Loads the last checkpoint, replays the log after it and follows from there.
 * Answers when the read models are caught up.
 */
export function startProjecting(store: Store): Projecting {
  const { log, checkpoints } = store
  const { seq, latest, measured, catchingUp } = restoreLatest(store)
  const follower = followLog(log, { after: seq, recordsAStep: RECORDS_A_STEP })
  const { directory, history, ...people } = restoreDirectory(store)
  const { attention, ...made } = restoreAttention(store)
  const foldDirectory = (fact: Fact): void => {
    evolveHistory(history, directory, fact)
    evolve(directory, fact)
  }
  const foldAttention = (fact: Fact): void => evolveAttention(attention, directory, fact)
  bringTo(store, people, DIRECTORY.facts, seq, foldDirectory)
  bringTo(store, made, ATTENTION.facts, seq, foldAttention)
  const patience = (no: number): number => patienceOf(directory, no)
  const gap = (no: number): number => Math.max(LEAST_GAP_MS, patience(no))
  const listeners = new Set<(advance: Advance) => void>()

  function take(records: LogRecord[]): void {
    const from = follower.seq
    const to = records.at(-1)?.seq ?? from
    const facts: Fact[] = []
    const batches: BatchRecord[] = []
    const changes = new Set<number>()
    const groupsBefore = new Map<number, string>()
    for (const record of records) {
      if (record.kind === 'readings') {
        applyCatchingUp(catchingUp, gap, record.readings, record.recordedAt)
        applyReadings(latest, measured, record.readings, record, patience, changes)
        batches.push(record)
      } else {
        // objects that were saved after the columns know it already
        if (record.seq > people.folded) {
          const groupId = groupOfSubject(directory, record.fact)
          if (groupId !== null) groupsBefore.set(record.seq, groupId)
          foldDirectory(record.fact)
          if (DIRECTORY.facts.has(record.fact.type)) people.unsaved++
        }
        if (record.seq > made.folded) {
          foldAttention(record.fact)
          if (ATTENTION.facts.has(record.fact.type)) made.unsaved++
        }
        applyFact(latest, directory, record.fact, changes)
        facts.push(record.fact)
      }
    }
    follower.reached(to)
    for (const place of [people, made]) place.folded = Math.max(place.folded, to)
    const advance = { from, to, facts, batches, groupsBefore, changed: Uint32Array.from(changes) }
    for (const listener of listeners) listener(advance)
  }

  const catchUp = () => {
    for (const records of follower.steps()) take(records)
  }
  catchUp()
  const unfollow = log.onCommit(catchUp)
  let isStopped = false

  function save(kind: typeof DIRECTORY, place: Place, objects: object): void {
    if (place.unsaved <= (isStopped ? 0 : MOST_REPLAYED)) return
    if (saveCheckpoint(checkpoints, kind, { folded: place.folded, ...objects })) place.unsaved = 0
  }

  return {
    get seq() {
      return follower.seq
    },
    directory,
    history,
    latest,
    catchingUp,
    attention,
    onAdvance(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settled: follower.settled,
    checkpoint() {
      save(DIRECTORY, people, { directory, history })
      save(ATTENTION, made, { attention: { ...attention, violations: withoutRoom(attention.violations) } })
      const saved = { latest, measured, silences: catchingUp.silences }
      saveCheckpoint(checkpoints, LATEST, saved, follower.seq)
    },
    stop() {
      isStopped = true
      unfollow()
      follower.stop()
    },
  }
}

/** The group of who or what a fact is about, as of now. */
function groupOfSubject({ users, devices, numbers }: Directory, { type, data }: Fact): string | null {
  if (type === 'user.updated' || type === 'user.deleted') return users.get(data.userId)?.groupId ?? null
  if (type === 'device.retired' || type === 'device.tracker-replaced')
    return devices[data.no]?.groupId ?? null
  if (type === 'device.updated') return devices[numbers.get(data.imei) ?? -1]?.groupId ?? null
  return null
}

/** Objects are folded up to `folded`; `unsaved`: how many of their facts since they were saved. */
type Place = { folded: number; unsaved: number }

function restoreLatest({ checkpoints }: Store) {
  // earlier releases saved no silences, and not when sensors measured
  type Saved = { latest: Latest; measured?: Measured; silences?: CatchingUp['silences'] }
  const saved = loadCheckpoint<Saved>(checkpoints, LATEST) ?? { seq: 0, latest: emptyLatest() }
  const latest = { ...saved.latest, readings: withAllColumns(saved.latest.readings) }
  const { measured = measuredOf(latest.readings, latest.size) } = saved
  return { seq: saved.seq, latest, measured, catchingUp: catchingUpFrom(latest, saved.silences) }
}

function restoreDirectory({ checkpoints }: Store): Place & { directory: Directory; history: History } {
  const empty = { folded: 0, directory: emptyDirectory(), history: emptyHistory() }
  const { folded, directory, history } = loadCheckpoint<typeof empty>(checkpoints, DIRECTORY) ?? empty
  return { folded, unsaved: 0, directory, history }
}

function restoreAttention({ checkpoints }: Store): Place & { attention: Attention } {
  const empty = { folded: 0, attention: emptyAttention() }
  const { folded, attention } = loadCheckpoint<typeof empty>(checkpoints, ATTENTION) ?? empty
  // an earlier release saved fewer parts
  attention.violations = { ...emptyViolations(), ...attention.violations }
  return { folded, unsaved: 0, attention }
}

/** Folds in what objects lack up to `seq`, where the columns are. */
function bringTo(
  { log }: Store,
  place: Place,
  types: ReadonlySet<FactType>,
  seq: number,
  fold: (fact: Fact) => void,
): void {
  for (const fact of factsBetween(log, types, { after: place.folded, upTo: seq })) {
    fold(fact)
    place.unsaved++
  }
  place.folded = Math.max(place.folded, seq)
}
