import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Checksum } from '../checksums.ts'
import { chunkFault } from '../chunk-damage.ts'
import { DAY, encodeChunk } from '../chunks/chunk.ts'
import { createDamageRegister, type DamagedPart } from '../damage.ts'
import { type DayChunk, readingsIn } from '../day-chunks.ts'
import type { FactRow } from '../fact-rows.ts'
import { type CheckedRow, checkRow } from '../record-check.ts'
import type { BatchRow } from './batch-table.ts'
import {
  chunkId,
  chunksOfDay,
  flush,
  keyOfChunk,
  openChunkTable,
  putChunk,
  removeChunk,
} from './chunk-table.ts'
import { PUT, touch } from './chunk-windows.ts'
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
 * for all that is to be taken, is refused, and nothing is changed; a file that cannot be
 * written to was written anew before facts are found to be of another than the backup's, which the refusal says.
 * @param folded names of checkpoints that are folded from facts alone: they are removed where facts are put back, so that a start folds them anew
 * @throws NotRestored; Error where a folder holds no store, or a process has it open
 */
export function restoreDays(
  dir: string,
  backupDir: string,
  wanted: DaysToRestore,
  now: number,
  folded: readonly string[] = [],
): RestoredDays {
  const backup = openBackup(backupDir)
  try {
    refuseDamagedBackup(backup, wanted)
    refuseOthersRecord(dir, backup)
    const damagedFile = isFileWhole(dir) ? undefined : salvage(dir, now)
    try {
      return { ...write(dir, backup, wanted, now, folded), damagedFile }
    } catch (error) {
      if (damagedFile === undefined || !(error instanceof NotRestored)) throw error
      throw new NotRestored(`${error.message}. ${wordsOfSalvage(damagedFile)}`)
    }
  } finally {
    backup.close()
  }
}

/** What became of a file that could not be written to, for whoever called for it. */
export const wordsOfSalvage = (damagedFile: string): string =>
  `The file was damaged: what could be read of it is in a new one. The old one is ${damagedFile}.`

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
      : `${dir} has the tables of an earlier release: start this release once on a copy of it, and take the days from that`,
  )
}

/** Facts and batches of whole days are taken, of one device none. */
const WITHIN = 'WHERE recorded_at >= ? AND recorded_at < ?'
const spanOf = ({ fromDay, toDay }: DaysToRestore): [number, number] => [fromDay * DAY, (toDay + 1) * DAY]

/** Holds each row that is to be taken against its checksum, one after the other: a month of a fleet is more than memory. @throws NotRestored */
function refuseDamagedBackup(backup: DatabaseSync, wanted: DaysToRestore): void {
  const { fromDay, toDay, device } = wanted
  const rows = <T>(sql: string, ...values: number[]) =>
    backup.prepare(sql).iterate(...values) as Iterable<unknown> as Iterable<T>
  try {
    if (device === undefined) {
      for (const row of rows<FactRow>(`SELECT * FROM facts ${WITHIN}`, ...spanOf(wanted)))
        refuseDamaged({ table: 'facts', row }, `fact ${row.seq}`)
      for (const row of rows<BatchRow>(`SELECT * FROM batches ${WITHIN}`, ...spanOf(wanted)))
        refuseDamaged({ table: 'batches', row }, `batch ${row.seq}`)
    }
    for (const { id, bytes, sum } of rows<{ id: number; bytes: Uint8Array; sum: Checksum }>(
      'SELECT id, bytes, sum FROM chunks WHERE id >= ? AND id < ? ORDER BY id',
      chunkId(fromDay, 0, 0),
      chunkId(toDay + 1, 0, 0),
    )) {
      const { device: of, day, window } = keyOfChunk(id)
      if (device !== undefined && of !== device) continue
      refuseDamaged(
        { table: 'chunks', row: { device: of, day, place: window, bytes, sum } },
        `the readings of device ${of} on ${dateOf(day)}`,
      )
    }
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
  backup: DatabaseSync,
  wanted: DaysToRestore,
  now: number,
  folded: readonly string[],
): Omit<RestoredDays, 'damagedFile'> {
  const db = openDatabase(dir)
  try {
    migrate(db)
    db.exec('BEGIN IMMEDIATE')
    const damage = openDamage(db)
    const hurt = new Set(damage.list().map((part) => deviceDayOf(part)))
    const { chunks, healed } = putChunks(db, backup, wanted, hurt, now)
    const facts = putRows(db, backup, 'facts', wanted)
    const batches = putRows(db, backup, 'batches', wanted)
    const forget = db.prepare('DELETE FROM checkpoints WHERE name = ?')
    if (facts > 0) for (const name of folded) forget.run(name)
    const isBack = isRowBack(db, backup, wanted)
    damage.clear((part) => isRestored(part, healed, isBack))
    saveDamage(db, damage)
    db.exec('COMMIT')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return { chunks, facts, batches }
  } finally {
    db.close()
  }
}

/**
 * One chunk of each device's day: what the backup has, and what is whole here and came later. Day by day, of which no more than the keys
 * are held.
 * @param hurt device days that are noted as damaged
 * @returns how many device days were put, and those of the damaged among them
 */
function putChunks(
  db: DatabaseSync,
  backup: DatabaseSync,
  { fromDay, toDay, device: only }: DaysToRestore,
  hurt: ReadonlySet<string>,
  now: number,
): { chunks: number; healed: Set<string> } {
  const [theirs, own] = [chunksIn(backup), chunksIn(db)]
  const table = openChunkTable(db, createDamageRegister())
  const summaries = createSummaryTable(db, (device, day) => readingsIn(chunksOfDay(table, device, day)))
  const healed = new Set<string>()
  let chunks = 0
  for (const day of theirs.days(fromDay, toDay)) {
    const here = own.ofDay(day, only)
    for (const [device, ids] of theirs.ofDay(day, only)) {
      const ownIds = here.get(device) ?? []
      const readings = readingsIn([...ids.flatMap(theirs.sound), ...ownIds.flatMap(own.sound)])
      for (const id of ownIds) removeChunk(table, device, day, keyOfChunk(id).window)
      touch(table, day, now)
      putChunk(table, { device, day, bytes: encodeChunk(readings) }, PUT)
      summaries.replace({ device, day, readings })
      chunks++
      if (hurt.has(`${device} ${day}`)) healed.add(`${device} ${day}`)
    }
    summaries.flush()
    flush(table)
  }
  return { chunks, healed }
}

/** The chunks of a file whose pages can be read. */
function chunksIn(db: DatabaseSync) {
  const firstFrom = db.prepare('SELECT min(id) AS id FROM chunks WHERE id >= ?')
  const keys = db.prepare('SELECT id FROM chunks WHERE id >= ? AND id < ? ORDER BY id')
  const one = db.prepare('SELECT bytes, sum FROM chunks WHERE id = ?')
  return {
    /** days that have any, both ends included, ascending */
    *days(fromDay: number, toDay: number): Generator<number> {
      for (let from = fromDay; ; ) {
        const { id } = firstFrom.get(chunkId(from, 0, 0)) as { id: number | null }
        if (id === null || keyOfChunk(id).day > toDay) return
        yield keyOfChunk(id).day
        from = keyOfChunk(id).day + 1
      }
    },
    /** keys of a day's chunks by device, those stored first first; `only`: of this device */
    ofDay(day: number, only: number | undefined): Map<number, number[]> {
      const found = new Map<number, number[]>()
      for (const { id } of keys.iterate(
        chunkId(day, 0, 0),
        chunkId(day + 1, 0, 0),
      ) as Iterable<unknown> as Iterable<{ id: number }>) {
        const { device } = keyOfChunk(id)
        if (only !== undefined && device !== only) continue
        const known = found.get(device)
        if (known) known.push(id)
        else found.set(device, [id])
      }
      return found
    },
    /** none where it is not what was written */
    sound(id: number): DayChunk[] {
      const { device, day } = keyOfChunk(id)
      const { bytes, sum } = one.get(id) as { bytes: Uint8Array; sum: Checksum }
      return chunkFault(bytes, sum) === undefined ? [{ device, day, bytes }] : []
    },
  }
}

/**
 * Puts back those that are damaged here or missing; batches that are missing only where they were not compacted yet: others were deleted
 * after it. No more than their numbers are held.
 * @throws NotRestored
 */
function putRows(
  db: DatabaseSync,
  backup: DatabaseSync,
  table: 'facts' | 'batches',
  wanted: DaysToRestore,
): number {
  if (wanted.device !== undefined) return 0
  const held = db.prepare(`SELECT * FROM ${table} WHERE seq = ?`)
  const compactedThrough = Number(db.prepare('SELECT done_through AS seq FROM compaction').get()?.seq)
  const isLacking = (seq: number): boolean => {
    const own = held.get(seq) as (FactRow & BatchRow) | undefined
    if (own === undefined) return table === 'facts' || seq > compactedThrough
    return checkRow({ table, row: own }, true).fault !== undefined
  }
  const lacking: number[] = []
  const theirs = backup.prepare(`SELECT seq FROM ${table} ${WITHIN}`)
  for (const { seq } of theirs.iterate(...spanOf(wanted)) as Iterable<unknown> as Iterable<{ seq: number }>)
    if (isLacking(seq)) lacking.push(seq)
  // none of them may be taken for another one
  const remove = db.prepare(`DELETE FROM ${table} WHERE seq = ?`)
  for (const seq of lacking) remove.run(seq)
  const their = backup.prepare(`SELECT * FROM ${table} WHERE seq = ?`)
  for (const seq of lacking) {
    const row = their.get(seq) as unknown as FactRow | BatchRow
    if ('stream' in row) refuseTaken(db, row)
    const columns = Object.keys(row)
    db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`).run(
      ...Object.values(row),
    )
  }
  return lacking.length
}

/** What was appended after a fact was lost has the version of the one that is lost. */
function refuseTaken(db: DatabaseSync, { seq, stream, version }: FactRow): void {
  const other = db.prepare('SELECT seq FROM facts WHERE stream = ? AND version = ?').get(stream, version)
  if (other !== undefined)
    throw new NotRestored(
      `fact ${seq} of the backup and fact ${other.seq} here, which came later, are both version ${version} of ${stream}: only one of them can be in the record. With --device the readings of a device are put back without facts`,
    )
}

/** Whether a fact or batch was among those taken, and is here now. */
function isRowBack(db: DatabaseSync, backup: DatabaseSync, wanted: DaysToRestore): (seq: number) => boolean {
  const here = db.prepare('SELECT 1 FROM facts WHERE seq = ?1 UNION SELECT 1 FROM batches WHERE seq = ?1')
  const theirs = (['facts', 'batches'] as const).map((table) =>
    backup.prepare(`SELECT 1 FROM ${table} ${WITHIN} AND seq = ?`),
  )
  const isTaken = (seq: number): boolean =>
    wanted.device === undefined && theirs.some((one) => one.get(...spanOf(wanted), seq) !== undefined)
  return (seq) => isTaken(seq) && here.get(seq) !== undefined
}

const deviceDayOf = ({ device, from }: DamagedPart): string =>
  `${device} ${from === null ? '' : Math.floor(from / DAY)}`

/** Whether a part that was damaged is whole again. */
function isRestored(
  part: DamagedPart,
  healed: ReadonlySet<string>,
  isBack: (seq: number) => boolean,
): boolean {
  if (part.table === 'file') return true
  if (part.table === 'chunks') return healed.has(deviceDayOf(part))
  const [first = 0, last = first] = part.key.split('-').map(Number)
  for (let seq = first; seq <= last; seq++) if (!isBack(seq)) return false
  return true
}

const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
