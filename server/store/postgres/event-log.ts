import type { Clock } from '#machines/contracts/clock.ts'
import { checkFact } from '../fact-rows.ts'
import { keepRecent } from '../recent-records.ts'
import { type Appended, type AppendOptions, type EventLog, VersionConflict } from '../store.ts'
import type { FactFormat } from '../upcast.ts'
import type { Copy } from './copy.ts'
import type { Database } from './database.ts'
import type { Follower } from './follower.ts'
import type { Writer } from './writer.ts'

type KeyRow = { first: number; count: number; version: number }

/** The event log in PostgreSQL: appended there, read from this node's copy, which has what this node appended. */
export function createEventLog(
  database: Pick<Database, 'ask'>,
  writer: Writer,
  follower: Follower,
  copy: Copy,
  clock: Clock,
  format: FactFormat,
): EventLog {
  const { readStream, version, readFacts, readStored, read, head } = copy
  const before = ({ first, count, version }: KeyRow): Appended => ({
    facts: count === 0 ? [] : readFacts(first - 1, { limit: count }),
    version,
    repeated: true,
  })

  return {
    async append(stream, facts, { expectedVersion = 'any', idempotencyKey }: AppendOptions = {}) {
      const checked = facts.map((fact, i) => checkFact(fact, `${stream}, fact ${i}`, format))
      const expected = expectedVersion === 'any' ? null : expectedVersion
      const { answer, facts: appended } = await writer.submit({
        kind: 'facts',
        stream,
        expected,
        key: idempotencyKey ?? null,
        recordedAt: clock.now(),
        facts: checked,
      })
      if ('actual' in answer) throw new VersionConflict(stream, expected ?? 0, answer.actual)
      const { first, count, version = 0, repeated = false } = answer
      if (!repeated) return { facts: appended, version, repeated }
      return before({ first, count, version })
    },
    async appended(idempotencyKey) {
      const [known] = await database.ask(
        (sql) => sql<KeyRow[]>`SELECT first, count, version FROM idempotency
          WHERE key = ${idempotencyKey}`,
      )
      if (known === undefined) return undefined
      await follower.caughtUp()
      return before(known)
    },
    readStream,
    version,
    readFacts,
    readStored,
    read: keepRecent(read, head),
    head,
    caughtUp: () => follower.caughtUp(),
    onCommit: (listener) => follower.onCommit(listener),
  }
}
