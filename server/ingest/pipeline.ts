import type { Clock } from '#machines/contracts/clock.ts'
import { copyReading, createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Store } from '../store/store.ts'
import { createPendingDuplicates, type Fate } from './pending-duplicates.ts'
import { rowRefusal } from './plausible.ts'
import { createQuarantine, type Source, type Suspect } from './quarantine.ts'
import { RowSet } from './row-set.ts'

export type Submitted = {
  accepted: number
  /** known already, by device and device time */
  duplicates: number
  /** `index`: row of what was submitted */
  refused: { index: number; reason: string }[]
}

export type IngestOptions = {
  store: Pick<Store, 'log' | 'telemetry'>
  clock: Clock
  /** who a device number is; undefined for one that is not registered */
  device: (no: number) => { imei: string; companyId: string } | undefined
  /** newest past time stored of a device (0: none), asked once for each: what is newer needs no look into the store */
  newestAt: (no: number) => number
  /** readings that may wait for the store (50,000) */
  capacity?: number
  /** a batch is written when it holds so many (2,000) or is so old (100 ms), sooner where the store is quick */
  batchSize?: number
  batchMs?: number
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
   * Resolves when all that was accepted, and what it duplicates, is stored. Rows that are refused, or fail with the store,
   * never hold up others.
   * Rejects with QueueFull, RangeError for more rows than the queue holds, StoreUnavailable.
   */
  submit(readings: ReadingColumns, source: Source): Promise<Submitted>
  /** the same, waiting for room instead of rejecting with QueueFull */
  submitWhenRoom(readings: ReadingColumns, source: Source): Promise<Submitted>
  /** takes note of what is stored, whichever node took it: the same readings may be sent to this one too */
  hear(readings: ReadingColumns): void
  /** counts and records what was refused before it became a reading */
  quarantine(suspect: Suspect): void
  /** whether nothing waits and nothing is being written */
  isQuiet(): boolean
  /** writes what waits now, without delay */
  flush(): Promise<void>
  stats(): { waiting: number; accepted: number; duplicates: number; refused: ReadonlyMap<string, number> }
  /** writes what waits, and takes nothing more */
  stop(): Promise<void>
}

type Batch = { columns: ReadingColumns; rows: RowSet; stored: PromiseWithResolvers<void> }

/**
 * How many times as long as the store takes to write a batch the next one waits for company, at least so many ms: the store
 * writes for a tenth of the time at most, and whoever waits for an acknowledgement waits no longer than that asks for.
 */
const WRITES_WAITED = 10
const LEAST_WAIT_MS = 10
/** Batches whose times count for most of the average, ... */
const BATCHES_WEIGHED = 8
/** ... each for no more than so many times of it: one for which the disk or the house stopped makes nobody after it wait. */
const MOST_WEIGHT = 2

/** The one way in for readings: the world's, the trackers' and those of `POST /api/ingest`. */
export function createIngest(options: IngestOptions): Ingest {
  const { store, clock, device, capacity = 50_000, batchSize = 2_000, batchMs = 100 } = options
  const quarantine = createQuarantine(store.log, clock)
  /** not yet written, oldest first; the last one may still be open */
  const batches: Batch[] = []
  const doubtful = createPendingDuplicates<Batch>()
  let open: Batch | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined
  let waiting = 0
  let isStopped = false
  /** ms the store takes for a batch, a moving average; undefined: none was written yet */
  let took: number | undefined
  let room = Promise.withResolvers<void>()
  const total = { accepted: 0, duplicates: 0 }
  /** newest time accepted by device number; NaN: the store was not asked yet */
  let newest = new Float64Array(1024).fill(Number.NaN)

  const seal = (): void => {
    clearTimeout(timer)
    open = undefined
    writing ??= write()
  }
  async function write(): Promise<void> {
    for (let batch = batches[0]; batch !== undefined && batch !== open; batch = batches[0]) {
      const began = performance.now()
      try {
        await store.telemetry.append(batch.columns, clock.now())
        const ms = performance.now() - began
        // what is quicker than matters does not hold the average down
        const before = took ?? ms
        const most = Math.max(before, LEAST_WAIT_MS / WRITES_WAITED) * MOST_WEIGHT
        took = before + (Math.min(ms, most) - before) / BATCHES_WEIGHED
        batch.stored.resolve()
      } catch (error) {
        batch.stored.reject(error)
      }
      batches.shift()
      makeRoom(batch.columns.length)
    }
    writing = undefined
  }
  const makeRoom = (rows: number): void => {
    waiting -= rows
    room.resolve()
    room = Promise.withResolvers()
  }
  const openBatch = (): Batch => {
    if (open !== undefined) return open
    const columns = createReadings(batchSize)
    open = { columns, rows: new RowSet(columns), stored: Promise.withResolvers() }
    // whoever waits for it may have other rows to ask about first
    open.stored.promise.catch(() => {})
    batches.push(open)
    const wait = took === undefined ? batchMs : Math.max(LEAST_WAIT_MS, took * WRITES_WAITED)
    timer = setTimeout(seal, Math.min(batchMs, wait))
    return open
  }
  const newestOf = (no: number): number => {
    if (no >= newest.length) {
      const larger = new Float64Array(Math.max(no + 1, newest.length * 2)).fill(Number.NaN)
      larger.set(newest)
      newest = larger
    }
    if (Number.isNaN(newest[no])) newest[no] = options.newestAt(no)
    return newest[no] as number
  }
  const accept = (readings: ReadingColumns, row: number): Batch => {
    const batch = openBatch()
    copyReading(batch.columns, readings, row)
    batch.rows.add(batch.columns.length - 1)
    waiting++
    if (batch.columns.length === batchSize) seal()
    return batch
  }

  async function submit(readings: ReadingColumns, source: Source): Promise<Submitted> {
    if (readings.length > capacity) throw new RangeError(`at most ${capacity} readings at once`)
    if (isStopped || waiting + readings.length > capacity) throw new QueueFull(waiting)
    const now = clock.now()
    const refused: Submitted['refused'] = []
    const awaited = new Set<Batch>()
    const twins: Fate<Batch>[] = []
    const asked = doubtful.submission()
    let accepted = 0
    let duplicates = 0
    const take = (row: number): Batch => {
      accepted++
      const batch = accept(readings, row)
      awaited.add(batch)
      return batch
    }
    for (let row = 0; row < readings.length; row++) {
      const no = readings.device[row] as number
      const at = readings.at[row] as number
      const who = device(no)
      const reason = who === undefined ? 'unknown device' : rowRefusal(readings, row, now)
      if (reason !== undefined) {
        refused.push({ index: row, reason })
        const detail = `device ${no} at ${at}`
        quarantine.add({ imei: who?.imei ?? null, companyId: who?.companyId ?? null, source, reason, detail })
        continue
      }
      const isNewest = at > newestOf(no)
      if (isNewest) newest[no] = at
      // what lies ahead may have come before: nobody who shows readings takes that time for the device's newest
      const mayBeKnown = !isNewest || at > now
      const waitingTwin = mayBeKnown ? batches.find((batch) => batch.rows.has(no, at)) : undefined
      const twin = mayBeKnown ? doubtful.find(no, at) : undefined
      if (waitingTwin !== undefined) awaited.add(waitingTwin)
      else if (twin !== undefined) twins.push(twin)
      else if (mayBeKnown) asked.add(row, no, at, store.telemetry.has(no, at))
      else if (asked.holdsBack(no)) asked.add(row, no, at, false)
      else take(row)
      if (waitingTwin !== undefined || twin !== undefined) duplicates++
    }
    if (asked.size() > 0) {
      waiting += asked.size()
      const takenBefore = accepted
      await asked.decide(take).finally(() => makeRoom(asked.size()))
      duplicates += asked.size() - (accepted - takenBefore)
    }
    for (const twin of twins) {
      await twin.decided
      if (twin.batch !== undefined) awaited.add(twin.batch)
    }
    await Promise.all([...awaited].map((batch) => batch.stored.promise))
    total.accepted += accepted
    total.duplicates += duplicates
    return { accepted, duplicates, refused }
  }

  const flush = async (): Promise<void> => {
    await doubtful.settled()
    if (open !== undefined) seal()
    await writing
  }
  return {
    submit,
    async submitWhenRoom(readings, source) {
      while (!isStopped && readings.length <= capacity && waiting + readings.length > capacity)
        await room.promise
      return submit(readings, source)
    },
    hear({ device, at, length }) {
      for (let row = 0; row < length; row++) {
        const no = device[row] as number
        if ((at[row] as number) > newestOf(no)) newest[no] = at[row] as number
      }
    },
    quarantine: quarantine.add,
    isQuiet: () => waiting === 0,
    flush,
    stats: () => ({ waiting, ...total, refused: quarantine.counts }),
    async stop() {
      isStopped = true
      await flush()
      await quarantine.stop()
    },
  }
}
