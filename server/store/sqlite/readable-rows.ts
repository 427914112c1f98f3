import type { StatementSync } from 'node:sqlite'
import type { DamageRegister } from '../damage.ts'
import type { SeenNumbers } from '../seen-numbers.ts'
import { isCorrupt } from './failures.ts'

/**
 * How tables of the record are read. `sound`: what was held against its checksum, or written, since the start: the check of
 * the record reads it again; `head`: the last number there may be.
 */
export type TableReading = { damage: DamageRegister; sound: SeenNumbers; head(): number }
type Table = 'facts' | 'batches'

/** Numbers of a table that lie on a page that cannot be read: perhaps some of them never were in it. */
export type Hole = { first: number; last: number; reason: string }

/** `through`: nothing behind it was tried; undefined: there is no more than what is answered, or as much as was asked for */
export type Readable<Row> = { rows: Row[]; holes: Hole[]; through?: number | undefined }

type Numbered = { seq: number }
/** `after`: rows after a number, in order, at most so many; `at`: the one of a number */
type Statements = { after: StatementSync; at: StatementSync }

/**
 * Rows after a number as far as the file can be read, in order, at most `limit`, and the holes between them. Where a page is
 * damaged each number is tried by itself.
 * @param head the last number there may be
 */
export function readableRows<Row extends Numbered>(
  { after, at }: Statements,
  { seq, limit, head }: { seq: number; limit: number; head: () => number },
): Readable<Row> {
  try {
    return { rows: after.all(seq, limit) as unknown as Row[], holes: [] }
  } catch (error) {
    if (!isCorrupt(error)) throw error
  }
  const rows: Row[] = []
  const holes: Hole[] = []
  const end = head()
  const last = Math.min(end, seq + MOST_TRIED)
  for (let each = seq + 1; each <= last && rows.length < limit; each++) {
    try {
      const row = at.get(each)
      if (row !== undefined) rows.push(row as unknown as Row)
    } catch (error) {
      if (!isCorrupt(error)) throw error
      const open = holes.at(-1)
      if (open?.last === each - 1) open.last = each
      else holes.push({ first: each, last: each, reason: (error as Error).message })
    }
  }
  return { rows, holes, through: rows.length < limit && last < end ? last : undefined }
}

/** Numbers tried one by one at a time: some tenths of a second. */
const MOST_TRIED = 100_000

/** Of no device and no time: what was there cannot be read. */
export function noteHoles(
  { damage }: Pick<TableReading, 'damage'>,
  table: Table,
  holes: readonly Hole[],
): void {
  for (const { first, last, reason } of holes) {
    const key = first === last ? `${first}` : `${first}-${last}`
    damage.note({ table, key, device: null, from: null, to: null, reason })
  }
}

/** @param recordedAt epoch ms; null where that cannot be read either */
export function noteDamaged(
  { damage }: TableReading,
  table: Table,
  seq: number,
  reason: string,
  recordedAt: number | null = null,
): void {
  damage.note({ table, key: String(seq), device: null, from: recordedAt, to: recordedAt, reason })
}
