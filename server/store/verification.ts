import { decodeReadings } from '#machines/contracts/readings.ts'
import type { Checksum } from './checksums.ts'
import { decodeChunk } from './chunks/chunk.ts'
import { dayBlock } from './chunks/day-block.ts'
import type { FactRow } from './fact-rows.ts'
import { type CheckedRow, checkRow } from './record-check.ts'
import { factFault } from './verify-record.ts'

/** What was read of a record, and what of it this release cannot read. */
export type Verified = {
  facts: number
  /** batches not compacted yet, chunks of days, and the readings in both */
  batches: number
  chunks: number
  readings: number
  summaries: number
  /** how much cannot be read, and the first of it in words */
  damaged: number
  damage: string[]
}

const MOST_FINDINGS = 20

export const nothingVerified = (): Verified => ({
  facts: 0,
  batches: 0,
  chunks: 0,
  readings: 0,
  summaries: 0,
  damaged: 0,
  damage: [],
})

/** All damage is counted, the first `MOST_FINDINGS` are named. */
export function noteDamage(found: Verified, what: string): void {
  found.damaged++
  if (found.damage.length < MOST_FINDINGS) found.damage.push(what)
}

type BatchRow = { seq: number; recorded_at: number; bytes: Uint8Array; sum: Checksum }

/** Brings a stored fact up to this release and decodes it by its contract. */
export function verifyFact(found: Verified, row: FactRow, sealed = false): void {
  found.facts++
  if (noteFault(found, `fact ${row.seq} (${row.type})`, { table: 'facts', row }, sealed)) return
  const fault = factFault(row)
  if (fault) noteDamage(found, `fact ${row.seq} (${row.type}): ${fault.reason}`)
}

/** Counts it, and notes what is wrong instead of throwing. @param sealed as `checkRow` takes it */
export function verifyBatch(found: Verified, row: BatchRow, sealed = false): void {
  const { seq, bytes } = row
  found.batches++
  if (noteFault(found, `batch ${seq}`, { table: 'batches', row }, sealed)) return
  attempt(found, `batch ${seq}`, () => {
    found.readings += decodeReadings(bytes).length
  })
}

type ChunkRow = { device: number; day: number; place: string | number; bytes: Uint8Array; sum: Checksum }

/** As `verifyBatch`. */
export function verifyChunk(found: Verified, row: ChunkRow, sealed = false): void {
  const { device, day, bytes } = row
  found.chunks++
  if (noteFault(found, `readings of device ${device} on day ${day}`, { table: 'chunks', row }, sealed)) return
  attempt(found, `readings of device ${device} on day ${day}`, () => {
    found.readings += decodeChunk(bytes, device, day).length
  })
}

/** As `verifyBatch`; summaries have no checksum, so it is only seen whether they can be read. */
export function verifySummary(found: Verified, { day, bytes }: { day: number; bytes: Uint8Array }): void {
  found.summaries++
  attempt(found, `summaries of day ${day}`, () => dayBlock(bytes))
}

/** Whether a row is not what was written, which is noted. */
function noteFault(found: Verified, what: string, checked: CheckedRow, sealed: boolean): boolean {
  const { fault } = checkRow(checked, sealed)
  if (fault !== undefined) noteDamage(found, `${what}: ${fault}`)
  return fault !== undefined
}

function attempt(found: Verified, what: string, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    noteDamage(found, `${what}: ${error instanceof Error ? error.message : error}`)
  }
}
