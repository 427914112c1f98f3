import type { DatabaseSync } from 'node:sqlite'
import { decodeReadings, encodeReadings } from '#machines/contracts/readings.ts'
import { HotTail, inOrder } from '../hot-tail.ts'
import type { TelemetryStore } from '../log.ts'
import type { Writer } from './writer.ts'

/** The telemetry store in SQLite. */
export function createTelemetry(db: DatabaseSync, writer: Writer): TelemetryStore {
  const tail = new HotTail()
  const insert = db.prepare('INSERT INTO batches (seq, recorded_at, bytes) VALUES (?, ?, ?)')
  const all = db.prepare('SELECT bytes FROM batches ORDER BY seq')
  for (const row of all.iterate()) tail.append(decodeReadings((row as { bytes: Uint8Array }).bytes))

  return {
    append(readings, recordedAt) {
      const bytes = encodeReadings(readings)
      return writer.submit(
        (take) => {
          const seq = take(1)
          insert.run(seq, recordedAt, bytes)
          return { seq }
        },
        () => tail.append(decodeReadings(bytes)),
      )
    },
    async history(device, from, to) {
      return inOrder(tail.readingsOf(device, from, to))
    },
    has: (device, at) => tail.has(device, at),
    async daySummaries() {
      return []
    },
    async maintain() {
      return false
    },
    batchesFrom: () => 0,
    async backfill() {},
  }
}
