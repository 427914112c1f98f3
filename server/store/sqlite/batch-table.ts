import type { DatabaseSync } from 'node:sqlite'
import { type Checksum, isSound, OTHER_THAN_WRITTEN, sumOfBatch } from '../checksums.ts'
import { noteDamaged, noteHoles, readableRows, type TableReading } from './readable-rows.ts'

/** A telemetry batch as it lies in the table. */
export type BatchRow = { seq: number; recorded_at: number; bytes: Uint8Array; sum: Checksum }

const COLUMNS = 'seq, recorded_at, bytes, sum'

/** Damaged rows are noted in the register and left out, not thrown. */
export function createBatchTable(db: DatabaseSync, reading: TableReading) {
  const insert = db.prepare(`INSERT INTO batches (${COLUMNS}) VALUES (?, ?, ?, ?)`)
  const after = db.prepare(`SELECT ${COLUMNS} FROM batches WHERE seq > ? ORDER BY seq LIMIT ?`)
  const at = db.prepare(`SELECT ${COLUMNS} FROM batches WHERE seq = ?`)
  const { sound, head } = reading

  /** `left`: numbers of those that are damaged; `through`: as of `readableRows` */
  function rowsAfter(seq: number, limit: number) {
    const found = readableRows<BatchRow>({ after, at }, { seq, limit, head })
    noteHoles(reading, 'batches', found.holes)
    const rows: BatchRow[] = []
    const left = found.holes.map(({ last }) => last)
    for (const row of found.rows)
      if (sound.has(row.seq) || isSound(row.sum, () => sumOfBatch(row.bytes))) {
        rows.push(row)
        sound.add(row.seq)
      } else {
        noteDamaged(reading, 'batches', row.seq, OTHER_THAN_WRITTEN, row.recorded_at)
        left.push(row.seq)
      }
    return { rows, left, through: found.through }
  }

  return {
    rowsAfter,
    putBatch({ seq, recorded_at, bytes, sum }: BatchRow): void {
      insert.run(seq, recorded_at, bytes, sum ?? null)
    },
    batchPage(seq: number, limit: number) {
      const { rows, left, through } = rowsAfter(seq, limit)
      return { rows, isWhole: left.length === 0 && through === undefined }
    },
    batchesAfter(seq: number, limit: number): BatchRow[] {
      for (let from = seq; ; ) {
        const { rows, left, through } = rowsAfter(from, limit)
        if (rows.length > 0) return rows
        const last = through ?? left.at(-1)
        if (last === undefined) return []
        from = last
      }
    },
  }
}
