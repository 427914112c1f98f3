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
import { keyOfChunk } from './chunk-table.ts'
import { STORE_FILE } from './database.ts'
import type { BatchRow } from './records.ts'
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
  for (const { integrity_check: said } of rows<{ integrity_check: string }>(db, 'PRAGMA integrity_check'))
    if (said !== 'ok') noteDamage(found, `the file: ${said}`)
  if (schema === 0) return found
  for (const row of rows<FactRow>(db, 'SELECT * FROM facts ORDER BY seq')) verifyFact(found, row)
  for (const row of rows<BatchRow>(db, 'SELECT seq, bytes FROM batches ORDER BY seq')) verifyBatch(found, row)
  // steps 2 and later have compacted readings
  if (schema === 1) return found
  for (const { id, bytes } of rows<Blob>(db, 'SELECT id, bytes FROM chunks'))
    verifyChunk(found, { ...keyOfChunk(id), bytes })
  for (const { id, bytes } of rows<Blob>(db, 'SELECT id, bytes FROM summaries'))
    verifySummary(found, { day: Math.floor(id / DEVICES), bytes })
  return found
}

type Blob = { id: number; bytes: Uint8Array }

const rows = <T>(db: DatabaseSync, sql: string): Iterable<T> => db.prepare(sql).iterate() as Iterable<T>
