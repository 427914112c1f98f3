import type { DatabaseSync } from 'node:sqlite'
import type { Fact } from '#machines/contracts/facts.ts'
import { decodeReadings } from '#machines/contracts/readings.ts'
import { type FactRow, factOf, type StoredRow } from '../fact-rows.ts'
import type { EventLog, LogRecord } from '../store.ts'
import type { FactFormat } from '../upcast.ts'

/** A telemetry batch as it lies in the table. */
export type BatchRow = { seq: number; recorded_at: number; bytes: Uint8Array }

const FACT_COLUMNS = 'seq, type, v, at, recorded_at, company, by_user, data'

/** The tables of facts and batches: what is read of them, and rows put into them in the caller's transaction. */
export type Records = Pick<EventLog, 'read' | 'readFacts' | 'readStored' | 'readStream' | 'version'> & {
  putFact(row: FactRow): void
  putBatch(row: BatchRow): void
  /** batches after `seq`, in order, at most `limit` */
  batchesAfter(seq: number, limit: number): BatchRow[]
}

export function createRecords(db: DatabaseSync, format: FactFormat): Records {
  const insertFact = db.prepare(
    `INSERT INTO facts (seq, stream, version, type, v, at, recorded_at, company, by_user, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertBatch = db.prepare('INSERT INTO batches (seq, recorded_at, bytes) VALUES (?, ?, ?)')
  const versionOf = db.prepare('SELECT max(version) AS version FROM facts WHERE stream = ?')
  const ofStream = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE stream = ? ORDER BY version`)
  const after = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE seq > ? ORDER BY seq LIMIT ?`)
  const ofTypesAfter = db.prepare(
    `SELECT ${FACT_COLUMNS} FROM facts WHERE type IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const batches = db.prepare('SELECT seq, recorded_at, bytes FROM batches WHERE seq > ? ORDER BY seq LIMIT ?')

  const factsOf = (rows: unknown[]): Fact[] => (rows as FactRow[]).map((row) => factOf(row, format))
  const batchesAfter = (seq: number, limit: number) => batches.all(seq, limit) as BatchRow[]

  return {
    putFact({ seq, stream, version, type, v, at, recorded_at, company, by_user, data }) {
      insertFact.run(seq, stream, version, type, v, at, recorded_at, company, by_user, data)
    },
    putBatch({ seq, recorded_at, bytes }) {
      insertBatch.run(seq, recorded_at, bytes)
    },
    batchesAfter,
    version: (stream) => (versionOf.get(stream) as { version: number | null }).version ?? 0,
    readStream: (stream) => factsOf(ofStream.all(stream)),
    readFacts(afterSeq, { limit = 1000, types } = {}) {
      if (types === undefined) return factsOf(after.all(afterSeq, limit))
      return factsOf(ofTypesAfter.all(JSON.stringify(types), afterSeq, limit))
    },
    readStored: (afterSeq, limit = 1000) => after.all(afterSeq, limit) as StoredRow[],
    read(afterSeq, limit) {
      const facts = factsOf(after.all(afterSeq, limit)).map(
        (fact): LogRecord => ({ seq: fact.seq, kind: 'fact', fact }),
      )
      const found = batchesAfter(afterSeq, limit).map(
        (row): LogRecord => ({
          seq: row.seq,
          kind: 'readings',
          recordedAt: row.recorded_at,
          readings: decodeReadings(row.bytes),
        }),
      )
      if (found.length === 0) return facts
      return [...facts, ...found].sort((a, b) => a.seq - b.seq).slice(0, limit)
    },
  }
}
