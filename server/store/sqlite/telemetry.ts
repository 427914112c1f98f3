import type { DatabaseSync } from 'node:sqlite'
import { decodeReadings, encodeReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'
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
import { type DayReadings, type DeviceDay, StoreUnavailable, type TelemetryStore } from '../store.ts'
import type { TelemetryOptions } from '../telemetry-options.ts'
import { createArchive } from './archive.ts'
import { bytesOfDay, chunksOfDay } from './chunk-table.ts'
import { createCleanup } from './cleanup.ts'
import { createCompaction } from './compaction.ts'
import { storedSummaries } from './day-summaries.ts'
import { createMerging } from './merging.ts'
import type { Records } from './records.ts'
import type { Seals } from './seals.ts'
import type { Writer } from './writer.ts'

type Options = TelemetryOptions & {
  isClosed: () => boolean
  damage: DamageRegister
  seals: Seals
} & Pick<Records, 'batchesAfter' | 'noteWritten'>

/** The telemetry store in SQLite: batches and their tail in memory, and an archive of chunks. */
export function createTelemetry(db: DatabaseSync, writer: Writer, options: Options): TelemetryStore {
  const telemetry = openParts(db, writer, options)
  const { archive, recent, tail, cleanup } = telemetry
  return {
    append: (readings, recordedAt) => append(telemetry, readings, recordedAt),
    async history(device, from, to) {
      // in one go: a compaction in between would move readings behind our back
      const parts = daysWithin(telemetry, from, to).map((day) => archive.readDay(device, day))
      return partBetween(inOrder(joined([...parts, tail.readingsOf(device, from, to)])), from, to)
    },
    async packed(device, from, to, upTo) {
      // in one go, as in history
      const days = daysWithin(telemetry, from, to).map((day) => ({
        day,
        chunks: chunksOfDay(archive.chunks, device, day).map(({ bytes }) => bytes),
      }))
      return { device, days, tail: tail.readingsOf(device, from, to, recent.rowsThrough(upTo)) }
    },
    hold: recent.hold,
    async has(device, at) {
      if (!(at >= 0 && at < DAYS * DAY)) return false
      if (at > tail.newest(device)) return false
      return tail.has(device, at) || archive.has(device, at)
    },
    daySummaries: async (devices, fromDay, toDay) => storedSummaries(telemetry, devices, fromDay, toDay),
    maintain: async (now) => maintain(telemetry, now),
    storedDays: async () => daysWithin(telemetry, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    async dropReadings(devices, day) {
      refuseClosed(telemetry)
      archive.change(() => {
        for (const device of devices) archive.clear(device, day)
      })
    },
    storedBytes: (devices) => storedBytes(telemetry, devices),
    uncompacted: () => tail.length,
    batchesFrom: cleanup.deletedThrough,
    missingDays: async (days) => missingDays(telemetry, days),
    putDays: (days) => putDays(telemetry, days),
  }
}

type Telemetry = ReturnType<typeof openParts>

/** Brings the newest readings into memory. */
function openParts(db: DatabaseSync, writer: Writer, options: Options) {
  const {
    retentionDays = RETENTION_DAYS,
    tailRows = 6_000_000,
    sliceMs = 6,
    damage,
    batchesAfter,
    seals,
  } = options
  const recent = createRecentReadings(tailRows)
  const archive = createArchive(db, writer, damage)
  const retention = createRetention(retentionDays)
  const newest = new NewestTimes()
  return {
    ...options,
    sliceMs,
    writer,
    recent,
    tail: recent.tail,
    archive,
    retention,
    newest,
    compaction: createCompaction(db, recent, archive, newest, { sliceMs, batchesAfter }),
    merging: createMerging(archive, recent.tail, sliceMs),
    cleanup: createCleanup(db, writer, archive, retention, seals),
    insert: db.prepare('INSERT INTO batches (seq, recorded_at, bytes, sum) VALUES (?, ?, ?, ?)'),
  }
}

async function append(
  telemetry: Telemetry,
  readings: ReadingColumns,
  recordedAt: number,
): Promise<{ seq: number }> {
  const { writer, insert, noteWritten, recent } = telemetry
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
      if (recent.isOverfull()) makeRoom(telemetry, recordedAt)
    },
  )
}

/** Nobody called maintain() in time: memory is bounded all the same, and the sender waits for it. */
function makeRoom({ compaction }: Telemetry, now: number): void {
  try {
    while (compaction.run(now, true));
  } catch (error) {
    // the batch is stored; while the disk is full no more of them come in
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

/** The archive's days of a range, ascending, whatever its ends: a range may be open. */
function daysWithin({ archive }: Telemetry, from: number, to: number): number[] {
  const days: number[] = []
  for (const day of archive.chunks.days.keys()) if ((day + 1) * DAY > from && day * DAY < to) days.push(day)
  return days.sort((a, b) => a - b)
}

/** Does some of what is due; whether there is more. */
function maintain({ isClosed, compaction, cleanup, merging }: Telemetry, now: number): boolean {
  if (isClosed()) return false
  if (compaction.run(now)) return true
  if (cleanup.deleteBatches(compaction.doneThrough(), now)) return true
  if (merging.run()) return true
  return cleanup.dropDays(now)
}

async function storedBytes(telemetry: Telemetry, devices: readonly number[]): Promise<number> {
  const { chunks } = telemetry.archive
  let sum = 0
  for (const device of devices) {
    for (const day of chunks.days.keys()) sum += bytesOfDay(chunks, device, day)
    // a moment each: others have their turn in between
    await new Promise<void>((next) => setImmediate(next))
    refuseClosed(telemetry)
  }
  return sum
}

function missingDays(telemetry: Telemetry, days: readonly DeviceDay[]): DeviceDay[] {
  const { archive, newest, retention, clock } = telemetry
  const first = retention.firstDay(clock.now())
  return days.filter(([device, day]) => {
    if (!archive.isPut(device, day)) return day >= first
    const put = archive.putChunk(device, day)
    if (put !== undefined && (day + 1) * DAY > newest.of(device))
      noteStored(telemetry, device, newestTimeOf(put, day))
    return false
  })
}

async function putDays(telemetry: Telemetry, days: readonly DayReadings[]): Promise<void> {
  const { archive, newest, compaction, clock, sliceMs } = telemetry
  const encoded = await encodeDays(days, sliceMs)
  refuseClosed(telemetry)
  const newer = encoded.filter(({ device, newestAt }) => newestAt > newest.of(device))
  // raised too soon is no harm: such days are summed up anew
  for (const { device, newestAt } of newer) noteStored(telemetry, device, newestAt)
  archive.change(() => {
    for (const one of encoded) archive.putDay(one, clock.now())
    if (newer.length > 0) compaction.saveNewest()
  })
}

function noteStored({ tail, newest }: Telemetry, device: number, at: number): void {
  tail.raiseNewest(device, at)
  newest.raise(device, at)
}

/** @throws StoreUnavailable */
function refuseClosed({ isClosed }: Telemetry): void {
  if (isClosed()) throw new StoreUnavailable('it is closed')
}
