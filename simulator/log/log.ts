import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'

/** `'any'`: no check. `0`: the stream must not exist yet. `n`: the stream must hold exactly n facts. */
export type ExpectedVersion = 'any' | number

export type AppendOptions = {
  expectedVersion?: ExpectedVersion
  /** the same key again appends nothing and answers what the first call answered */
  idempotencyKey?: string
}

export type Appended = { facts: Fact[]; version: number; repeated: boolean }

/** One entry of the record, in `seq` order: facts and telemetry batches share the sequence. */
export type LogRecord =
  | { seq: number; kind: 'fact'; fact: Fact }
  | { seq: number; kind: 'readings'; recordedAt: number; readings: ReadingColumns }

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
 * The record. Appends are durable when their promise resolves (group commit); what is appended is never changed.
 * Streams are named `subject-id` (`group-g1`, `user-u7`, `device-356307042441013`).
 */
export type EventLog = {
  /** @throws VersionConflict, ContractError for a fact that is none */
  append(stream: string, facts: NewFact[], options?: AppendOptions): Promise<Appended>
  /** facts of one stream, oldest first */
  readStream(stream: string): Fact[]
  /** facts after `seq`, oldest first, at most `limit` (1,000); only of these types where given */
  readFacts(after: number, options?: { limit?: number; types?: FactType[] }): Fact[]
  /** facts and telemetry batches after `seq`, in order, at most `limit` records */
  read(after: number, limit: number): LogRecord[]
  /** the last `seq` given; 0 for an empty log */
  head(): number
  /** called (microtask, coalesced) after each commit; answers how to stop */
  onCommit(listener: (head: number) => void): () => void
}

/** Minutes beyond each limit, extremes and counts of one device and day (UTC day, index = days since 1970). */
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
  /** one batch, one commit; resolves when durable. `recordedAt`: epoch ms */
  append(readings: ReadingColumns, recordedAt: number): Promise<{ seq: number }>
  /** readings of one device with from ≤ at < to, ascending by `at`, each once */
  history(device: number, from: number, to: number): Promise<ReadingColumns>
  /** whether this device already has a reading with exactly this `at` */
  has(device: number, at: number): boolean
  daySummaries(devices: Uint32Array, fromDay: number, toDay: number): Promise<DaySummary[]>
  /** compacts what is old enough, drops days out of retention; bounded work, call again while it answers true */
  maintain(now: number): Promise<boolean>
}

/** Snapshots of read models, so that a start need not replay everything. */
export type CheckpointStore = {
  save(name: string, seq: number, bytes: Uint8Array): void
  load(name: string): { seq: number; bytes: Uint8Array } | undefined
}

/** What a storage adapter gives: one open store. */
export type Store = { log: EventLog; telemetry: TelemetryStore; checkpoints: CheckpointStore; close(): Promise<void> }

/**
 * Readings of before the log began, e.g. of the device world: a pure function of device and time.
 * The telemetry store asks it for whole UTC days it does not hold yet and keeps the answer.
 */
export type HistorySource = {
  /** spans [from, to) it can answer for, epoch ms; undefined for a device it does not know */
  span(device: number): { from: number; to: number } | undefined
  readings(device: number, from: number, to: number): ReadingColumns
}
