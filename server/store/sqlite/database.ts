import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '../../config/variables.ts'

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
 * @throws CannotStart
 */
export function openDatabase(
  dir: string,
  { file = STORE_FILE, synchronous = 'FULL', autocheckpoint = 0 }: Settings = {},
): DatabaseSync {
  const inMemory = dir === ':memory:'
  if (!inMemory) mkdirSync(dir, { recursive: true })
  const path = inMemory ? ':memory:' : join(dir, file)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec(`
      PRAGMA page_size = 8192;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      PRAGMA wal_autocheckpoint = ${autocheckpoint};
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
    `)
    return db
  } catch (error) {
    db?.close()
    const why = (error as Error).message
    throw new CannotStart(
      /locked/.test(why)
        ? `${path} is open in another process: stop that one, or set another DATA_DIR`
        : `${path} cannot be opened (${why}): see that it is Frostline's record, and that the server's user may write there`,
      { cause: error },
    )
  }
}

/** Removes a database's files from its folder. It must be closed. */
export function removeDatabase(dir: string, file: string): void {
  if (dir === ':memory:') return
  for (const ending of ['', '-wal', '-shm']) rmSync(join(dir, `${file}${ending}`), { force: true })
}
