import type { DatabaseSync } from 'node:sqlite'
import { isCorrupt } from './failures.ts'

type Known = readonly [table: string, sql: string]

/** What is numbered, or stands for what was: without it nothing can be numbered on. */
const NUMBERED: readonly Known[] = [
  ['facts', 'SELECT max(seq) AS head FROM facts'],
  ['batches', 'SELECT max(seq) AS head FROM batches'],
  ['compaction', 'SELECT done_through AS head FROM compaction'],
]

/** Who followed the numbers that were given, of which the newest rows may be lost. A file is used on where this cannot be read. */
const FOLLOWED_BY: readonly Known[] = [
  ['seal_tree', 'SELECT size AS head FROM seal_tree'],
  // who needs no batches saves this one
  ['checkpoints', `SELECT max(seq) AS head FROM checkpoints WHERE seq < ${Number.MAX_SAFE_INTEGER}`],
]

/** Has the numbers of facts once more, where the last page of the table cannot be read. */
const BY_INDEX = ['facts', 'SELECT max(seq) AS head FROM facts INDEXED BY facts_by_type'] as const

/** The last number that was given; none up to it is given again. */
export const headOf = (db: DatabaseSync): number =>
  Math.max(
    ...NUMBERED.map(([, sql]) => headBy(db, sql)),
    ...FOLLOWED_BY.map(([, sql]) => headIfReadable(db, sql)),
  )

/** As `headOf`, by what can be read of a file of this release or an earlier one. */
export function headOfDamaged(db: DatabaseSync): number {
  const known = [...NUMBERED, ...FOLLOWED_BY, BY_INDEX].filter(([table]) => hasTable(db, table))
  return Math.max(0, ...known.map(([, sql]) => headIfReadable(db, sql)))
}

/** Whether the release that wrote the file knew of it. */
export const hasTable = (db: DatabaseSync, table: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(table) !== undefined

const headBy = (db: DatabaseSync, sql: string): number => Number(db.prepare(sql).get()?.head ?? 0)

function headIfReadable(db: DatabaseSync, sql: string): number {
  try {
    return headBy(db, sql)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return 0
  }
}
