import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Checksum } from '../checksums.ts'
import { chunkFault } from '../chunk-damage.ts'
import { DAY, encodeChunk } from '../chunks/chunk.ts'
import { createDamageRegister } from '../damage.ts'
import { type DayChunk, readingsIn } from '../day-chunks.ts'
import type { FactRow } from '../fact-rows.ts'
import { type CheckedRow, checkRow } from '../record-check.ts'
import type { BatchRow } from './batch-table.ts'
import { createChunkScan } from './chunk-scan.ts'
import { chunkId, createChunkTable, keyOfChunk, PUT } from './chunk-table.ts'
import { openDamage, saveDamage } from './damage-table.ts'
import { openDatabase, STORE_FILE } from './database.ts'
import { isFileWhole, salvage } from './salvage.ts'
import { migrate, NEWEST_SCHEMA } from './schema.ts'
import { createSummaryTable } from './summary-table.ts'

/** Days (UTC, counted from 1970) of all devices or of one, both days included. */
export type DaysToRestore = { fromDay: number; toDay: number; device: number | undefined }

/** How much was put back. `damagedFile`: how the file is named now that could not be written to. */
export type RestoredDays = { chunks: number; facts: number; batches: number; damagedFile: string | undefined }

/** Nothing was put back, and why. */
export class NotRestored extends Error {}

/**
 * Puts days back from a backup into the folder of a stopped server: chunks of those days, joined with what is whole here; facts and
 * batches of those days that are damaged or missing here. A backup of another record, or one whose checksums do not hold
 * for all that is to be taken, is refused, and nothing is changed.
 * @throws NotRestored; Error where a folder holds no store, or a process has it open
 */
export function restoreDays(
  dir: string,
  backupDir: string,
  wanted: DaysToRestore,
  now: number,
): RestoredDays {
  const backup = openBackup(backupDir)
  try {
    const taken = takenFrom(backup, wanted)
    refuseOthersRecord(dir, backup)
    const damagedFile = isFileWhole(dir) ? undefined : salvage(dir, now)
    return { ...write(dir, taken, wanted, now), damagedFile }
  } finally {
    backup.close()
  }
}

function openBackup(dir: string): DatabaseSync {
  const file = join(dir, STORE_FILE)
  if (!existsSync(file)) throw new NotRestored(`${dir} is no backup: ${STORE_FILE} is missing`)
  const db = new DatabaseSync(file, { readOnly: true })
  const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (schema === NEWEST_SCHEMA) return db
  db.close()
  throw new NotRestored(
    schema > NEWEST_SCHEMA
      ? `${dir} was written by a later release`
      : `${dir} is of an earlier release, which kept no checksums: what it holds cannot be proved`,
  )
}

type Taken = { facts: FactRow[]; batches: BatchRow[]; chunks: Map<string, DayChunk[]> }

/** What is to be taken, each row held against its checksum. @throws NotRestored */
function takenFrom(backup: DatabaseSync, { fromDay, toDay, device }: DaysToRestore): Taken {
  const [from, to] = [fromDay * DAY, (toDay + 1) * DAY]
  const rows = <T>(sql: string, ...values: number[]) => backup.prepare(sql).all(...values) as unknown as T[]
  try {
    const between = 'WHERE recorded_at >= ? AND recorded_at < ?'
    const facts = device === undefined ? rows<FactRow>(`SELECT * FROM facts ${between}`, from, to) : []
    const batches = device === undefined ? rows<BatchRow>(`SELECT * FROM batches ${between}`, from, to) : []
    for (const row of facts) refuseDamaged({ table: 'facts', row }, `fact ${row.seq}`)
    for (const row of batches) refuseDamaged({ table: 'batches', row }, `batch ${row.seq}`)
    const chunks = new Map<string, DayChunk[]>()
    const found = rows<{ id: number; bytes: Uint8Array; sum: Checksum }>(
      'SELECT id, bytes, sum FROM chunks WHERE id >= ? AND id < ? ORDER BY id',
      chunkId(fromDay, 0, 0),
      chunkId(toDay + 1, 0, 0),
    )
    for (const { id, bytes, sum } of found) {
      const { device: of, day, window } = keyOfChunk(id)
      if (device !== undefined && of !== device) continue
      refuseDamaged(
        { table: 'chunks', row: { device: of, day, place: window, bytes, sum } },
        `the readings of device ${of} on ${dateOf(day)}`,
      )
      const name = `${of} ${day}`
      chunks.set(name, [...(chunks.get(name) ?? []), { device: of, day, bytes }])
    }
    return { facts, batches, chunks }
  } catch (error) {
    if (error instanceof NotRestored) throw error
    throw new NotRestored(`the backup cannot be read: ${(error as Error).message}`)
  }
}

function refuseDamaged(checked: CheckedRow, what: string): void {
  const { fault } = checkRow(checked, true)
  if (fault !== undefined) throw new NotRestored(`the backup is damaged too, in ${what}: ${fault}`)
}

/** Two copies of one record have a fact in common that is as it was written. */
function refuseOthersRecord(dir: string, backup: DatabaseSync): void {
  if (!existsSync(join(dir, STORE_FILE))) throw new NotRestored(`there is no record in ${dir}`)
  const db = new DatabaseSync(join(dir, STORE_FILE), { readOnly: true })
  try {
    const first = 'SELECT seq, sum FROM facts ORDER BY seq LIMIT 100'
    const mine = new Map(
      (db.prepare(first).all() as unknown as { seq: number; sum: Checksum }[]).map(({ seq, sum }) => [
        seq,
        sum,
      ]),
    )
    const theirs = backup.prepare(first).all() as unknown as { seq: number; sum: Checksum }[]
    const isSame = theirs.some(({ seq, sum }) => {
      const own = mine.get(seq)
      return sum !== null && own !== null && own !== undefined && Buffer.compare(own, sum) === 0
    })
    if (!isSame) throw new NotRestored('the backup is of another record')
  } finally {
    db.close()
  }
}

function write(
  dir: string,
  taken: Taken,
  wanted: DaysToRestore,
  now: number,
): Omit<RestoredDays, 'damagedFile'> {
  const db = openDatabase(dir)
  try {
    migrate(db)
    db.exec('BEGIN IMMEDIATE')
    const damage = openDamage(db)
    const chunks = putChunks(db, taken, now)
    const facts = putRows(db, 'facts', taken.facts)
    const batches = putRows(db, 'batches', taken.batches)
    const here = db.prepare('SELECT 1 FROM facts WHERE seq = ?1 UNION SELECT 1 FROM batches WHERE seq = ?1')
    const isHere = (seq: number) => here.get(seq) !== undefined
    damage.clear((part) => isRestored(part, taken, wanted, isHere))
    saveDamage(db, damage)
    db.exec('COMMIT')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return { chunks, facts, batches }
  } finally {
    db.close()
  }
}

/** One chunk of each device's day: what the backup has, and what is whole here and came later. */
function putChunks(db: DatabaseSync, taken: Taken, now: number): number {
  const own = ownChunks(db, taken)
  const table = createChunkTable(db, createDamageRegister())
  const summaries = createSummaryTable(db, (device, day) =>
    readingsIn(table.ofDay(device, day).map((bytes) => ({ device, day, bytes }))),
  )
  const remove = db.prepare('DELETE FROM chunks WHERE id = ?')
  for (const [name, fromBackup] of taken.chunks) {
    const { device, day } = fromBackup[0] as DayChunk
    const here = own.get(name) ?? []
    const readings = readingsIn([...fromBackup, ...here.flatMap(({ chunk }) => chunk ?? [])])
    for (const { id } of here) {
      remove.run(id)
      table.noteChanged(device, day, keyOfChunk(id).window)
    }
    const bytes = encodeChunk(readings)
    table.touch(day, now)
    table.put(device, day, PUT, bytes)
    summaries.replace({ device, day, readings })
  }
  summaries.flush()
  table.flush()
  return taken.chunks.size
}

type OwnChunk = { id: number; chunk: DayChunk | undefined }

/** All chunks here of the device days that are taken, those that are not what was written without their bytes. */
function ownChunks(db: DatabaseSync, { chunks }: Taken): Map<string, OwnChunk[]> {
  const own = new Map<string, OwnChunk[]>()
  const days = new Set(Array.from(chunks.values(), ([first]) => first?.day ?? 0))
  const scan = createChunkScan(db)
  for (const of of days)
    for (let after: number | undefined = chunkId(of, 0, 0) - 1; after !== undefined; ) {
      const page = scan(after, 1000)
      for (const { id, bytes, sum } of page.rows) {
        const { device, day } = keyOfChunk(id)
        const name = `${device} ${day}`
        if (day !== of || !chunks.has(name)) continue
        const chunk = chunkFault(bytes, sum) === undefined ? { device, day, bytes } : undefined
        own.set(name, [...(own.get(name) ?? []), { id, chunk }])
      }
      after = page.next !== undefined && page.next < chunkId(of + 1, 0, 0) ? page.next : undefined
    }
  return own
}

/**
 * Puts back those that are damaged here or missing; batches that are missing only where they were not compacted yet: others were deleted
 * after it.
 * @throws NotRestored
 */
function putRows(
  db: DatabaseSync,
  table: 'facts' | 'batches',
  rows: readonly (FactRow | BatchRow)[],
): number {
  const held = db.prepare(`SELECT * FROM ${table} WHERE seq = ?`)
  const compactedThrough = Number(db.prepare('SELECT done_through AS seq FROM compaction').get()?.seq)
  const wanted = rows.filter((row) => {
    const own = held.get(row.seq) as (FactRow & BatchRow) | undefined
    if (own === undefined) return table === 'facts' || row.seq > compactedThrough
    return checkRow({ table, row: own }, true).fault !== undefined
  })
  // none of them may be taken for another one
  const remove = db.prepare(`DELETE FROM ${table} WHERE seq = ?`)
  for (const { seq } of wanted) remove.run(seq)
  for (const row of wanted) {
    if ('stream' in row) refuseTaken(db, row)
    const columns = Object.keys(row)
    db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`).run(
      ...Object.values(row),
    )
  }
  return wanted.length
}

/** What was appended after a fact was lost has the version of the one that is lost. */
function refuseTaken(db: DatabaseSync, { seq, stream, version }: FactRow): void {
  const other = db.prepare('SELECT seq FROM facts WHERE stream = ? AND version = ?').get(stream, version)
  if (other !== undefined)
    throw new NotRestored(
      `fact ${seq} of the backup and fact ${other.seq} here, which came later, are both version ${version} of ${stream}: only one of them can be in the record. With --device the readings of a device are put back without facts`,
    )
}

/** Whether a part that was damaged is whole again. */
function isRestored(
  { table, key, device, from }: ReturnType<ReturnType<typeof createDamageRegister>['list']>[number],
  taken: Taken,
  { fromDay, toDay }: DaysToRestore,
  isHere: (seq: number) => boolean,
): boolean {
  if (table === 'file') return true
  if (table === 'chunks') {
    const day = from === null ? Number.NaN : Math.floor(from / DAY)
    return day >= fromDay && day <= toDay && taken.chunks.has(`${device} ${day}`)
  }
  const [first = 0, last = first] = key.split('-').map(Number)
  const seqs = new Set([...taken.facts, ...taken.batches].map(({ seq }) => seq))
  for (let seq = first; seq <= last; seq++) if (!seqs.has(seq) || !isHere(seq)) return false
  return true
}

const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
