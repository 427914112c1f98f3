import type { DatabaseSync } from 'node:sqlite'
import { isCorrupt } from './failures.ts'

/** What knows of numbers that were given: the newest rows may be lost, and who followed them stands behind them. */
const KNOWN_BY: readonly [table: string, sql: string][] = [
  ['facts', 'SELECT max(seq) AS head FROM facts'],
  ['batches', 'SELECT max(seq) AS head FROM batches'],
  ['compaction', 'SELECT done_through AS head FROM compaction'],
  ['seal_tree', 'SELECT size AS head FROM seal_tree'],
  // who needs no batches saves this one
  ['checkpoints', `SELECT max(seq) AS head FROM checkpoints WHERE seq < ${Number.MAX_SAFE_INTEGER}`],
]

/** Has the numbers of facts once more, where the last page of the table cannot be read. */
const BY_INDEX = ['facts', 'SELECT max(seq) AS head FROM facts INDEXED BY facts_by_type'] as const

/** The last number that was given; none up to it is given again. */
export const headOf = (db: DatabaseSync): number => Math.max(...KNOWN_BY.map(([, sql]) => asked(db, sql)))

/** As `headOf`, by what can be read of a file of this release or an earlier one. */
export function headOfDamaged(db: DatabaseSync): number {
  const known = [...KNOWN_BY, BY_INDEX].filter(([table]) => hasTable(db, table))
  return Math.max(0, ...known.map(([, sql]) => askedIfReadable(db, sql)))
}

/** Whether the release that wrote the file knew of it. */
export const hasTable = (db: DatabaseSync, table: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(table) !== undefined

const asked = (db: DatabaseSync, sql: string): number => Number(db.prepare(sql).get()?.head ?? 0)

function askedIfReadable(db: DatabaseSync, sql: string): number {
  try {
    return asked(db, sql)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return 0
  }
}
