import { decodeReadings } from '#machines/contracts/readings.ts'
import { type Checksum, isSound, OTHER_THAN_WRITTEN, sumOfBatch, sumOfChunk, sumOfFact } from './checksums.ts'
import { decodeChunk } from './chunks/chunk.ts'
import type { DamagedPart, DamagedTable, DamageRegister } from './damage.ts'
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

/** Holds a row against its checksum. One of an older release has none and is given one if it can be read. */
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

/** A damaged fact or batch, of which no device is known. */
export const damagedRow = (
  table: DamagedTable,
  key: string,
  reason: string,
  at: number | null = null,
): DamagedPart => ({ table, key, device: null, from: at, to: at, reason })

/** Takes from the register what was damaged and was found whole. */
export function clearKeys(damage: DamageRegister, table: DamagedTable, keys: () => string[]): void {
  if (!damage.list().some((part) => part.table === table)) return
  const whole = new Set(keys())
  damage.clear((part) => part.table === table && whole.has(part.key))
}
