import type { DatabaseSync } from 'node:sqlite'
import { soundChunks } from '../chunk-damage.ts'
import type { DamageRegister } from '../damage.ts'
import type { FactRow } from '../fact-rows.ts'
import { CHECKED_TABLES, type CheckedRow, type CheckPlace, checkRows } from '../record-check.ts'
import type { BatchRow } from './batch-table.ts'
import { createChunkScan } from './chunk-scan.ts'
import { chunkId, keyOfChunk } from './chunk-table.ts'
import { saveDamage } from './damage-table.ts'
import { noteHoles, readableRows } from './readable-rows.ts'
import type { Writer } from './writer.ts'

/** Rows read at a time, and ms between two notes of how far it is. */
const ROWS = { facts: 100, batches: 4, chunks: 100 }
const NOTE_EVERY = 60_000

/** Some rows of a table; `next`: where to go on, undefined at the end */
type Page = { rows: CheckedRow[]; next: number | undefined }

/** Reads through all there is, a little at a time; see `Store.check`. */
export function createCheck(db: DatabaseSync, writer: Writer, damage: DamageRegister) {
  const check = openCheck(db, writer, damage)
  return async (ms: number): Promise<boolean> => {
    const started = performance.now()
    do if (checkSome(check)) return true
    while (performance.now() - started < ms)
    return false
  }
}

type Check = ReturnType<typeof openCheck>

function openCheck(db: DatabaseSync, writer: Writer, damage: DamageRegister) {
  const places = new Map(
    (db.prepare('SELECT "table", position, sealed FROM record_check').all() as unknown as CheckPlace[]).map(
      (place) => [place.table, { ...place, sealed: Boolean(place.sealed) }],
    ),
  )
  const begun = CHECKED_TABLES.findIndex((table) => places.get(table)?.position !== '')
  const statementsOf = (table: 'facts' | 'batches') => ({
    after: db.prepare(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`),
    at: db.prepare(`SELECT * FROM ${table} WHERE seq = ?`),
  })
  const check = {
    db,
    writer,
    damage,
    places,
    /** number of the table that is being read; the first one where none is */
    at: Math.max(0, begun),
    facts: statementsOf('facts'),
    batches: statementsOf('batches'),
    scanChunks: createChunkScan(db),
    putPlace: db.prepare('UPDATE record_check SET position = ?, sealed = ? WHERE "table" = ?'),
    notedAt: performance.now(),
    isDamageSaved: true,
  }
  damage.onNoted(() => {
    check.isDamageSaved = false
  })
  return check
}

/** Checks some rows of a table; whether they were the last of all. */
function checkSome(check: Check): boolean {
  const place = check.places.get(CHECKED_TABLES[check.at] as CheckPlace['table']) as CheckPlace
  const { table, position } = place
  const after = position === '' ? -1 : Number(position)
  const { rows, next } = table === 'chunks' ? chunks(check, after) : numbered(check, table, after)
  const lacking = checkRows(rows, place, check.damage)
  const isEnd = next === undefined
  place.position = isEnd ? '' : String(next)
  if (isEnd) {
    place.sealed = true
    check.at = (check.at + 1) % CHECKED_TABLES.length
  }
  if (lacking.length > 0 || isEnd || !check.isDamageSaved || performance.now() - check.notedAt > NOTE_EVERY)
    write(check, table, lacking)
  return isEnd && check.at === 0
}

function numbered(check: Check, table: 'facts' | 'batches', after: number): Page {
  const { rows, holes, through } = readableRows<FactRow & BatchRow>(check[table], {
    seq: after,
    limit: ROWS[table],
    head: check.writer.head,
  })
  noteHoles(check, table, holes)
  const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
  return { rows: rows.map((row) => ({ table, row })), next: last === 0 ? undefined : last }
}

function chunks({ scanChunks, damage }: Check, after: number): Page {
  const { rows, holes, next } = scanChunks(after, ROWS.chunks)
  for (const { id, reason } of holes) soundChunks([{ ...placeOf(id), fault: reason }], damage)
  return {
    rows: rows.map(({ id, bytes, sum }) => ({ table: 'chunks', row: { ...placeOf(id), bytes, sum } })),
    next,
  }
}

function placeOf(id: number): { device: number; day: number; place: number } {
  const { device, day, window } = keyOfChunk(id)
  return { device, day, place: window }
}

/** Gives rows of a table their checksums, and notes how far the check is and what it found. */
function write(check: Check, table: CheckPlace['table'], lacking: ReturnType<typeof checkRows>): void {
  const { db, writer, damage, places, putPlace } = check
  writer.inBackground(() => {
    const key = table === 'chunks' ? 'id' : 'seq'
    const setSum = db.prepare(`UPDATE ${table} SET sum = ? WHERE ${key} = ? AND sum IS NULL`)
    for (const { checked, sum } of lacking) setSum.run(sum, idOf(checked))
    for (const { position, sealed, table: name } of places.values())
      putPlace.run(position, sealed ? 1 : 0, name)
    saveDamage(db, damage)
  })
  check.notedAt = performance.now()
  check.isDamageSaved = true
}

const idOf = ({ table, row }: CheckedRow): number =>
  table === 'chunks' ? chunkId(row.day, Number(row.place), row.device) : row.seq
