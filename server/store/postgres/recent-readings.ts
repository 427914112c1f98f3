import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeReadings } from '#machines/contracts/readings.ts'
import { isSound, sumOfBatch } from '../checksums.ts'
import { NewestTimes } from '../newest-times.ts'
import { createRecentReadings } from '../recent-readings.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import { fetchBatches } from './fetching.ts'
import { readNewest } from './newest-table.ts'
import type { Record } from './record.ts'

/** Batches brought into the tail at a time at the start. */
const BATCHES_AT_ONCE = 64
/** Rows forgotten at a time: what is forgotten is looked through once more. */
const ROWS_AT_ONCE = 65_536

export type RecentOfNode = ReturnType<typeof followRecentReadings>

/**
 * The tail of one node: fed with each batch of the record, it forgets what is compacted, by whatever node, and remembers the
 * newest time of each device among that.
 * @param onCompacted called when there is something to forget
 */
export function followRecentReadings(record: Record, tailRows: number, onCompacted: () => void) {
  const recent = createRecentReadings(tailRows)
  const { tail } = recent
  const newest = new NewestTimes()
  let doneThrough = 0
  let forgetting: Promise<void> = Promise.resolve()

  async function forgetThrough(through: number): Promise<void> {
    const endRow = recent.rowsThrough(through)
    while (tail.first < endRow && !record.isClosed()) {
      const end = Math.min(endRow, tail.first + ROWS_AT_ONCE)
      tail.eachBefore(end, (device, at) => newest.raise(device, at))
      recent.forget(end)
      await nextTurn()
    }
  }

  function take({ seq, recorded_at: recordedAt, bytes }: BatchRow): void {
    const readings = decodeReadings(bytes)
    if (seq > doneThrough) {
      recent.append(seq, recordedAt, readings)
      return
    }
    // another node compacted it before this one had it
    for (let i = 0; i < readings.length; i++)
      noteStored(readings.device[i] as number, readings.at[i] as number)
  }

  function noteStored(device: number, at: number): void {
    tail.raiseNewest(device, at)
    newest.raise(device, at)
  }

  /** What is damaged in this node's copy is whole in the database, and would be lost where this node compacts. */
  async function fetchPage(after: number, upTo: number): Promise<number> {
    const rows = await record.database.ask((sql) =>
      fetchBatches(sql, { after, upTo, limit: BATCHES_AT_ONCE }),
    )
    for (const row of rows) if (isSound(row.sum, () => sumOfBatch(row.bytes))) take(row)
    return rows.at(-1)?.seq ?? upTo
  }

  return {
    recent,
    newest,
    /** notes that a reading of this device and time is archived, or may be */
    noteStored,
    /** what came up to this number is in chunks, as far as this node knows */
    doneThrough: () => doneThrough,
    /** notes that it is; forgetting takes some turns of the event loop, see `forgotten` */
    compacted(through: number): void {
      if (through <= doneThrough) return
      doneThrough = through
      recent.taken(through)
      onCompacted()
      forgetting = forgetting.then(() => forgetThrough(through))
    },
    forgotten: () => forgetting,
    /** Brings in what is not compacted, and each batch from then on; answers how to stop. */
    async begin(): Promise<() => void> {
      await record.database.ask((sql) => readNewest(sql, noteStored))
      for (let after = doneThrough; ; ) {
        const { rows, isWhole } = record.batchPage(after, BATCHES_AT_ONCE)
        if (isWhole) {
          for (const batch of rows) take(batch)
          const last = rows.at(-1)
          if (last === undefined) break
          after = last.seq
        } else after = await fetchPage(after, record.head())
      }
      // no turn of the event loop since the last one: none is missed, none comes twice
      return record.onBatch(take)
    },
  }
}
