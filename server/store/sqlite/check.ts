import type { DatabaseSync } from 'node:sqlite'
import { chunkKey, soundChunks } from '../chunk-damage.ts'
import type { DamageRegister } from '../damage.ts'
import type { FactRow } from '../fact-rows.ts'
import {
  CHECKED_TABLES,
  type CheckedRow,
  type CheckPlace,
  checkRow,
  clearKeys,
  damagedRow,
} from '../record-check.ts'
import type { BatchRow } from './batch-table.ts'
import { createChunkScan } from './chunk-scan.ts'
import { keyOfChunk } from './chunk-table.ts'
import { saveDamage } from './damage-table.ts'
import { type Hole, readableRows } from './readable-rows.ts'
import type { Writer } from './writer.ts'

/** Rows read at a time, and ms between two notes of how far it is. */
const ROWS = { facts: 100, batches: 4, chunks: 100 }
const NOTE_EVERY = 60_000

/** Some rows of a table; `next`: where to go on, undefined at the end */
type Page = { rows: (CheckedRow & { id: number })[]; holes: Hole[]; next: number | undefined }
type Sum = { id: number; sum: Uint8Array }

/** Reads through all there is, a little at a time; see `Store.check`. */
export function createCheck(db: DatabaseSync, writer: Writer, damage: DamageRegister) {
  const scanChunks = createChunkScan(db)
  const factsAfter = db.prepare('SELECT * FROM facts WHERE seq > ? ORDER BY seq LIMIT ?')
  const factAt = db.prepare('SELECT * FROM facts WHERE seq = ?')
  const batchesAfter = db.prepare('SELECT * FROM batches WHERE seq > ? ORDER BY seq LIMIT ?')
  const batchAt = db.prepare('SELECT * FROM batches WHERE seq = ?')
  const ids = { facts: 'seq', batches: 'seq', chunks: 'id' }
  const places = new Map(
    (db.prepare('SELECT "table", position, sealed FROM record_check').all() as unknown as CheckPlace[]).map(
      (place) => [place.table, { ...place, sealed: Boolean(place.sealed) }],
    ),
  )
  const putPlace = db.prepare('UPDATE record_check SET position = ?, sealed = ? WHERE "table" = ?')
  let notedAt = performance.now()
  let isDamageSaved = true
  damage.onNoted(() => {
    isDamageSaved = false
  })

  function numbered(table: 'facts' | 'batches', after: number): Page {
    const statements =
      table === 'facts' ? { after: factsAfter, at: factAt } : { after: batchesAfter, at: batchAt }
    const { rows, holes, through } = readableRows<FactRow & BatchRow>(statements, {
      seq: after,
      limit: ROWS[table],
      head: writer.head,
    })
    const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
    return {
      rows: rows.map((row) => ({ table, row, id: row.seq })),
      holes,
      next: last === 0 ? undefined : last,
    }
  }

  function chunks(after: number): Page {
    const { rows, holes, next } = scanChunks(after, ROWS.chunks)
    for (const { id, reason } of holes) noteChunk(id, undefined, reason)
    return {
      rows: rows.map(({ id, bytes, sum }) => {
        const { device, day, window } = keyOfChunk(id)
        return { table: 'chunks', row: { device, day, place: window, bytes, sum }, id }
      }),
      holes: [],
      next,
    }
  }

  function noteChunk(id: number, bytes: Uint8Array | undefined, fault: string): void {
    const { device, day, window } = keyOfChunk(id)
    soundChunks([{ device, day, place: window, bytes, fault }], damage)
  }

  function note(found: CheckedRow & { id: number }, fault: string): void {
    if (found.table === 'chunks') noteChunk(found.id, found.row.bytes, fault)
    else
      damage.note(
        damagedRow(
          found.table,
          String(found.id),
          fault,
          found.table === 'batches' ? found.row.recorded_at : null,
        ),
      )
  }

  /** Checks some rows of a table; answers the checksums that are missing. */
  function checkPage(place: CheckPlace): { sums: Sum[]; isEnd: boolean } {
    const { table, sealed } = place
    const after = place.position === '' ? -1 : Number(place.position)
    const { rows, holes, next } = table === 'chunks' ? chunks(after) : numbered(table, after)
    for (const { first, last, reason } of holes)
      damage.note(damagedRow(table, first === last ? `${first}` : `${first}-${last}`, reason))
    const sums: Sum[] = []
    const sound: string[] = []
    for (const found of rows) {
      const { fault, sum } = checkRow(found, sealed)
      if (fault !== undefined) note(found, fault)
      else sound.push(found.table === 'chunks' ? chunkKey(found.row) : String(found.id))
      if (sum !== undefined) sums.push({ id: found.id, sum })
    }
    clearKeys(damage, table, () => sound)
    place.position = next === undefined ? '' : String(next)
    return { sums, isEnd: next === undefined }
  }

  function write(changed: CheckPlace, sums: readonly Sum[], isEnd: boolean): void {
    const { table } = changed
    const isDue = performance.now() - notedAt > NOTE_EVERY || !isDamageSaved || isEnd
    if (sums.length === 0 && !isDue) return
    writer.inBackground(() => {
      const setSum = db.prepare(`UPDATE ${table} SET sum = ? WHERE ${ids[table]} = ? AND sum IS NULL`)
      for (const { id, sum } of sums) setSum.run(sum, id)
      for (const { position, sealed, table: name } of places.values())
        putPlace.run(position, sealed ? 1 : 0, name)
      saveDamage(db, damage)
    })
    notedAt = performance.now()
    isDamageSaved = true
  }

  /** the table that is being read; the first one where none is */
  let at = Math.max(
    0,
    CHECKED_TABLES.findIndex((table) => places.get(table)?.position !== ''),
  )

  return async function check(ms: number): Promise<boolean> {
    const started = performance.now()
    do {
      const place = places.get(CHECKED_TABLES[at] as CheckPlace['table']) as CheckPlace
      const { sums, isEnd } = checkPage(place)
      if (isEnd) {
        place.sealed = true
        at = (at + 1) % CHECKED_TABLES.length
      }
      write(place, sums, isEnd)
      if (isEnd && at === 0) return true
    } while (performance.now() - started < ms)
    return false
  }
}
