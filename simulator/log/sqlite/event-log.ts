import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Fact, type FactType, type NewFact } from '#machines/contracts/facts.ts'
import { decodeReadings } from '#machines/contracts/readings.ts'
import { type Appended, type AppendOptions, type EventLog, type LogRecord, VersionConflict } from '../log.ts'
import { currentVersion, upcast } from '../upcast.ts'
import type { Writer } from './writer.ts'

type FactRow = {
  seq: number
  type: FactType
  v: number
  at: number
  recorded_at: number
  company: string | null
  by_user: string | null
  data: string
}
type BatchRow = { seq: number; recorded_at: number; bytes: Uint8Array }
type KeyRow = { first: number; count: number; version: number }

const FACT_COLUMNS = 'seq, type, v, at, recorded_at, company, by_user, data'

/** The event log in SQLite. Facts are checked when given, written as JSON and brought up to date when read. */
export function createEventLog(db: DatabaseSync, writer: Writer, clock: Clock): EventLog {
  const versionOf = db.prepare('SELECT max(version) AS version FROM facts WHERE stream = ?')
  const keyOf = db.prepare('SELECT first, count, version FROM idempotency WHERE key = ?')
  const rememberKey = db.prepare('INSERT INTO idempotency (key, first, count, version) VALUES (?, ?, ?, ?)')
  const insert = db.prepare(
    `INSERT INTO facts (seq, stream, version, type, v, at, recorded_at, company, by_user, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const ofStream = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE stream = ? ORDER BY version`)
  const after = db.prepare(`SELECT ${FACT_COLUMNS} FROM facts WHERE seq > ? ORDER BY seq LIMIT ?`)
  const ofTypesAfter = db.prepare(
    `SELECT ${FACT_COLUMNS} FROM facts WHERE type IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const batchesAfter = db.prepare(
    'SELECT seq, recorded_at, bytes FROM batches WHERE seq > ? ORDER BY seq LIMIT ?',
  )

  const factsOf = (rows: unknown[]) => (rows as FactRow[]).map(toFact)
  const version = (stream: string): number =>
    (versionOf.get(stream) as { version: number | null }).version ?? 0

  return {
    async append(stream, facts, { expectedVersion = 'any', idempotencyKey }: AppendOptions = {}) {
      const checked = facts.map((fact, i) => check(fact, `${stream}, fact ${i}`))
      return writer.submit((take): Appended => {
        if (idempotencyKey !== undefined) {
          const known = keyOf.get(idempotencyKey) as KeyRow | undefined
          if (known)
            return {
              facts: known.count === 0 ? [] : factsOf(after.all(known.first - 1, known.count)),
              version: known.version,
              repeated: true,
            }
        }
        let held = version(stream)
        if (expectedVersion !== 'any' && held !== expectedVersion)
          throw new VersionConflict(stream, expectedVersion, held)
        const recordedAt = clock.now()
        const first = take(checked.length)
        const stored = checked.map(({ fact, json }, i) => {
          const seq = first + i
          held++
          const v = currentVersion(fact.type)
          const by = fact.by ?? null
          insert.run(seq, stream, held, fact.type, v, fact.at, recordedAt, fact.companyId, by, json)
          return { ...fact, seq, id: idOf(seq), v, recordedAt }
        })
        if (idempotencyKey !== undefined) rememberKey.run(idempotencyKey, first, checked.length, held)
        return { facts: stored, version: held, repeated: false }
      })
    },
    readStream: (stream) => factsOf(ofStream.all(stream)),
    version,
    readFacts(afterSeq, { limit = 1000, types } = {}) {
      if (types === undefined) return factsOf(after.all(afterSeq, limit))
      return factsOf(ofTypesAfter.all(JSON.stringify(types), afterSeq, limit))
    },
    read(afterSeq, limit) {
      const facts = factsOf(after.all(afterSeq, limit)).map(
        (fact): LogRecord => ({ seq: fact.seq, kind: 'fact', fact }),
      )
      const batches = (batchesAfter.all(afterSeq, limit) as BatchRow[]).map(
        (row): LogRecord => ({
          seq: row.seq,
          kind: 'readings',
          recordedAt: row.recorded_at,
          readings: decodeReadings(row.bytes),
        }),
      )
      if (batches.length === 0) return facts
      return [...facts, ...batches].sort((a, b) => a.seq - b.seq).slice(0, limit)
    },
    head: writer.head,
    // nobody else appends to this file
    caughtUp: async () => writer.head(),
    onCommit: writer.onCommit,
  }
}

/** An id follows from the number, so replaying the same appends gives the same ids. */
function idOf(seq: number): string {
  return `f${seq}`
}

/** The fact as its contract reads it, and its data as text, so that a caller's later changes can't reach the log. */
function check(fact: NewFact, what: string): { fact: NewFact; json: string } {
  const {
    seq: _seq,
    id: _id,
    v: _v,
    recordedAt: _recordedAt,
    ...checked
  } = decode({ ...fact, seq: 0, id: 'f0', v: currentVersion(fact.type), recordedAt: 0 }, Fact, what)
  return { fact: checked, json: JSON.stringify(checked.data) }
}

function toFact(row: FactRow): Fact {
  return upcast({
    seq: row.seq,
    id: idOf(row.seq),
    type: row.type,
    v: row.v,
    at: row.at,
    recordedAt: row.recorded_at,
    companyId: row.company,
    ...(row.by_user === null ? {} : { by: row.by_user }),
    data: JSON.parse(row.data),
  })
}
