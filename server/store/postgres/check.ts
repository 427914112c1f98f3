import type { Checksum } from '../checksums.ts'
import { type DamagedPart, type DamageRegister, nameOf } from '../damage.ts'
import type { FactRow } from '../fact-rows.ts'
import { CHECKED_TABLES, type CheckedRow, type CheckPlace, checkRows } from '../record-check.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import { damagedParts } from './damage-table.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'

const ROWS = { facts: 500, batches: 16, chunks: 500 }

type ChunkRow = { device: number; day: number; job: number; bytes: Buffer; sum: Checksum }
type Page = { rows: CheckedRow[]; next: string }
type Check = {
  readonly damage: DamageRegister
  /** parts that were in the database when this node last looked */
  known: Set<string>
}

/**
 * Reads through all there is in the database, a little at a time; see `Store.check`. How far it is and what it found are in the
 * database, so whichever node leads goes on.
 */
export function createCheck(database: Database, damage: DamageRegister) {
  const check: Check = { damage, known: new Set() }
  return async (ms: number): Promise<boolean> => {
    const started = performance.now()
    do if (await database.transaction((sql) => checkSome(sql, check))) return true
    while (performance.now() - started < ms)
    return false
  }
}

/** Checks some rows; answers whether they were the last of all. */
async function checkSome(sql: Query, check: Check): Promise<boolean> {
  const stored = await takeOver(sql, check)
  const places = await sql<CheckPlace[]>`SELECT "table", position, sealed FROM record_check`
  const of = (table: string) => places.find((place) => place.table === table) as CheckPlace
  const place = CHECKED_TABLES.map(of).find(({ position }) => position !== '') ?? of(CHECKED_TABLES[0])
  const { rows, next } = await page(sql, place)
  for (const { checked, sum } of checkRows(rows, place, check.damage)) await giveSum(sql, checked, sum)
  const after = CHECKED_TABLES[CHECKED_TABLES.indexOf(place.table) + 1]
  await sql`UPDATE record_check SET position = ${next}, sealed = sealed OR ${next === ''}
    WHERE "table" = ${place.table}`
  if (next === '' && after !== undefined)
    await sql`UPDATE record_check SET position = '-1' WHERE "table" = ${after}`
  await save(sql, check.damage, stored)
  return next === '' && after === undefined
}

/** Takes over what other nodes found and cleared since; answers what the database has. */
async function takeOver(sql: Query, check: Check): Promise<DamagedPart[]> {
  const { damage, known } = check
  const stored = await damagedParts(sql)
  const names = new Set(stored.map(nameOf))
  damage.clear((part) => known.has(nameOf(part)) && !names.has(nameOf(part)))
  for (const part of stored) damage.note(part)
  check.known = names
  return stored
}

async function page(sql: Query, { table, position }: CheckPlace): Promise<Page> {
  if (table === 'chunks') return chunks(sql, position)
  const after = position === '' ? -1 : Number(position)
  const rows = await sql<(FactRow & BatchRow)[]>`
    SELECT * FROM ${sql(table)} WHERE seq > ${after} ORDER BY seq LIMIT ${ROWS[table]}`
  return { rows: rows.map((row) => ({ table, row })), next: String(rows.at(-1)?.seq ?? '') }
}

/** A position is day, device and job of the last chunk that was read. */
async function chunks(sql: Query, position: string): Promise<Page> {
  const [day = -1, device = -1, job = -1] = position.split(' ').filter(Boolean).map(Number)
  const rows = await sql<ChunkRow[]>`
    SELECT * FROM (
      SELECT device, day, job, bytes, sum FROM telemetry_chunks WHERE day = ${day}
      UNION ALL SELECT device, day, job, bytes, sum FROM telemetry_fresh WHERE day = ${day}) AS c
    WHERE (device, job) > (${device}, ${job}) ORDER BY device, job LIMIT ${ROWS.chunks}`
  const last = rows.at(-1)
  if (last !== undefined) {
    const next = `${last.day} ${last.device} ${last.job}`
    return { rows: rows.map(({ job: place, ...row }) => ({ table: 'chunks', row: { ...row, place } })), next }
  }
  const [nextDay] = await sql<{ day: number }[]>`
    SELECT day FROM telemetry_days WHERE day > ${day} ORDER BY day LIMIT 1`
  return { rows: [], next: nextDay === undefined ? '' : `${nextDay.day} -1 -1` }
}

async function giveSum(sql: Query, { table, row }: CheckedRow, sum: Uint8Array): Promise<void> {
  if (table !== 'chunks')
    await sql`UPDATE ${sql(table)} SET sum = ${sum} WHERE seq = ${row.seq} AND sum IS NULL`
  else
    for (const name of ['telemetry_chunks', 'telemetry_fresh'])
      await sql`UPDATE ${sql(name)} SET sum = ${sum}
        WHERE day = ${row.day} AND device = ${row.device} AND job = ${Number(row.place)} AND sum IS NULL`
}

/** Writes what is other than before: another node may lead, and know of more. */
async function save(sql: Query, damage: DamageRegister, stored: readonly DamagedPart[]): Promise<void> {
  const parts = damage.list()
  const names = new Set(parts.map(nameOf))
  for (const part of stored)
    if (!names.has(nameOf(part)))
      await sql`DELETE FROM damage WHERE "table" = ${part.table} AND key = ${part.key}`
  const had = new Set(stored.map(nameOf))
  for (const part of parts) {
    const { table, key, device, from, to, reason } = part
    if (!had.has(nameOf(part)))
      await sql`INSERT INTO damage VALUES (${table}, ${key}, ${device}, ${from}, ${to}, ${reason}) ON CONFLICT DO NOTHING`
  }
}
