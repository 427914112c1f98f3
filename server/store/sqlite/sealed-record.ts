import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventLog } from '../store.ts'
import { FACT_FORMAT } from '../upcast.ts'
import { STORE_FILE } from './database.ts'
import { createRecords } from './records.ts'
import { NEWEST_SCHEMA } from './schema.ts'
import { createSeals, type Seals } from './seals.ts'

export type SealedFolder = { seals: Seals; log: Pick<EventLog, 'readFacts'>; close(): void }

const READ_ONLY = {
  head: () => 0,
  inBackground(): never {
    throw new Error('the record is only looked at')
  },
  submit: () => Promise.reject(new Error('the record is only looked at')),
}

/**
 * The record of a folder and the tree over it, to be looked at and not changed.
 * @throws Error where there is no store, another process has it open, or it has no tree yet
 */
export function openSealedFolder(dir: string): SealedFolder {
  const file = join(dir, STORE_FILE)
  if (!existsSync(file)) throw new Error(`there is no record in ${dir}: ${STORE_FILE} is missing`)
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (schema !== NEWEST_SCHEMA)
      throw new Error(
        schema > NEWEST_SCHEMA
          ? `the record in ${dir} is of a later release`
          : `the record in ${dir} has no tree yet: it gets one when this release is started on it`,
      )
    return { seals: createSeals(db, READ_ONLY), log: createRecords(db, FACT_FORMAT), close: () => db.close() }
  } catch (error) {
    db.close()
    if (!/locked/.test((error as Error).message)) throw error
    throw new Error(
      `${dir} is in use by a server: stop it, or let it make a copy (SIGUSR2, with BACKUP_DIR) and verify that`,
      { cause: error },
    )
  }
}
