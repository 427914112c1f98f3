import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FactRow } from '../fact-rows.ts'
import { DEVICES } from '../storable.ts'
import {
  noteDamage,
  nothingVerified,
  type Verified,
  verifyBatch,
  verifyChunk,
  verifyFact,
  verifySummary,
} from '../verification.ts'
import type { BatchRow } from './batch-table.ts'
import { createChunkScan } from './chunk-scan.ts'
import { keyOfChunk } from './chunk-table.ts'
import { STORE_FILE } from './database.ts'
import { isCorrupt } from './failures.ts'
import { headOfDamaged } from './head.ts'
import { readableRows } from './readable-rows.ts'
import { NEWEST_SCHEMA } from './schema.ts'

/**
 * Reads all there is in the folder of a store, and changes nothing of it.
 * @throws Error where there is no store, or another process has it open
 */
export function verifySqlite(dir: string): Verified {
  const file = join(dir, STORE_FILE)
  if (!existsSync(file)) throw new Error(`there is no record in ${dir}: ${STORE_FILE} is missing`)
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return verified(db)
  } catch (error) {
    if (/locked/.test((error as Error).message))
      throw new Error(
        `${dir} is in use by a server: stop it, or let it make a copy (SIGUSR2, with BACKUP_DIR) and verify that`,
        { cause: error },
      )
    throw error
  } finally {
    db.close()
  }
}

function verified(db: DatabaseSync): Verified {
  const found = nothingVerified()
  const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (schema > NEWEST_SCHEMA)
    noteDamage(
      found,
      `the store has schema ${schema}, this release knows ${NEWEST_SCHEMA}: it is of a later release`,
    )
  verifyFile(db, found)
  if (schema === 0) return found
  const sealed = sealedTables(db, schema)
  for (const row of numbered<FactRow>(db, found, 'facts')) verifyFact(found, row, sealed.has('facts'))
  for (const row of numbered<BatchRow>(db, found, 'batches')) verifyBatch(found, row, sealed.has('batches'))
  // steps 2 and later have compacted readings
  if (schema === 1) return found
  verifyChunks(db, found, sealed.has('chunks'))
  try {
    for (const { id, bytes } of rows<Blob>(db, 'SELECT id, bytes FROM summaries'))
      verifySummary(found, { day: Math.floor(id / DEVICES), bytes })
  } catch (error) {
    if (!isCorrupt(error)) throw error
    noteDamage(found, `summaries: ${(error as Error).message}`)
  }
  return found
}

/** A file that is badly hurt ends the check of its pages; the rows are read all the same. */
function verifyFile(db: DatabaseSync, found: Verified): void {
  try {
    for (const { integrity_check: fault } of rows<{ integrity_check: string }>(db, 'PRAGMA integrity_check'))
      if (fault !== 'ok') noteDamage(found, `the file: ${fault}`)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    noteDamage(found, `the file: ${(error as Error).message}`)
  }
}

/** Rows of a table that has numbers, as far as the file can be read. */
function* numbered<Row extends { seq: number }>(
  db: DatabaseSync,
  found: Verified,
  table: 'facts' | 'batches',
): Generator<Row> {
  const statements = {
    after: db.prepare(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`),
    at: db.prepare(`SELECT * FROM ${table} WHERE seq = ?`),
  }
  const head = headOfDamaged(db)
  for (let after = 0; ; ) {
    const { rows, holes, through } = readableRows<Row>(statements, {
      seq: after,
      limit: PAGE,
      head: () => head,
    })
    for (const { first, last, reason } of holes) noteDamage(found, `${table} ${first} to ${last}: ${reason}`)
    yield* rows
    const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
    if (last === 0) return
    after = last
  }
}

function verifyChunks(db: DatabaseSync, found: Verified, sealed: boolean): void {
  const scan = createChunkScan(db)
  for (let after: number | undefined = -1; after !== undefined; ) {
    const { rows, holes, next } = scan(after, PAGE)
    for (const { id, reason } of holes) {
      const { device, day } = keyOfChunk(id)
      noteDamage(found, `readings of device ${device} on day ${day}: ${reason}`)
    }
    for (const { id, bytes, sum } of rows) {
      const { device, day, window } = keyOfChunk(id)
      verifyChunk(found, { device, day, place: window, bytes, sum }, sealed)
    }
    after = next
  }
}

/** Tables of which every row has a checksum: none before step 6. */
function sealedTables(db: DatabaseSync, schema: number): Set<string> {
  if (schema < 6) return new Set()
  const sealed = rows<{ table: string }>(db, 'SELECT "table" FROM record_check WHERE sealed = 1')
  return new Set(Array.from(sealed, ({ table }) => table))
}

type Blob = { id: number; bytes: Uint8Array }

const PAGE = 100

const rows = <T>(db: DatabaseSync, sql: string): Iterable<T> => db.prepare(sql).iterate() as Iterable<T>
