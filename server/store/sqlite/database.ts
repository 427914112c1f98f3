import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const STORE_FILE = 'frostline.sqlite'

type Settings = {
  /** STORE_FILE */
  file?: string
  /** `NORMAL`: the end of the power may take the last commits with it, and leaves what was before */
  synchronous?: 'FULL' | 'NORMAL'
  /** pages of the write-ahead log after which SQLite brings it into the file by itself; 0: never */
  autocheckpoint?: number
}

/**
 * Opens the store's one file, or a database in memory.
 * `FULL`: a commit is on the disk when it returns. `EXCLUSIVE`: one process writes; a second one fails at its start
 * instead of mixing up the sequence. The writer brings the write-ahead log into the file, and hears how that went. Pages of 8 kB hold a chunk of an hour without overflow.
 */
export function openDatabase(
  dir: string,
  { file = STORE_FILE, synchronous = 'FULL', autocheckpoint = 0 }: Settings = {},
): DatabaseSync {
  const inMemory = dir === ':memory:'
  if (!inMemory) mkdirSync(dir, { recursive: true })
  const db = new DatabaseSync(inMemory ? ':memory:' : join(dir, file))
  try {
    db.exec(`
      PRAGMA page_size = 8192;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      PRAGMA wal_autocheckpoint = ${autocheckpoint};
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
    `)
  } catch (error) {
    db.close()
    throw new Error(`${dir} can't be opened; is another process using it?`, { cause: error })
  }
  return db
}

/** Removes a database's files from its folder. It must be closed. */
export function removeDatabase(dir: string, file: string): void {
  if (dir === ':memory:') return
  for (const ending of ['', '-wal', '-shm']) rmSync(join(dir, `${file}${ending}`), { force: true })
}
