import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { AnswerStore } from './answers.ts'
import type { AsideStore } from './aside.ts'
import type { DamageRegister } from './damage.ts'
import type { StoredRow } from './fact-rows.ts'
import type { FrameStore } from './frames.ts'
import type { PackedReadings } from './packed-readings.ts'
import type { SealStore } from './seals/seal-store.ts'

/** `'any'`: no check. `0`: the stream must not exist yet. `n`: the stream must hold exactly n facts. */
export type ExpectedVersion = 'any' | number

export type AppendOptions = {
  expectedVersion?: ExpectedVersion
  /** the same key again appends nothing and answers what the first call answered */
  idempotencyKey?: string
}

export type Appended = { facts: Fact[]; version: number; repeated: boolean }

/** One entry of the record, in `seq` order: facts and telemetry batches share the sequence. */
export type LogRecord = { seq: number; kind: 'fact'; fact: Fact } | BatchRecord

/** A batch of readings. `recordedAt`: when it was received, epoch ms */
export type BatchRecord = { seq: number; kind: 'readings'; recordedAt: number; readings: ReadingColumns }

/** Somebody else wrote to the stream first. */
export class VersionConflict extends Error {
  readonly stream: string
  readonly expected: number
  readonly actual: number
  constructor(stream: string, expected: number, actual: number) {
    super(`${stream}: expected version ${expected}, it is at ${actual}`)
    this.name = 'VersionConflict'
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/**
 * The store can't write now (disk full, I/O error). Nothing of the append is stored; later appends may succeed. Of a database it may be
 * stored where this node could not have it within some seconds: the same append under the same key is answered then.
 */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the store can't write now: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'StoreUnavailable'
  }
}

/** For a `catch`: a store that cannot write now is passed over, as others tell of it; all else goes to `report`. */
export const unlessUnavailable =
  (report: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!(error instanceof StoreUnavailable)) report(error)
  }

/**
 * The record. Appends are durable when their promise resolves (group commit); what is appended is never changed.
 * Streams are named `subject-id` (`group-g1`, `user-u7`, `device-356307042441013`).
 */
export type EventLog = {
  /**
   * Facts of one call get contiguous numbers.
   * Rejects with VersionConflict, ContractError for a fact that is none, StoreUnavailable.
   */
  append(stream: string, facts: NewFact[], options?: AppendOptions): Promise<Appended>
  /**
   * What was appended under this key on any node, as a repeated append would answer it; undefined: nothing was. Rejects with
   * StoreUnavailable.
   */
  appended(idempotencyKey: string): Promise<Appended | undefined>
  /** facts of one stream, oldest first */
  readStream(stream: string): Fact[]
  /** how many facts of one stream there are up to `head()`: what an append would expect who decided on all of them */
  version(stream: string): number
  /** facts after `seq`, oldest first, at most `limit` (1,000); only of these types where given */
  readFacts(after: number, options?: { limit?: number; types?: FactType[] }): Fact[]
  /** facts after `seq` as they were written, of whatever version, oldest first, at most `limit` (1,000): to look at, not to use */
  readStored(after: number, limit?: number): StoredRow[]
  /**
   * Facts and telemetry batches after `seq`, in order, at most `limit` records. Batches that are compacted are left
   * out once every checkpoint is past them; `telemetry.batchesFrom()` says from where on none is missing.
   */
  read(after: number, limit: number): LogRecord[]
  /** the last `seq` given; 0 for an empty log */
  head(): number
  /**
   * Resolves with a position up to which all there is can be read here, when that is at least what was appended anywhere before
   * the call. Rejects with StoreUnavailable where those who append elsewhere cannot be asked.
   */
  caughtUp(): Promise<number>
  /** called (microtask, coalesced) after each commit; answers how to stop */
  onCommit(listener: (head: number) => void): () => void
}

/**
 * Counts, extremes and means of one device and day (UTC day, index = days since 1970), °C and %.
 * NaN where nothing was measured.
 */
export type DaySummary = {
  device: number
  day: number
  count: number
  minTemperature: number
  maxTemperature: number
  meanTemperature: number
  minHumidity: number
  maxHumidity: number
  meanHumidity: number
}

/** Bulk readings: appended as batches, compacted into one columnar chunk a device and span, summed up a device and day. */
export type TelemetryStore = {
  /**
   * One batch, durable when it resolves. `recordedAt`: epoch ms. The columns may be reused once the call returned.
   * Of several readings of one device and `at` the one whose `recordedAt` is nearest to it is answered, of several as near (up
   * to two minutes after it are one) the first; the others are kept in the record only.
   * Rejects with StoreUnavailable; with RangeError for a device number or time the store can't hold.
   */
  append(readings: ReadingColumns, recordedAt: number): Promise<{ seq: number }>
  /** readings of one device with from ≤ at < to, ascending by `at`, each once */
  history(device: number, from: number, to: number): Promise<ReadingColumns>
  /**
   * What `history` would answer, as it is stored: to be unpacked on another thread (packed-readings.ts). Without readings
   * that came in after `upTo` and are not compacted: see `hold`.
   */
  packed(device: number, from: number, to: number, upTo: number): Promise<PackedReadings>
  /**
   * Compacts nothing that came in after `upTo`, while there is room in memory, so that it can be known from what came
   * before; undefined: whatever there is.
   */
  hold(upTo: number | undefined): void
  /** whether this device already has a stored reading with exactly this `at`; all stored before it is asked counts */
  has(device: number, at: number): Promise<boolean>
  /** of days with fromDay ≤ day < toDay; days without readings are left out; ordered by device as asked, then day */
  daySummaries(devices: Uint32Array, fromDay: number, toDay: number): Promise<DaySummary[]>
  /** compacts what is old enough, drops days out of retention; some 10 ms of work, call again while it answers true. Rejects with StoreUnavailable: try again later */
  maintain(now: number): Promise<boolean>
  /** UTC days that something is compacted or put of, ascending */
  storedDays(): Promise<number[]>
  /**
   * Drops what is compacted or put of these devices on one UTC day; a day that was put stays as an empty one, and so is not
   * missing. Batches that are not compacted yet stay. Rejects with StoreUnavailable: try again later.
   */
  dropReadings(devices: readonly number[], day: number): Promise<void>
  /** bytes of what is compacted or put of these devices; without batches that are not compacted yet, and without summaries */
  storedBytes(devices: readonly number[]): Promise<number>
  /** readings in this node's memory that are not compacted yet, or are just being */
  uncompacted(): number
  /** `log.read(after, …)` holds every batch there is for each `after` from this number on */
  batchesFrom(): number
  /** those of these device days of which `putDays` has stored nothing; none that are out of retention, see `putDays` */
  missingDays(days: readonly DeviceDay[]): Promise<DeviceDay[]>
  /**
   * Stores readings of whole device days that came in no batch, an empty day too, with their summaries: all of them or
   * none. A day that was put before stays as it is. A reading that is put counts before one of a batch with the same `at`.
   * Where several nodes share the record, a node answers `has` and `daySummaries` of days that another one put after it
   * asked `missingDays` for them.
   * Rejects with StoreUnavailable; with RangeError for readings of another device or day.
   */
  putDays(days: readonly DayReadings[]): Promise<void>
}

/** A device number and a UTC day, counted from 1970 on. */
export type DeviceDay = [device: number, day: number]

/** Readings of one device and UTC day, in any order; of two with one `at` the first counts. */
export type DayReadings = { device: number; day: number; readings: ReadingColumns }

/**
 * Snapshots of read models, so that a start need not replay everything. Telemetry batches are kept until the least
 * advanced checkpoint is past them (at most two hours), so every follower that needs batches should save one.
 */
export type CheckpointStore = {
  /**
   * Whether it is saved. Where the store cannot write now it is not, and the one before is as good: a start replays more.
   * @param make called once, at once: what it throws (what is saved is too large, say) is thrown
   */
  save(name: string, seq: number, make: () => Uint8Array): boolean
  /** undefined: none was saved, or what is there is not what was saved */
  load(name: string): { seq: number; bytes: Uint8Array } | undefined
  /**
   * Resolves when `load` answers what another node saved while it led: before this one leads. Rejects with StoreUnavailable
   * where the others' cannot be asked for.
   */
  caughtUp(): Promise<void>
}

/** What a storage adapter gives: one open store. */
export type Store = {
  log: EventLog
  telemetry: TelemetryStore
  checkpoints: CheckpointStore
  aside: AsideStore
  frames: FrameStore
  answers: AnswerStore
  seals: SealStore
  /** what of the record is known not to be what was written */
  damage: DamageRegister
  /**
   * Reads on through the whole record for about `ms` ms, from where it stopped, also before a restart. Notes what is damaged and
   * gives rows of older releases their checksum. Resolves with whether the end is reached; the next call begins anew.
   * Rejects with StoreUnavailable.
   */
  check(ms: number): Promise<boolean>
  /**
   * Copies the whole store into a folder while it is written to; all that was acknowledged before the call is in it, and a
   * store opens there. Undefined where the record is in a database, which has ways of its own. Rejects where the disk says
   * no, or the store is closed.
   */
  copyTo?(folder: string): Promise<void>
  close(): Promise<void>
}
