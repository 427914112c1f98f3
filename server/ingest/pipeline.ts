import type { Clock } from '#machines/contracts/clock.ts'
import { type ReadingColumns, readingAt } from '#machines/contracts/readings.ts'
import type { AsideReading } from '../store/aside.ts'
import type { Store } from '../store/store.ts'
import {
  countReading,
  createDayCounts,
  type DayCounts,
  isFull,
  MOST_A_DAY,
  TOO_MANY_TODAY,
} from './day-counts.ts'
import {
  createPendingDuplicates,
  type PendingDuplicates,
  type PendingReading,
  type PendingRows,
} from './pending-duplicates.ts'
import { dropImpossible, droppedBecause, rowRefusal } from './plausible.ts'
import { createQuarantine, type Quarantine, type Source, type Suspect } from './quarantine.ts'
import { decideSame, isSameReading, type StoredRow, storedOf } from './same-instant.ts'
import {
  type Batch,
  batchWith,
  createWriteQueue,
  enqueue,
  flushQueue,
  makeRoom,
  reserve,
  type WriteQueue,
} from './write-queue.ts'

export type Submitted = {
  accepted: number
  /** known already, by device and device time */
  duplicates: number
  /** more than five minutes ahead of their time: kept until it has come */
  held: number
  /** `index`: row of what was submitted */
  refused: { index: number; reason: string }[]
  /** fields that were impossible; the rest of such a row is taken */
  dropped: { index: number; reason: string }[]
}

export type IngestOptions = {
  store: Pick<Store, 'log' | 'telemetry' | 'aside'>
  clock: Clock
  /** the device with this number; undefined where none is registered */
  device: (no: number) => { imei: string; companyId: string; retired?: number | null } | undefined
  /** newest time stored of a device that is not ahead of now (0: none), read once for each: what is newer needs no look into the store */
  newestAt: (no: number) => number
  /** readings that may wait for the store (50,000) */
  capacity?: number
  /** readings a device has on a UTC day at most (1,000,000), give or take those that wait for the store: more are refused */
  mostADay?: number
  /** a batch is written when it holds so many (2,000) or is so old (100 ms), sooner where the store is quick */
  batchSize?: number
  batchMs?: number
  /** for operators */
  warn?: (message: string) => void
}

/** The queue is full: nothing of the submission was taken. Come back after `retryAfterSeconds`. */
export class QueueFull extends Error {
  readonly retryAfterSeconds = 1
  constructor(waiting: number) {
    super(`${waiting} readings wait for the store; no room for more`)
    this.name = 'QueueFull'
  }
}

export type Ingest = {
  /**
   * Resolves when all that was accepted, and what it duplicates, is stored. Rows that are refused, or that the store does
   * not take, never hold up others.
   * Rejects with QueueFull, RangeError for more rows than the queue holds, StoreUnavailable.
   */
  submit(readings: ReadingColumns, source: Source): Promise<Submitted>
  /** the same, waiting for room instead of rejecting with QueueFull */
  submitWhenRoom(readings: ReadingColumns, source: Source): Promise<Submitted>
  /** the same, of readings that were acknowledged as held: however many their device has that day */
  release(readings: ReadingColumns, source: Source): Promise<Submitted>
  /** notes what is stored, by whichever node: the same readings may be sent to this one too */
  noteStored(readings: ReadingColumns): void
  /** counts and records what was refused before it became a reading */
  quarantine(suspect: Suspect): void
  /** called with each thing that is refused, by whichever door it came */
  onRefused(listener: (suspect: Suspect) => void): void
  /** whether nothing waits and nothing is being written */
  isQuiet(): boolean
  /** writes what waits now, without delay */
  flush(): Promise<void>
  stats(): {
    waiting: number
    accepted: number
    duplicates: number
    held: number
    refused: ReadonlyMap<string, number>
  }
  /** writes what waits, and takes nothing more */
  stop(): Promise<void>
}

/** A reading so far ahead of its time, ms, is taken as received now; one further ahead is held until its time has come. */
const MOST_AHEAD = 5 * 60_000
/** Readings of a device that are held at most. */
const MOST_HELD = 10_000

/** State of the pipeline: what is on its way, and what is known of each device. */
type Pipeline = {
  readonly options: IngestOptions
  readonly capacity: number
  readonly queue: WriteQueue
  readonly pending: PendingDuplicates<Batch>
  readonly quarantine: Quarantine
  readonly total: { accepted: number; duplicates: number; held: number }
  /** newest time accepted by device number; NaN: not read from the store yet */
  newest: Float64Array
  readonly counts: DayCounts
  isStopped: boolean
}

/** One submission while its rows are sorted into new ones, duplicates and refused ones. */
type Submission = {
  readings: ReadingColumns
  source: Source
  /** whether its rows were held, and acknowledged, before */
  isReleased: boolean
  /** epoch ms at which it came in */
  now: number
  answer: Submitted
  /** what has to be stored before it is acknowledged */
  awaited: Set<Batch>
  /** rows that wait for the store to say whether it has them */
  pending: PendingRows<Batch>
  /** pending readings of other submissions that rows of this one duplicate */
  duplicated: PendingReading<Batch>[]
  /** rows whose time is still to come */
  ahead: number[]
  /** readings to be kept beside the others before all is acknowledged */
  aside: AsideReading[]
}

/** The one way in for readings: the simulator's, the trackers' and those of `POST /api/ingest`. */
export function createIngest(options: IngestOptions): Ingest {
  const { store, clock, capacity = 50_000, batchSize = 2_000, batchMs = 100 } = options
  const pipeline: Pipeline = {
    options,
    capacity,
    queue: createWriteQueue({ telemetry: store.telemetry, clock, batchSize, batchMs }),
    pending: createPendingDuplicates<Batch>(),
    quarantine: createQuarantine(store.log, clock, options.warn),
    total: { accepted: 0, duplicates: 0, held: 0 },
    newest: new Float64Array(1024).fill(Number.NaN),
    counts: createDayCounts(options.mostADay ?? MOST_A_DAY),
    isStopped: false,
  }
  const { queue, quarantine, total } = pipeline
  return {
    submit: (readings, source) => submit(pipeline, readings, source),
    submitWhenRoom: (readings, source) => submitWhenRoom(pipeline, readings, source),
    release: (readings, source) => submitWhenRoom(pipeline, readings, source, true),
    noteStored: (readings) => noteStored(pipeline, readings),
    quarantine: quarantine.add,
    onRefused: quarantine.onRefused,
    isQuiet: () => queue.waiting === 0,
    flush: () => flush(pipeline),
    stats: () => ({ waiting: queue.waiting, ...total, refused: quarantine.counts }),
    async stop() {
      pipeline.isStopped = true
      await flush(pipeline)
      await quarantine.stop()
    },
  }
}

async function submit(
  pipeline: Pipeline,
  readings: ReadingColumns,
  source: Source,
  isReleased = false,
): Promise<Submitted> {
  const { capacity, queue, options, total } = pipeline
  if (readings.length > capacity) throw new RangeError(`at most ${capacity} readings at once`)
  if (pipeline.isStopped || !hasRoom(pipeline, readings.length)) throw new QueueFull(queue.waiting)
  const submission: Submission = {
    readings,
    source,
    isReleased,
    now: options.clock.now(),
    answer: { accepted: 0, duplicates: 0, held: 0, refused: [], dropped: [] },
    awaited: new Set(),
    pending: pipeline.pending.submission(),
    duplicated: [],
    ahead: [],
    aside: [],
  }
  for (let row = 0; row < readings.length; row++) sortRow(pipeline, submission, row)
  await decidePending(pipeline, submission)
  if (submission.ahead.length > 0) await hold(pipeline, submission)
  const { answer, aside } = submission
  if (aside.length > 0) await options.store.aside.add(aside)
  await allStored(submission)
  total.accepted += answer.accepted
  total.held += answer.held
  total.duplicates += answer.duplicates
  return answer
}

async function submitWhenRoom(
  pipeline: Pipeline,
  readings: ReadingColumns,
  source: Source,
  isReleased = false,
): Promise<Submitted> {
  const rows = readings.length
  while (!pipeline.isStopped && rows <= pipeline.capacity && !hasRoom(pipeline, rows))
    await pipeline.queue.room.promise
  return submit(pipeline, readings, source, isReleased)
}

const hasRoom = ({ queue, capacity }: Pipeline, rows: number): boolean => queue.waiting + rows <= capacity

/** Refuses a row, enqueues it, finds what it duplicates, or asks the store about it. */
function sortRow(pipeline: Pipeline, submission: Submission, row: number): void {
  const { queue, options } = pipeline
  const { readings, now, answer, pending, duplicated } = submission
  const no = readings.device[row] as number
  const at = readings.at[row] as number
  if (isRefused(pipeline, submission, row)) return
  if (at > now + MOST_AHEAD) {
    submission.ahead.push(row)
    return
  }
  const isNewest = at > newestOf(pipeline, no)
  if (isNewest) pipeline.newest[no] = at
  // a time ahead of now may be stored already: `newestAt` does not count it
  const mayBeKnown = !isNewest || at > now
  const waiting = mayBeKnown ? batchWith(queue, no, at) : undefined
  const pendingRow = mayBeKnown ? pipeline.pending.find(no, at) : undefined
  const isPending =
    pendingRow !== undefined && isSameReading(readings, row, pendingRow.readings, pendingRow.row)
  if (waiting !== undefined) countSame(pipeline, submission, row, waiting)
  else if (isPending) {
    answer.duplicates++
    duplicated.push(pendingRow)
  } else if (mayBeKnown) pending.add(row, readings, options.store.telemetry.has(no, at))
  else if (pending.holdsBack(no)) pending.add(row, readings, false)
  else accept(pipeline, submission, row)
}

/** A row of the device and instant of one that waits to be stored: the same again, or another one, which is kept aside. */
function countSame(pipeline: Pipeline, submission: Submission, row: number, batch: Batch): void {
  const { readings, now, answer, awaited } = submission
  awaited.add(batch)
  if (isAmong(batch.columns, readings, row)) answer.duplicates++
  else {
    answer.accepted++
    keepAside(pipeline, submission, { kind: 'other', receivedAt: now, reading: readingAt(readings, row) })
  }
}

function keepAside({ counts }: Pipeline, { aside, now }: Submission, one: AsideReading): void {
  aside.push(one)
  countReading(counts, one.reading.device, now)
}

/** Whether there is a row that is the same in device, instant and all it measured. */
function isAmong(columns: ReadingColumns, readings: ReadingColumns, row: number): boolean {
  const [no, at] = [readings.device[row], readings.at[row]]
  const isSame = (i: number): boolean =>
    columns.device[i] === no && columns.at[i] === at && isSameReading(readings, row, columns, i)
  for (let i = 0; i < columns.length; i++) if (isSame(i)) return true
  return false
}

/** Keeps rows whose time is still to come, so many of a device; more are refused. */
async function hold(pipeline: Pipeline, submission: Submission): Promise<void> {
  const { options, quarantine } = pipeline
  const { readings, source, now, answer, ahead } = submission
  const known = await options.store.aside.heldOf([
    ...new Set(ahead.map((row) => readings.device[row] as number)),
  ])
  for (const row of ahead) {
    const no = readings.device[row] as number
    const held = known.get(no) ?? 0
    if (held < MOST_HELD) {
      known.set(no, held + 1)
      keepAside(pipeline, submission, { kind: 'held', receivedAt: now, reading: readingAt(readings, row) })
      answer.held++
    } else {
      const reason = `more than ${MOST_HELD.toLocaleString('en')} readings ahead of their time`
      const { imei = null, companyId = null } = options.device(no) ?? {}
      answer.refused.push({ index: row, reason })
      quarantine.add({ imei, companyId, source, reason, detail: `device ${no} at ${readings.at[row]}` })
    }
  }
}

function isRefused({ options, quarantine, counts }: Pipeline, submission: Submission, row: number): boolean {
  const { readings, source, now, answer, isReleased } = submission
  const no = readings.device[row] as number
  const device = options.device(no)
  const dropped = dropImpossible(readings, row)
  const isTooMany = !isReleased && isFull(counts, no, now)
  const reason =
    deviceRefusal(device) ?? rowRefusal(readings, row, now) ?? (isTooMany ? TOO_MANY_TODAY : undefined)
  const { imei = null, companyId = null } = device ?? {}
  for (const field of dropped) {
    const because = droppedBecause(field)
    answer.dropped.push({ index: row, reason: because })
    const detail = `device ${no} at ${readings.at[row]}, the rest of it is kept`
    quarantine.add({ imei, companyId, source, reason: because, detail })
  }
  if (reason === undefined) return false
  answer.refused.push({ index: row, reason })
  quarantine.add({ imei, companyId, source, reason, detail: `device ${no} at ${readings.at[row]}` })
  return true
}

function deviceRefusal(device: { retired?: number | null } | undefined): string | undefined {
  if (device === undefined) return 'unknown device'
  return device.retired == null ? undefined : 'device is retired'
}

/** Another row of the same instant may have been accepted since the store was asked. */
function acceptNew(pipeline: Pipeline, submission: Submission, row: number): Batch {
  const { readings } = submission
  const waiting = batchWith(pipeline.queue, readings.device[row] as number, readings.at[row] as number)
  if (waiting === undefined) return accept(pipeline, submission, row)
  countSame(pipeline, submission, row, waiting)
  return waiting
}

function accept({ queue, counts }: Pipeline, submission: Submission, row: number): Batch {
  const { readings, answer, awaited, now } = submission
  const batch = enqueue(queue, readings, row)
  countReading(counts, readings.device[row] as number, now)
  answer.accepted++
  awaited.add(batch)
  return batch
}

/**
 * Accepts those pending rows that the store does not have. The others are duplicates, or measured otherwise at the same instant:
 * then the one received nearer to its time counts, and the other one is kept aside.
 */
async function decidePending(pipeline: Pipeline, submission: Submission): Promise<void> {
  const { pending, answer, readings, now } = submission
  const { telemetry } = pipeline.options.store
  const rows = pending.size()
  if (rows === 0) return
  reserve(pipeline.queue, rows)
  const acceptStored = (row: number, stored: StoredRow | undefined): Batch | undefined => {
    if (stored === undefined || isSameReading(readings, row, stored.columns, stored.row)) {
      answer.duplicates++
      return undefined
    }
    const decided = decideSame(readings, row, now, stored)
    keepAside(pipeline, submission, decided.aside)
    if (decided.isNew) return accept(pipeline, submission, row)
    answer.accepted++
    return undefined
  }
  await pending
    .decide({
      look: (known) => storedOf(telemetry, readings, known),
      accept: (row) => acceptNew(pipeline, submission, row),
      acceptStored,
    })
    .finally(() => makeRoom(pipeline.queue, rows))
}

/** Resolves when everything of a submission is stored, and all that it duplicates. */
async function allStored({ awaited, duplicated }: Submission): Promise<void> {
  for (const reading of duplicated) {
    await reading.decided
    if (reading.batch !== undefined) awaited.add(reading.batch)
  }
  await Promise.all([...awaited].map(({ stored }) => stored.promise))
}

function noteStored(pipeline: Pipeline, { device, at, length }: ReadingColumns): void {
  for (let row = 0; row < length; row++) {
    const no = device[row] as number
    if ((at[row] as number) > newestOf(pipeline, no)) pipeline.newest[no] = at[row] as number
  }
}

function newestOf(pipeline: Pipeline, no: number): number {
  if (no >= pipeline.newest.length) {
    const larger = new Float64Array(Math.max(no + 1, pipeline.newest.length * 2)).fill(Number.NaN)
    larger.set(pipeline.newest)
    pipeline.newest = larger
  }
  if (Number.isNaN(pipeline.newest[no])) pipeline.newest[no] = pipeline.options.newestAt(no)
  return pipeline.newest[no] as number
}

async function flush({ pending, queue }: Pipeline): Promise<void> {
  await pending.settled()
  await flushQueue(queue)
}
