import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const STORE_FILE = 'frostline.sqlite'

/**
 * Opens the store's one file, or a database in memory.
 * `FULL`: a commit is on the disk when it returns. `EXCLUSIVE`: one process writes; a second one fails at its start
 * instead of mixing up the sequence. The writer brings the write-ahead log into the file, and hears how that went. Pages of 8 kB hold a chunk of an hour without overflow.
 */
export function openDatabase(dir: string): DatabaseSync {
  const inMemory = dir === ':memory:'
  if (!inMemory) mkdirSync(dir, { recursive: true })
  const db = new DatabaseSync(inMemory ? ':memory:' : join(dir, STORE_FILE))
  try {
    db.exec(`
      PRAGMA page_size = 8192;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
    `)
  } catch (error) {
    db.close()
    throw new Error(`${dir} can't be opened; is another process using it?`, { cause: error })
  }
  return db
}
