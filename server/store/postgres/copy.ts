import type { DatabaseSync } from 'node:sqlite'
import type { DamageRegister } from '../damage.ts'
import type { FactRow } from '../fact-rows.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import { openDatabase, removeDatabase } from '../sqlite/database.ts'
import { isStoreFailure } from '../sqlite/failures.ts'
import { createRecords, type Records } from '../sqlite/records.ts'
import { migrate } from '../sqlite/schema.ts'
import { StoreUnavailable } from '../store.ts'
import type { FactFormat } from '../upcast.ts'

/** One entry of the record as it lies in a table: of telemetry where it has `bytes`. */
export type LogRow = FactRow | BatchRow

/** Else it is a fact. */
export const isBatch = (row: LogRow): row is BatchRow => 'bytes' in row

/** A checkpoint in the database; `revision` grows with each that is saved under a name. */
export type SharedCheckpoint = { name: string; seq: number; revision: number; bytes: Uint8Array }

/** Which record a copy is of. */
export type Original = { database: string; epoch: number }

/** This node's copy of the record: all facts, the newest batches, and where its followers are. */
export type Copy = Pick<
  Records,
  'read' | 'readFacts' | 'readStored' | 'readStream' | 'version' | 'batchPage'
> & {
  head(): number
  /** all batches after this number are here that are in the record */
  batchesFrom(): number
  /** puts rows behind the others, in order, and notes that all up to `head` is here */
  take(rows: LogRow[], head: number): void
  /** whether this very entry is here */
  holds(row: LogRow): boolean
  /** the last entry, unless it is a batch that was deleted */
  last(): LogRow | undefined
  /** deletes some batches up to this number; whether there are more */
  deleteBatches(through: number): boolean
  load(name: string): { seq: number; bytes: Uint8Array } | undefined
  save(name: string, seq: number, bytes: Uint8Array): void
  /** takes the checkpoint of the database where this node has none that is newer */
  takeShared(checkpoint: SharedCheckpoint): void
  /** notes that a checkpoint of ours is in the database */
  noteShared(name: string, revision: number): void
  /** notes that it is of no record: who opens it next begins a new one */
  disown(): void
  isOpen(): boolean
  close(): void
}

export const COPY_FILE = 'copy.sqlite'
const BATCHES_AT_ONCE = 16
/** SQLITE_CORRUPT and SQLITE_NOTADB: nothing that can't be copied again. */
const BROKEN = new Set([11, 26])

/**
 * Opens the copy in a folder, or begins a new one where it is of another record or of none, of another release, or broken.
 * @throws Error when another process has it open
 */
export function openCopy(dir: string, original: Original, format: FactFormat, damage?: DamageRegister): Copy {
  try {
    const db = opened(dir)
    if (isOf(db, original)) return createCopy(db, format, damage)
    db.close()
  } catch (error) {
    const { cause } = error as { cause?: { errcode?: number } }
    if (cause !== undefined && !BROKEN.has(cause.errcode ?? 0)) throw error
  }
  removeDatabase(dir, COPY_FILE)
  const db = opened(dir)
  isOf(db, original)
  return createCopy(db, format, damage)
}

function opened(dir: string): DatabaseSync {
  const db = openDatabase(dir, { file: COPY_FILE, synchronous: 'NORMAL', autocheckpoint: 1000 })
  try {
    migrate(db)
    db.exec(`
      CREATE TABLE IF NOT EXISTS copy (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        database TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        head INTEGER NOT NULL,
        batches_from INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS shared (name TEXT PRIMARY KEY, revision INTEGER NOT NULL);
    `)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Whether it is a copy of this; an empty one is from now on. */
function isOf(db: DatabaseSync, { database, epoch }: Original): boolean {
  db.prepare('INSERT OR IGNORE INTO copy VALUES (1, ?, ?, 0, 0)').run(database, epoch)
  return db.prepare('SELECT 1 FROM copy WHERE database = ? AND epoch = ?').get(database, epoch) !== undefined
}

function createCopy(db: DatabaseSync, format: FactFormat, damage?: DamageRegister): Copy {
  const records = createRecords(db, format, damage && inCopy(damage))
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const noteHead = db.prepare('UPDATE copy SET head = ?')
  const noteDeleted = db.prepare('UPDATE copy SET batches_from = max(batches_from, ?)')
  const oldest = db.prepare('SELECT seq FROM batches WHERE seq <= ? ORDER BY seq LIMIT ?')
  const drop = db.prepare('DELETE FROM batches WHERE seq <= ?')
  const factAt = db.prepare('SELECT * FROM facts WHERE seq = ?')
  const batchAt = db.prepare('SELECT * FROM batches WHERE seq = ?')
  const get = db.prepare('SELECT seq, bytes FROM checkpoints WHERE name = ?')
  const put = db.prepare('INSERT OR REPLACE INTO checkpoints (name, seq, bytes) VALUES (?, ?, ?)')
  const revisionOf = db.prepare('SELECT revision FROM shared WHERE name = ?')
  const putRevision = db.prepare('INSERT OR REPLACE INTO shared (name, revision) VALUES (?, ?)')
  let { head, batches_from: batchesFrom } = db.prepare('SELECT head, batches_from FROM copy').get() as {
    head: number
    batches_from: number
  }

  function change(write: () => void): void {
    try {
      begin.run()
      write()
      commit.run()
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw isStoreFailure(error) ? new StoreUnavailable(error) : error
    }
  }
  const at = (seq: number) => (factAt.get(seq) ?? batchAt.get(seq)) as LogRow | undefined
  const load = (name: string) => get.get(name) as { seq: number; bytes: Uint8Array } | undefined

  return {
    ...records,
    head: () => head,
    batchesFrom: () => batchesFrom,
    take(rows, newHead) {
      change(() => {
        for (const row of rows)
          if (isBatch(row)) records.putBatch(row)
          else records.putFact(row)
        noteHead.run(newHead)
      })
      head = newHead
    },
    holds(row) {
      const held = at(row.seq)
      return held !== undefined && isSame(held, row)
    },
    last: () => at(head),
    deleteBatches(through) {
      const some = oldest.all(through, BATCHES_AT_ONCE) as { seq: number }[]
      const hasMore = some.length === BATCHES_AT_ONCE
      const last = hasMore ? (some.at(-1)?.seq ?? through) : through
      if (last <= batchesFrom) return false
      change(() => {
        drop.run(last)
        noteDeleted.run(last)
      })
      batchesFrom = last
      return hasMore
    },
    load,
    save: (name, seq, bytes) => change(() => put.run(name, seq, bytes)),
    takeShared({ name, seq, revision, bytes }) {
      const mine = load(name)
      const known = (revisionOf.get(name) as { revision: number } | undefined)?.revision
      if (mine !== undefined && (mine.seq > seq || (mine.seq === seq && known === revision))) return
      change(() => {
        put.run(name, seq, bytes)
        putRevision.run(name, revision)
      })
    },
    noteShared: (name, revision) => change(() => putRevision.run(name, revision)),
    disown: () => change(() => db.exec("UPDATE copy SET database = ''")),
    isOpen: () => db.isOpen,
    close() {
      if (db.isOpen) db.close()
    },
  }
}

/** What is damaged here is whole in the database, and copied anew where the folder is emptied. */
const inCopy = (damage: DamageRegister): DamageRegister => ({
  ...damage,
  note: (part) => damage.note({ ...part, key: `${part.key} in the copy of this node` }),
})

function isSame(one: LogRow, other: LogRow): boolean {
  if (isBatch(one) || isBatch(other))
    return (
      isBatch(one) &&
      isBatch(other) &&
      one.recorded_at === other.recorded_at &&
      Buffer.compare(one.bytes, other.bytes) === 0
    )
  return (
    one.stream === other.stream &&
    one.version === other.version &&
    one.type === other.type &&
    one.recorded_at === other.recorded_at &&
    one.data === other.data
  )
}
