import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { createChunkScan } from './chunk-scan.ts'
import { openDatabase, removeDatabase, STORE_FILE } from './database.ts'
import { isCorrupt } from './failures.ts'
import { hasTable, headOfDamaged } from './head.ts'
import { mendCompaction } from './mend-compaction.ts'
import { mendTree } from './mend-tree.ts'
import { readableRows } from './readable-rows.ts'
import { migrate } from './schema.ts'

const NEW_FILE = 'frostline.sqlite.new'
const AT_ONCE = 1000

type Row = Record<string, SQLInputValue>

/** Whether SQLite finds the pages of the file as they should be, and neither the tree nor compaction is without its row: else nothing may be written to it. */
export function isFileWhole(dir: string): boolean {
  const db = new DatabaseSync(join(dir, STORE_FILE), { readOnly: true })
  try {
    if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return false
    return ['seal_tree', 'compaction'].every(
      (table) => !hasTable(db, table) || db.prepare(`SELECT 1 FROM ${table}`).get() !== undefined,
    )
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  } finally {
    db.close()
  }
}

/**
 * Writes all that can be read of the store's file into a new one and puts that in its place. The old one stays beside it.
 * @returns how the old file is named now
 */
export function salvage(dir: string, now: number): string {
  removeDatabase(dir, NEW_FILE)
  const old = openDatabase(dir)
  const fresh = openDatabase(dir, { file: NEW_FILE })
  try {
    migrate(fresh)
    fresh.exec('BEGIN')
    fresh.exec('DELETE FROM compaction; DELETE FROM record_check; DELETE FROM seal_tree')
    const head = headOfDamaged(old)
    for (const table of ['facts', 'batches'] as const) copy(fresh, table, numbered(old, table, head))
    copy(fresh, 'chunks', chunks(old))
    for (const table of otherTables(fresh))
      if (hasTable(old, table)) copy(fresh, table, asFarAsReadable(old, table))
    mendCompaction(fresh, now)
    mendTree(fresh)
    fresh.exec('COMMIT')
    fresh.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    old.close()
    fresh.close()
  }
  const kept = `${STORE_FILE}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  // there is a whole file under the name at each moment; its log, if closing left one, is of the old one alone
  linkSync(join(dir, STORE_FILE), join(dir, kept))
  for (const ending of ['-wal', '-shm'])
    if (existsSync(join(dir, `${STORE_FILE}${ending}`)))
      renameSync(join(dir, `${STORE_FILE}${ending}`), join(dir, `${kept}${ending}`))
  renameSync(join(dir, NEW_FILE), join(dir, STORE_FILE))
  syncFolder(dir)
  removeDatabase(dir, NEW_FILE)
  return kept
}

/** The names in it are on the disk when it returns. */
function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** All that this release has, but for those that are read row by row. */
const otherTables = (db: DatabaseSync): string[] =>
  db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('facts', 'batches', 'chunks')`,
    )
    .all()
    .map(({ name }) => String(name))

function copy(into: DatabaseSync, table: string, rows: Iterable<Row>): void {
  let insert: ReturnType<DatabaseSync['prepare']> | undefined
  for (const row of rows) {
    const columns = Object.keys(row)
    insert ??= into.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`,
    )
    insert.run(...Object.values(row))
  }
}

function* numbered(db: DatabaseSync, table: 'facts' | 'batches', head: number): Generator<Row> {
  const statements = {
    after: db.prepare(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`),
    at: db.prepare(`SELECT * FROM ${table} WHERE seq = ?`),
  }
  for (let seq = 0; ; ) {
    const { rows, holes, through } = readableRows<Row & { seq: number }>(statements, {
      seq,
      limit: AT_ONCE,
      head: () => head,
    })
    yield* rows
    const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
    if (last === 0) return
    seq = last
  }
}

function* chunks(db: DatabaseSync): Generator<Row> {
  const scan = createChunkScan(db)
  for (let after: number | undefined = -1; after !== undefined; ) {
    const { rows, next } = scan(after, AT_ONCE)
    yield* rows
    after = next
  }
}

/** Of a table without checksums the part before the first page that cannot be read. */
function* asFarAsReadable(db: DatabaseSync, table: string): Generator<Row> {
  try {
    yield* db.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<Row>
  } catch (error) {
    if (!isCorrupt(error)) throw error
  }
}
