import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'
import type { TelemetryOptions } from '../telemetry-options.ts'
import { FACT_FORMAT, type FactFormat } from '../upcast.ts'
import { createAnswers } from './answers.ts'
import { createAside } from './aside.ts'
import { createCheck } from './check.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createCopying } from './copying.ts'
import { openDamage } from './damage-table.ts'
import { openDatabase, removeDatabase, STORE_FILE } from './database.ts'
import { createEventLog } from './event-log.ts'
import { createFrames } from './frames.ts'
import { headOf } from './head.ts'
import { createRecords } from './records.ts'
import { migrate } from './schema.ts'
import { createSeals } from './seals.ts'
import { createTelemetry } from './telemetry.ts'
import { createWriter } from './writer.ts'

export type SqliteOptions = TelemetryOptions & {
  /** folder of the store's file, made when missing, or `':memory:'` */
  dir: string
  /** in which facts are written and read; of this release where left out */
  factFormat?: FactFormat | undefined
  /** called after a failed fsync with its error; by default the process ends with code 70 */
  end?: (error: unknown) => void
}

/**
 * Opens the embedded store; brings its tables up to date, and the newest readings into memory.
 * @throws CannotStart when another process has it open, or a later release wrote it
 */
export function openSqliteStore(options: SqliteOptions): Store {
  const db = openDatabase(options.dir)
  try {
    migrate(db)
    return createSqliteStore(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}

/** The store over an open, migrated database. */
export function createSqliteStore(
  db: DatabaseSync,
  { dir, clock, retentionDays, tailRows, sliceMs, factFormat = FACT_FORMAT, end = endProcess }: SqliteOptions,
): Store {
  const writer = createWriter(db, headOf(db), end)
  const damage = openDamage(db)
  const records = createRecords(db, factFormat, damage)
  const check = createCheck(db, writer, damage)
  const copying = createCopying(dir, writer)
  const seals = createSeals(db, writer)
  return {
    log: createEventLog(db, records, writer, clock, factFormat),
    telemetry: createTelemetry(db, writer, {
      clock,
      retentionDays,
      tailRows,
      sliceMs,
      isClosed: () => !db.isOpen,
      damage,
      batchesAfter: records.batchesAfter,
      noteWritten: records.noteWritten,
      seals,
    }),
    checkpoints: createCheckpoints(db, writer, damage),
    aside: createAside(db, writer),
    frames: createFrames(db, writer),
    answers: createAnswers(db, writer),
    seals,
    damage,
    check: async (ms) => !db.isOpen || check(ms),
    copyTo: copying.copyTo,
    async close() {
      if (!db.isOpen) return
      writer.close()
      const stopped = copying.stop()
      if (stopped) await stopped
      if (db.isOpen) db.close()
    },
  }
}

function endProcess(error: unknown): void {
  process.stderr.write(`the disk did not confirm a write, ending: ${error}\n`)
  process.exit(70)
}

/** Removes the store's files from its folder, for a start from nothing. The store must be closed. */
export function removeSqliteStore(dir: string): void {
  removeDatabase(dir, STORE_FILE)
}
