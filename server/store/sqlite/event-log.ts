import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#machines/contracts/clock.ts'
import { appendedFact, checkFact } from '../fact-rows.ts'
import { keepRecent } from '../recent-records.ts'
import { type Appended, type AppendOptions, type EventLog, VersionConflict } from '../store.ts'
import type { FactFormat } from '../upcast.ts'
import type { Records } from './records.ts'
import type { Writer } from './writer.ts'

type KeyRow = { first: number; count: number; version: number }

/** The event log in SQLite. Facts are checked when given, written as JSON and brought up to date when read. */
export function createEventLog(
  db: DatabaseSync,
  records: Records,
  writer: Writer,
  clock: Clock,
  format: FactFormat,
): EventLog {
  const keyOf = db.prepare('SELECT first, count, version FROM idempotency WHERE key = ?')
  const rememberKey = db.prepare('INSERT INTO idempotency (key, first, count, version) VALUES (?, ?, ?, ?)')
  const { putFact, version, readStream, readFacts, readStored, read, noteWritten } = records
  const before = ({ first, count, version }: KeyRow): Appended => ({
    facts: count === 0 ? [] : readFacts(first - 1, { limit: count }),
    version,
    repeated: true,
  })

  return {
    async append(stream, facts, { expectedVersion = 'any', idempotencyKey }: AppendOptions = {}) {
      const checked = facts.map((fact, i) => checkFact(fact, `${stream}, fact ${i}`, format))
      return writer.submit((take): Appended => {
        if (idempotencyKey !== undefined) {
          const known = keyOf.get(idempotencyKey) as KeyRow | undefined
          if (known) return before(known)
        }
        let held = version(stream)
        if (expectedVersion !== 'any' && held !== expectedVersion)
          throw new VersionConflict(stream, expectedVersion, held)
        const recordedAt = clock.now()
        const first = take(checked.length)
        const stored = checked.map((each, i) => {
          const place = { seq: first + i, stream, version: ++held, recordedAt }
          const { row, fact } = appendedFact(each, place)
          putFact(row)
          noteWritten(row.seq)
          return fact
        })
        if (idempotencyKey !== undefined) rememberKey.run(idempotencyKey, first, checked.length, held)
        return { facts: stored, version: held, repeated: false }
      })
    },
    async appended(idempotencyKey) {
      const known = keyOf.get(idempotencyKey) as KeyRow | undefined
      return known && before(known)
    },
    readStream,
    version,
    readFacts,
    readStored,
    read: keepRecent(read, writer.head),
    head: writer.head,
    // nobody else appends to this file
    caughtUp: async () => writer.head(),
    onCommit: writer.onCommit,
  }
}
