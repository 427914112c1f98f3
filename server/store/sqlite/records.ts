import type { DatabaseSync } from 'node:sqlite'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import { createReadings, decodeReadings } from '#machines/contracts/readings.ts'
import { type Checksum, isSound, OTHER_THAN_WRITTEN, sumOfBatch, sumOfFact } from '../checksums.ts'
import { createDamageRegister, type DamageRegister } from '../damage.ts'
import { type FactRow, factOf } from '../fact-rows.ts'
import { createSeenNumbers } from '../seen-numbers.ts'
import type { EventLog, LogRecord } from '../store.ts'
import type { FactFormat } from '../upcast.ts'
import { isCorrupt } from './failures.ts'
import { type Readable, readableRows } from './readable-rows.ts'

/** A telemetry batch as it lies in the table. */
export type BatchRow = { seq: number; recorded_at: number; bytes: Uint8Array; sum: Checksum }

const FACT_COLUMNS = 'seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum'
const NO_READINGS = createReadings(0)
/** Most facts read at a time. */
const PAGE = 1000

/** The tables of facts and batches: what is read of them, and rows put into them in the caller's transaction. */
export type Records = Pick<EventLog, 'read' | 'readFacts' | 'readStored' | 'readStream' | 'version'> & {
  putFact(row: FactRow): void
  putBatch(row: BatchRow): void
  /** notes that this entry was written just now, so that reading it need not hold it against its checksum */
  noteWritten(seq: number): void
  /** batches after `seq`, in order, at most `limit`; a damaged one is left out */
  batchesAfter(seq: number, limit: number): BatchRow[]
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
  const insertFact = db.prepare(
    `INSERT INTO facts (seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertBatch = db.prepare('INSERT INTO batches (seq, recorded_at, bytes, sum) VALUES (?, ?, ?, ?)')
  const versionOf = db.prepare('SELECT max(version) AS version FROM facts WHERE stream = ?')
  const ofStream = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE stream = ? ORDER BY version`)
  const after = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE seq > ? ORDER BY seq LIMIT ?`)
  const factAt = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE seq = ?`)
  const ofTypesAfter = db.prepare(
    `SELECT ${FACT_COLUMNS} FROM facts WHERE type IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const batches = db.prepare(
    'SELECT seq, recorded_at, bytes, sum FROM batches WHERE seq > ? ORDER BY seq LIMIT ?',
  )
  const batchAt = db.prepare('SELECT seq, recorded_at, bytes, sum FROM batches WHERE seq = ?')
  const headOf = db.prepare(
    'SELECT max(ifnull((SELECT max(seq) FROM facts), 0), ifnull((SELECT max(seq) FROM batches), 0)) AS head',
  )
  /** what was held against its checksum, or written, since the start: the check of the record reads it again */
  const sound = createSeenNumbers()
  const head = () => (headOf.get() as { head: number }).head

  function noteFact(key: string, reason: string): void {
    damage.note({ table: 'facts', key, device: null, from: null, to: null, reason })
  }

  function noteBatch(key: string, reason: string, recordedAt: number | null = null): void {
    damage.note({ table: 'batches', key, device: null, from: recordedAt, to: recordedAt, reason })
  }

  function isWhole(row: FactRow): boolean {
    if (sound.has(row.seq)) return true
    try {
      if (!isSound(row.sum, () => sumOfFact(row))) return false
    } catch {
      return false
    }
    sound.add(row.seq)
    return true
  }

  /** undefined: it cannot be read */
  function readable(row: FactRow): Fact | undefined {
    const isAsWritten = isWhole(row)
    if (!isAsWritten) noteFact(String(row.seq), OTHER_THAN_WRITTEN)
    try {
      return factOf(row, format)
    } catch (error) {
      // as it was written, and yet unknown: of another release, which is no damage
      if (isAsWritten) throw error
      return undefined
    }
  }

  const readableFacts = (rows: readonly FactRow[]): Fact[] => rows.flatMap((row) => readable(row) ?? [])

  /** rows after a number and, of what cannot be read, the numbers */
  function factsAfter(seq: number, limit: number): Readable<FactRow> {
    const found = readableRows<FactRow>({ after, at: factAt }, { seq, limit, head })
    for (const { first, last, reason } of found.holes) noteFact(namesOf(first, last), reason)
    return found
  }

  function allBatchesAfter(seq: number, limit: number) {
    const found = readableRows<BatchRow>({ after: batches, at: batchAt }, { seq, limit, head })
    for (const { first, last, reason } of found.holes) noteBatch(namesOf(first, last), reason)
    const whole: BatchRow[] = []
    const left: number[] = found.holes.map(({ last }) => last)
    for (const row of found.rows)
      if (sound.has(row.seq) || isSound(row.sum, () => sumOfBatch(row.bytes))) {
        whole.push(row)
        sound.add(row.seq)
      } else {
        noteBatch(String(row.seq), OTHER_THAN_WRITTEN, row.recorded_at)
        left.push(row.seq)
      }
    return { sound: whole, left, through: found.through }
  }

  /** Facts after `seq` that can be read, as many as are asked for while there are more. */
  function readOn(seq: number, limit: number, isWanted: (row: FactRow) => boolean): Fact[] {
    const found: Fact[] = []
    for (let from = seq; found.length < limit; ) {
      const { rows, holes, through } = factsAfter(from, Math.min(PAGE, limit - found.length))
      found.push(...readableFacts(rows.filter(isWanted)))
      const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
      if (last === 0) break
      from = last
    }
    return found
  }

  function readTypes(seq: number, limit: number, types: readonly FactType[]): Fact[] {
    const named = JSON.stringify(types)
    const found: Fact[] = []
    for (let from = seq; found.length < limit; ) {
      const rows = ofTypesAfter.all(named, from, limit - found.length) as unknown as FactRow[]
      const last = rows.at(-1)
      if (last === undefined) break
      found.push(...readableFacts(rows))
      from = last.seq
    }
    return found
  }

  return {
    putFact({ seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum }) {
      insertFact.run(seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum ?? null)
    },
    putBatch({ seq, recorded_at, bytes, sum }) {
      insertBatch.run(seq, recorded_at, bytes, sum ?? null)
    },
    noteWritten: sound.add,
    batchesAfter(seq, limit) {
      for (let from = seq; ; ) {
        const { sound: rows, left, through } = allBatchesAfter(from, limit)
        if (rows.length > 0) return rows
        const last = through ?? left.at(-1)
        if (last === undefined) return []
        from = last
      }
    },
    version: (stream) => (versionOf.get(stream) as { version: number | null }).version ?? 0,
    readStream(stream) {
      try {
        return readableFacts(ofStream.all(stream) as unknown as FactRow[])
      } catch (error) {
        if (!isCorrupt(error)) throw error
        return readOn(0, Number.POSITIVE_INFINITY, (row) => row.stream === stream)
      }
    },
    readFacts(afterSeq, { limit = 1000, types } = {}) {
      if (types === undefined) return readOn(afterSeq, limit, () => true)
      try {
        return readTypes(afterSeq, limit, types)
      } catch (error) {
        if (!isCorrupt(error)) throw error
        const wanted = new Set(types)
        return readOn(afterSeq, limit, ({ type }) => wanted.has(type))
      }
    },
    readStored: (afterSeq, limit = 1000) => factsAfter(afterSeq, limit).rows,
    read(afterSeq, limit) {
      const { rows, holes, through } = factsAfter(afterSeq, limit)
      const found: LogRecord[] = holes.map(({ last }) => nothingAt(last))
      for (const row of rows) {
        const fact = readable(row)
        found.push(fact === undefined ? nothingAt(row.seq) : { seq: row.seq, kind: 'fact', fact })
      }
      const { sound: rowsOfBatches, left, through: batchesThrough } = allBatchesAfter(afterSeq, limit)
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

const namesOf = (first: number, last: number): string => (first === last ? `${first}` : `${first}-${last}`)
