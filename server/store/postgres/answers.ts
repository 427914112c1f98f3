import { type AnswerRow, type AnswerStore, fromAnswerRow } from '../answers.ts'
import { EARLIER_AT_ONCE, EARLIER_NAMES, forgottenKeys, OWN_KEYS } from '../append-keys.ts'
import type { Database } from './database.ts'

/** Answers to commands, in the database, for all nodes. */
export const createSharedAnswers = (database: Pick<Database, 'ask' | 'transaction'>): AnswerStore => ({
  async claim(id, asked, at, since) {
    const [row] = await database.ask(
      // what was noted before stays, and is answered: of several nodes all answer the same
      (sql) => sql<AnswerRow[]>`INSERT INTO answers AS known (id, asked, at)
        VALUES (${id}, ${asked}, ${at})
        ON CONFLICT (id) DO UPDATE SET
          asked = CASE WHEN known.at < ${since} THEN excluded.asked ELSE known.asked END,
          bytes = CASE WHEN known.at < ${since} THEN NULL ELSE known.bytes END,
          at = CASE WHEN known.at < ${since} THEN excluded.at ELSE known.at END
        RETURNING asked, at, bytes`,
    )
    return fromAnswerRow(row as AnswerRow)
  },
  async keep(id, { asked, at, bytes }) {
    await database.ask(
      (sql) => sql`INSERT INTO answers (id, asked, at, bytes)
        VALUES (${id}, ${asked}, ${at}, ${Buffer.from(bytes)})
        ON CONFLICT (id) DO UPDATE SET asked = excluded.asked, at = excluded.at, bytes = excluded.bytes`,
    )
  },
  async release(id) {
    await database.ask((sql) => sql`DELETE FROM answers WHERE id = ${id} AND bytes IS NULL`)
  },
  drop: (before) =>
    database.transaction(async (sql) => {
      await sql`DELETE FROM answers WHERE at < ${before}`
      for (const { from, to } of forgottenKeys(before))
        await sql`DELETE FROM idempotency WHERE key COLLATE "C" >= ${from} AND key COLLATE "C" < ${to}`
      await sql`DELETE FROM idempotency WHERE key IN (
        SELECT key FROM idempotency WHERE split_part(key, '-', 1) = ANY(${EARLIER_NAMES}) AND first <
          (SELECT first FROM idempotency WHERE key COLLATE "C" >= ${OWN_KEYS.from} AND key COLLATE "C" < ${OWN_KEYS.to}
            ORDER BY key COLLATE "C" LIMIT 1)
        LIMIT ${EARLIER_AT_ONCE})`
    }),
})
