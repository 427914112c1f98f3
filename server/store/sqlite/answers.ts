import type { DatabaseSync } from 'node:sqlite'
import { type AnswerRow, type AnswerStore, fromAnswerRow } from '../answers.ts'
import { EARLIER_AT_ONCE, EARLIER_NAMES, forgottenKeys, OWN_KEYS } from '../append-keys.ts'
import type { Writer } from './writer.ts'

/** Answers to commands, in the store's own file. */
export function createAnswers(db: DatabaseSync, writer: Writer): AnswerStore {
  const expire = db.prepare('DELETE FROM answers WHERE id = ? AND at < ?')
  const insert = db.prepare('INSERT OR IGNORE INTO answers (id, asked, at) VALUES (?, ?, ?)')
  const find = db.prepare('SELECT asked, at, bytes FROM answers WHERE id = ?')
  const keep = db.prepare('INSERT OR REPLACE INTO answers (id, asked, at, bytes) VALUES (?, ?, ?, ?)')
  const release = db.prepare('DELETE FROM answers WHERE id = ? AND bytes IS NULL')
  const drop = db.prepare('DELETE FROM answers WHERE at < ?')
  const dropKeys = db.prepare('DELETE FROM idempotency WHERE key >= ? AND key < ?')
  const dropEarlier = db.prepare(
    `DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE key >= ? AND key < ? AND first <
      (SELECT first FROM idempotency WHERE key >= ? AND key < ? ORDER BY key LIMIT 1) LIMIT ?)`,
  )

  return {
    claim: (id, asked, at, since) =>
      writer.submit(() => {
        expire.run(id, since)
        insert.run(id, asked, at)
        return fromAnswerRow(find.get(id) as AnswerRow)
      }),
    keep: (id, { asked, at, bytes }) => writer.submit(() => void keep.run(id, asked, at, bytes)),
    release: (id) => writer.submit(() => void release.run(id)),
    drop: (before) =>
      writer.submit(() => {
        drop.run(before)
        for (const { from, to } of forgottenKeys(before)) dropKeys.run(from, to)
        for (const name of EARLIER_NAMES)
          dropEarlier.run(`${name}-`, `${name}.`, OWN_KEYS.from, OWN_KEYS.to, EARLIER_AT_ONCE)
      }),
  }
}
