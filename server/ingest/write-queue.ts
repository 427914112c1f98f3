import type { Clock } from '#machines/contracts/clock.ts'
import { copyReading, createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Store } from '../store/store.ts'
import { RowSet } from './row-set.ts'

/** Readings that are written together. `stored` rejects as the store does. */
export type Batch = { columns: ReadingColumns; rows: RowSet; stored: PromiseWithResolvers<void> }

/** Readings on their way to the store: one batch is open and takes more, those before it are written one after the other. */
export type WriteQueue = {
  readonly telemetry: Pick<Store['telemetry'], 'append'>
  readonly clock: Clock
  /** a batch is written when it holds so many readings or is so old (ms) */
  readonly batchSize: number
  readonly batchMs: number
  /** not yet written, oldest first; the last one may still be open */
  batches: Batch[]
  open: Batch | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  writing: Promise<void> | undefined
  /** readings not yet stored, with those that room is reserved for */
  waiting: number
  /** resolves when there is more room than before */
  room: PromiseWithResolvers<void>
  /** ms the store takes for a batch, a moving average; undefined: none was written yet */
  writeMs: number | undefined
}

/**
 * The next batch waits so many times as long as the store takes to write one, at least so many ms: then the store writes for a
 * tenth of the time at most, and no sender waits longer than that needs.
 */
const WRITES_WAITED = 10
const LEAST_WAIT_MS = 10
/** The average is mostly of so many batches. */
const BATCHES_WEIGHED = 8
/** A batch counts for at most so many times the average: a single stall must not slow those after it. */
const MOST_WEIGHT = 2

/** Empty, with no timer set. */
export const createWriteQueue = (
  options: Pick<WriteQueue, 'telemetry' | 'clock' | 'batchSize' | 'batchMs'>,
): WriteQueue => ({
  ...options,
  batches: [],
  open: undefined,
  timer: undefined,
  writing: undefined,
  waiting: 0,
  room: Promise.withResolvers(),
  writeMs: undefined,
})

/** Puts a reading into the open batch. */
export function enqueue(queue: WriteQueue, readings: ReadingColumns, row: number): Batch {
  const batch = openBatch(queue)
  copyReading(batch.columns, readings, row)
  batch.rows.add(batch.columns.length - 1)
  queue.waiting++
  if (batch.columns.length === queue.batchSize) seal(queue)
  return batch
}

/** The batch in which this reading waits to be stored. */
export const batchWith = ({ batches }: WriteQueue, device: number, at: number): Batch | undefined =>
  batches.find(({ rows }) => rows.has(device, at))

/** Keeps room for rows that may be enqueued later. */
export function reserve(queue: WriteQueue, rows: number): void {
  queue.waiting += rows
}

/** The rows are stored, or need no room any more. */
export function makeRoom(queue: WriteQueue, rows: number): void {
  queue.waiting -= rows
  queue.room.resolve()
  queue.room = Promise.withResolvers()
}

/** Writes what waits now, without delay. */
export async function flushQueue(queue: WriteQueue): Promise<void> {
  if (queue.open !== undefined) seal(queue)
  await queue.writing
}

function openBatch(queue: WriteQueue): Batch {
  if (queue.open !== undefined) return queue.open
  const columns = createReadings(queue.batchSize)
  const batch = { columns, rows: new RowSet(columns), stored: Promise.withResolvers<void>() }
  // whoever waits for it may wait for other rows first
  batch.stored.promise.catch(() => {})
  queue.open = batch
  queue.batches.push(batch)
  queue.timer = setTimeout(() => seal(queue), waitOf(queue))
  return batch
}

/** Ms until the open batch is written though it is not full. */
function waitOf({ writeMs, batchMs }: WriteQueue): number {
  const wait = writeMs === undefined ? batchMs : Math.max(LEAST_WAIT_MS, writeMs * WRITES_WAITED)
  return Math.min(batchMs, wait)
}

function seal(queue: WriteQueue): void {
  clearTimeout(queue.timer)
  queue.open = undefined
  queue.writing ??= writeAll(queue)
}

async function writeAll(queue: WriteQueue): Promise<void> {
  const { batches } = queue
  for (let batch = batches[0]; batch !== undefined && batch !== queue.open; batch = batches[0]) {
    const began = performance.now()
    try {
      await queue.telemetry.append(batch.columns, queue.clock.now())
      queue.writeMs = averaged(queue.writeMs, performance.now() - began)
      batch.stored.resolve()
    } catch (error) {
      batch.stored.reject(error)
    }
    batches.shift()
    makeRoom(queue, batch.columns.length)
  }
  queue.writing = undefined
}

/** The moving average after a write of `ms`. */
function averaged(average: number | undefined, ms: number): number {
  const before = average ?? ms
  // below the shortest wait the average makes no difference: it may rise from there at once
  const most = Math.max(before, LEAST_WAIT_MS / WRITES_WAITED) * MOST_WEIGHT
  return before + (Math.min(ms, most) - before) / BATCHES_WEIGHED
}
