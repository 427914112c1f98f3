import type { DatabaseSync } from 'node:sqlite'
import { decodeReadings, encodeReadings } from '#machines/contracts/readings.ts'
import { sumOfBatch } from '../checksums.ts'
import { DAY } from '../chunks/chunk.ts'
import { newestTimeOf } from '../chunks/times.ts'
import type { DamageRegister } from '../damage.ts'
import { inOrder } from '../hot-tail.ts'
import { NewestTimes } from '../newest-times.ts'
import { encodeDays } from '../put-days.ts'
import { joined, partBetween } from '../reading-parts.ts'
import { createRecentReadings } from '../recent-readings.ts'
import { createRetention } from '../retention.ts'
import { checkStorable, DAYS } from '../storable.ts'
import { StoreUnavailable, type TelemetryStore } from '../store.ts'
import { RETENTION_DAYS, type TelemetryOptions } from '../telemetry-options.ts'
import { createArchive } from './archive.ts'
import { createCleanup } from './cleanup.ts'
import { createCompaction } from './compaction.ts'
import { storedSummaries } from './day-summaries.ts'
import { createMerging } from './merging.ts'
import type { Records } from './records.ts'
import type { Seals } from './seals.ts'
import type { Writer } from './writer.ts'

/** The telemetry store in SQLite: batches and their tail in memory, and an archive of chunks. */
export function createTelemetry(
  db: DatabaseSync,
  writer: Writer,
  {
    clock,
    retentionDays = RETENTION_DAYS,
    tailRows = 6_000_000,
    sliceMs = 6,
    isClosed,
    damage,
    batchesAfter,
    noteWritten,
    seals,
  }: TelemetryOptions & { isClosed: () => boolean; damage: DamageRegister; seals: Seals } & Pick<
      Records,
      'batchesAfter' | 'noteWritten'
    >,
): TelemetryStore {
  const recent = createRecentReadings(tailRows)
  const { tail } = recent
  const archive = createArchive(db, writer, damage)
  const retention = createRetention(retentionDays)
  const newest = new NewestTimes()
  const compaction = createCompaction(db, recent, archive, newest, { sliceMs, batchesAfter })
  const merging = createMerging(archive, tail, sliceMs)
  const cleanup = createCleanup(db, writer, archive, retention, seals)
  const insert = db.prepare('INSERT INTO batches (seq, recorded_at, bytes, sum) VALUES (?, ?, ?, ?)')

  const readDay = (device: number, day: number) =>
    inOrder(joined([archive.readDay(device, day), tail.readingsOf(device, day * DAY, (day + 1) * DAY)]))

  function noteStored(device: number, at: number): void {
    tail.raiseNewest(device, at)
    newest.raise(device, at)
  }

  /** Nobody called maintain() in time: memory is bounded all the same, and the sender waits for it. */
  function makeRoom(now: number): void {
    try {
      while (compaction.run(now, true));
    } catch (error) {
      // the batch is stored; while the disk is full no more of them come in
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  /** the archive's days of a range, whatever its ends: a range may be open */
  function daysWithin(from: number, to: number): number[] {
    const days: number[] = []
    for (const day of archive.chunks.days()) if ((day + 1) * DAY > from && day * DAY < to) days.push(day)
    return days.sort((a, b) => a - b)
  }

  return {
    async append(readings, recordedAt) {
      checkStorable(readings)
      const bytes = encodeReadings(readings)
      const sum = sumOfBatch(bytes)
      return writer.submit(
        (take) => {
          const seq = take(1)
          insert.run(seq, recordedAt, bytes, sum)
          noteWritten(seq)
          return { seq }
        },
        ({ seq }) => {
          recent.append(seq, recordedAt, decodeReadings(bytes))
          if (recent.isOverfull()) makeRoom(recordedAt)
        },
      )
    },
    async history(device, from, to) {
      // in one go: a compaction in between would move readings behind our back
      const parts = daysWithin(from, to).map((day) => archive.readDay(device, day))
      return partBetween(inOrder(joined([...parts, tail.readingsOf(device, from, to)])), from, to)
    },
    async packed(device, from, to, upTo) {
      // in one go, as in history
      const days = daysWithin(from, to).map((day) => ({ day, chunks: archive.chunks.ofDay(device, day) }))
      const tailEnd = recent.rowsThrough(upTo)
      return { device, days, tail: tail.readingsOf(device, from, to, tailEnd) }
    },
    hold: recent.hold,
    async has(device, at) {
      if (!(at >= 0 && at < DAYS * DAY)) return false
      if (at > tail.newest(device)) return false
      return tail.has(device, at) || archive.has(device, at)
    },
    async daySummaries(devices, fromDay, toDay) {
      return storedSummaries({ tail, archive, newest, readDay }, devices, fromDay, toDay)
    },
    async maintain(now) {
      if (isClosed()) return false
      if (compaction.run(now)) return true
      if (cleanup.deleteBatches(compaction.doneThrough(), now)) return true
      if (merging.run()) return true
      return cleanup.dropDays(now)
    },
    async storedDays() {
      return [...archive.chunks.days()].sort((a, b) => a - b)
    },
    async dropReadings(devices, day) {
      if (isClosed()) throw new StoreUnavailable('it is closed')
      archive.change(() => {
        for (const device of devices) archive.clear(device, day)
      })
    },
    async storedBytes(devices) {
      let sum = 0
      for (const device of devices) {
        for (const day of archive.chunks.days()) sum += archive.chunks.bytesOf(device, day)
        // a moment each: others have their turn in between
        await new Promise<void>((next) => setImmediate(next))
        if (isClosed()) throw new StoreUnavailable('it is closed')
      }
      return sum
    },
    uncompacted: () => tail.length,
    batchesFrom: cleanup.deletedThrough,
    async missingDays(days) {
      const first = retention.firstDay(clock.now())
      return days.filter(([device, day]) => {
        if (!archive.isPut(device, day)) return day >= first
        const put = archive.putChunk(device, day)
        if (put !== undefined && (day + 1) * DAY > newest.of(device))
          noteStored(device, newestTimeOf(put, day))
        return false
      })
    },
    async putDays(days) {
      const encoded = await encodeDays(days, sliceMs)
      if (isClosed()) throw new StoreUnavailable('it is closed')
      const newer = encoded.filter(({ device, newestAt }) => newestAt > newest.of(device))
      // raised too soon is no harm: such days are summed up anew
      for (const { device, newestAt } of newer) noteStored(device, newestAt)
      archive.change(() => {
        for (const one of encoded) archive.putDay(one, clock.now())
        if (newer.length > 0) compaction.saveNewest()
      })
    },
  }
}
