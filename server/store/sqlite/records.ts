import type { DatabaseSync } from 'node:sqlite'
import { createReadings, decodeReadings } from '#machines/contracts/readings.ts'
import { createDamageRegister, type DamageRegister } from '../damage.ts'
import type { FactRow } from '../fact-rows.ts'
import { createSeenNumbers } from '../seen-numbers.ts'
import type { EventLog, LogRecord } from '../store.ts'
import type { FactFormat } from '../upcast.ts'
import { type BatchRow, createBatchTable } from './batch-table.ts'
import { createFactTable } from './fact-table.ts'

const NO_READINGS = createReadings(0)

/** The tables of facts and batches: what is read of them, and rows put into them in the caller's transaction. */
export type Records = Pick<EventLog, 'read' | 'readFacts' | 'readStored' | 'readStream' | 'version'> & {
  putFact(row: FactRow): void
  putBatch(row: BatchRow): void
  /** notes that this entry was written just now, so that reading it need not hold it against its checksum */
  noteWritten(seq: number): void
  /** batches after `seq`, in order, at most `limit`; a damaged one is left out */
  batchesAfter(seq: number, limit: number): BatchRow[]
  /** the same of the first so many; `isWhole`: none of them is damaged */
  batchPage(seq: number, limit: number): { rows: BatchRow[]; isWhole: boolean }
}

/**
 * What is damaged is noted in `damage`. A fact that is not what was written and can still be read is answered all the same:
 * others build on it. One that cannot be read is left out, and of `read` stands an empty batch in its place.
 */
export function createRecords(
  db: DatabaseSync,
  format: FactFormat,
  damage: DamageRegister = createDamageRegister(),
): Records {
  const headOf = db.prepare(
    'SELECT max(ifnull((SELECT max(seq) FROM facts), 0), ifnull((SELECT max(seq) FROM batches), 0)) AS head',
  )
  const head = () => (headOf.get() as { head: number }).head
  const sound = createSeenNumbers()
  const { rowsAfter: factsAfter, readable, ...facts } = createFactTable(db, format, { damage, sound, head })
  const { rowsAfter: batchesAfter, ...batches } = createBatchTable(db, { damage, sound, head })
  return {
    ...facts,
    ...batches,
    noteWritten: sound.add,
    readStored: (seq, limit = 1000) => factsAfter(seq, limit).rows,
    read(seq, limit) {
      const { rows, holes, through } = factsAfter(seq, limit)
      const found: LogRecord[] = holes.map(({ last }) => nothingAt(last))
      for (const row of rows) {
        const fact = readable(row)
        found.push(fact === undefined ? nothingAt(row.seq) : { seq: row.seq, kind: 'fact', fact })
      }
      // numbers have no gap: before the last of as many facts as are wanted so many batches may be, and no more are read
      const isFull = rows.length === limit && holes.length === 0 && through === undefined
      const room = isFull ? (rows.at(-1)?.seq ?? seq) - seq - limit : limit
      const { rows: rowsOfBatches, left, through: batchesThrough } = batchesAfter(seq, Math.min(limit, room))
      for (const { seq, recorded_at: recordedAt, bytes } of rowsOfBatches)
        found.push({ seq, kind: 'readings', recordedAt, readings: decodeReadings(bytes) })
      const taken = new Set(found.map(({ seq }) => seq))
      for (const seq of left) if (!taken.has(seq)) found.push(nothingAt(seq))
      if (rowsOfBatches.length === 0 && left.length === 0 && holes.length === 0 && through === undefined)
        return found
      const whole = Math.min(through ?? Number.POSITIVE_INFINITY, batchesThrough ?? Number.POSITIVE_INFINITY)
      if (Number.isFinite(whole) && !found.some(({ seq }) => seq === whole)) found.push(nothingAt(whole))
      return found
        .filter(({ seq }) => seq <= whole)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit)
    },
  }
}

/** In place of what cannot be read: whoever follows goes on behind it. */
const nothingAt = (seq: number): LogRecord => ({
  seq,
  kind: 'readings',
  recordedAt: 0,
  readings: NO_READINGS,
})
