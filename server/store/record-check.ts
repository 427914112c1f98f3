import { decodeReadings } from '#machines/contracts/readings.ts'
import { type Checksum, isSound, OTHER_THAN_WRITTEN, sumOfBatch, sumOfChunk, sumOfFact } from './checksums.ts'
import { chunkKey, soundChunks } from './chunk-damage.ts'
import { decodeChunk } from './chunks/chunk.ts'
import type { DamageRegister } from './damage.ts'
import { type FactRow, factOf } from './fact-rows.ts'

/** The tables that are read through, in their order. */
export const CHECKED_TABLES = ['facts', 'batches', 'chunks'] as const
export type CheckedTable = (typeof CHECKED_TABLES)[number]

/** How far one table is read; `sealed`: each row has a checksum, so one without is damaged. */
export type CheckPlace = { table: CheckedTable; position: string; sealed: boolean }

/** A row as a table has it, of whichever kind. */
export type CheckedRow =
  | { table: 'facts'; row: FactRow }
  | { table: 'batches'; row: { seq: number; recorded_at: number; bytes: Uint8Array; sum: Checksum } }
  | {
      table: 'chunks'
      row: { device: number; day: number; place: string | number; bytes: Uint8Array; sum: Checksum }
    }

export const HAS_NO_SUM = 'its checksum was taken away'

/** What is wrong with a row, or the checksum that it is to be given; neither: it is as it was written. */
export type Finding = { fault?: string; sum?: Uint8Array }

/** Holds a row against its checksum. One of an older release has none and is given one if it can be read; where `sealed`, a row without is a fault. */
export function checkRow(checked: CheckedRow, sealed: boolean): Finding {
  const { row } = checked
  if (row.sum !== null && row.sum !== undefined)
    return isSound(row.sum, () => sumOr(checked)) ? {} : { fault: OTHER_THAN_WRITTEN }
  if (sealed) return { fault: HAS_NO_SUM }
  try {
    read(checked)
    return { sum: sumOf(checked) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function read(checked: CheckedRow): void {
  if (checked.table === 'facts') factOf(checked.row)
  else if (checked.table === 'batches') decodeReadings(checked.row.bytes)
  else decodeChunk(checked.row.bytes, checked.row.device, checked.row.day)
}

function sumOf(checked: CheckedRow): Uint8Array {
  if (checked.table === 'facts') return sumOfFact(checked.row)
  return checked.table === 'batches' ? sumOfBatch(checked.row.bytes) : sumOfChunk(checked.row.bytes)
}

const NO_SUM = new Uint8Array(0)

function sumOr(checked: CheckedRow): Uint8Array {
  try {
    return sumOf(checked)
  } catch {
    return NO_SUM
  }
}

/**
 * Checks rows of one table: what is damaged is noted in the register, what was damaged and is found whole is taken from it.
 * @returns rows without a checksum, and the one that each is to be given
 */
export function checkRows(
  rows: readonly CheckedRow[],
  { table, sealed }: CheckPlace,
  damage: DamageRegister,
): { checked: CheckedRow; sum: Uint8Array }[] {
  const whole: CheckedRow[] = []
  const lacking: { checked: CheckedRow; sum: Uint8Array }[] = []
  for (const checked of rows) {
    const { fault, sum } = checkRow(checked, sealed)
    if (fault === undefined) whole.push(checked)
    else note(checked, fault, damage)
    if (sum !== undefined) lacking.push({ checked, sum })
  }
  if (damage.list().some((part) => part.table === table)) {
    const keys = new Set(whole.map(keyOf))
    damage.clear((part) => part.table === table && keys.has(part.key))
  }
  return lacking
}

function note(checked: CheckedRow, reason: string, damage: DamageRegister): void {
  const { table, row } = checked
  if (table === 'chunks') soundChunks([{ ...row, fault: reason }], damage)
  else {
    const at = table === 'batches' ? row.recorded_at : null
    damage.note({ table, key: keyOf(checked), device: null, from: at, to: at, reason })
  }
}

const keyOf = ({ table, row }: CheckedRow): string => (table === 'chunks' ? chunkKey(row) : String(row.seq))
