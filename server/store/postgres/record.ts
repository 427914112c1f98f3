import type { DamageRegister } from '../damage.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import type { Database } from './database.ts'

/** The record as whoever keeps readings builds on it: batches go in at one end and come out at the other, on every node. */
export type Record = {
  database: Database
  damage: DamageRegister
  /** of the record that this node has: another begins when it is emptied */
  epoch: number
  /** one batch, encoded; resolves when it is committed and this node has it. Rejects with StoreUnavailable */
  appendBatch(bytes: Uint8Array, recordedAt: number): Promise<{ seq: number }>
  /** batches after `seq` that this node has, in order, at most `limit`; `isWhole`: none of them is damaged here */
  batchPage(seq: number, limit: number): { rows: BatchRow[]; isWhole: boolean }
  /**
   * Hears of each batch that this node gets, whoever appended it: in order, each once, before its append resolves and before
   * `log.onCommit` tells of it. Answers how to stop.
   */
  onBatch(listener: (batch: BatchRow) => void): () => void
  /** the last number this node has */
  head(): number
  /** this node holds all batches there are after this number */
  batchesFrom(): number
  /**
   * Resolves when this node has all there was at the call, and no longer holds batches that were deleted by then: after
   * `batches_deleted.through` was raised in the database.
   */
  caughtUp(): Promise<number>
  /** resolves when the checkpoints saved before the call are in the database, where this node leads */
  checkpointsShared(): Promise<void>
  isClosed(): boolean
}
