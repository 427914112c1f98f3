import { encodeReadings } from '#machines/contracts/readings.ts'
import { DAY } from '../chunks/chunk.ts'
import { isAmong } from '../chunks/times.ts'
import { readingsIn } from '../day-chunks.ts'
import { createDayTimes, type DayTimes, timesIn } from '../day-times.ts'
import { inOrder } from '../hot-tail.ts'
import { encodeDays } from '../put-days.ts'
import { joined, partBetween } from '../reading-parts.ts'
import { createRetention } from '../retention.ts'
import { checkStorable, DAYS } from '../storable.ts'
import { StoreUnavailable, type TelemetryStore } from '../store.ts'
import type { TelemetryOptions } from '../telemetry-options.ts'
import { dropReadings } from './drop-readings.ts'
import { findPutDays, putDays } from './put-days.ts'
import { followRecentReadings } from './recent-readings.ts'
import type { Record } from './record.ts'
import { createCleanup } from './telemetry-cleanup.ts'
import { createCompaction } from './telemetry-compaction.ts'
import { createArchiveKeeper } from './telemetry-keeper.ts'
import { createMerging } from './telemetry-merging.ts'
import { storedSummaries } from './telemetry-summaries.ts'
import { bytesOf, type Chunk, chunksOf, soundOf } from './telemetry-tables.ts'

/**
 * The telemetry store in PostgreSQL: the tail in the memory of every node, fed with each batch of the record, and an archive
 * that all share, see decision 0046. Whatever is asked takes the tail's part first and the archive's then: what is compacted
 * in between is in both, and of two of a kind the first is answered.
 */
export async function openTelemetry(
  record: Record,
  { clock, retentionDays = 92, tailRows = 6_000_000, sliceMs = 6 }: TelemetryOptions,
): Promise<TelemetryStore & { close(): Promise<void> }> {
  const { database, isClosed, damage } = record
  const times: DayTimes<Promise<Float64Array>> = createDayTimes(async (device, day) => {
    try {
      return timesIn(soundOf(await database.ask((sql) => chunksOf(sql, device, day, day + 1)), damage), day)
    } catch (error) {
      times.drop(device, day)
      throw error
    }
  })
  const followed = followRecentReadings(record, tailRows, times.clear)
  const { recent, newest, compacted } = followed
  const { tail } = recent
  const retention = createRetention(retentionDays)
  /** one thing at a time: compaction, merging and cleaning go on from one another */
  let turn: Promise<unknown> = Promise.resolve()

  const keeper = createArchiveKeeper(record, compacted)
  const compaction = createCompaction({
    keeper,
    recent,
    head: record.head,
    retention,
    damage,
    sliceMs,
  })
  const merging = createMerging({ database, keeper, damage, sliceMs })
  const cleanup = createCleanup(record, retention)

  const refresh = async (): Promise<void> => {
    try {
      await keeper.refresh()
    } catch (error) {
      // read again when the database is back
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  /** Nobody called maintain() in time, or no other node did: memory is bounded all the same, and the sender waits for it. */
  async function makeRoom(now: number): Promise<void> {
    try {
      // it may be compacted, and only the word of it lost
      await refresh()
      await followed.forgotten()
      while (recent.isOverfull() && (await compaction.run(now, true)));
      await followed.forgotten()
    } catch (error) {
      // the batch is stored; while the database takes no writes no more of them come in
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  /** whether there are more */
  async function deleteBatches(now: number): Promise<boolean> {
    if (followed.doneThrough() <= record.batchesFrom()) return false
    await record.checkpointsShared()
    const { through, hasMore } = await cleanup.deleteBatches(now)
    if (through > record.batchesFrom()) await record.caughtUp()
    return hasMore
  }

  /** what the archive has of a device; the tail's part was taken before */
  async function archived(device: number, from: number, to: number): Promise<Chunk[]> {
    const first = Math.max(0, Math.floor(from / DAY))
    const end = Math.min(DAYS, Math.ceil(to / DAY))
    if (first >= end) return []
    return soundOf(await database.ask((sql) => chunksOf(sql, device, first, end)), damage)
  }

  const unlisten = [
    database.listen('telemetry', (through) => compacted(Number(through))),
    database.onReconnect(() => void refresh()),
  ]
  await keeper.refresh()
  unlisten.push(await followed.begin())

  return {
    async append(readings, recordedAt) {
      checkStorable(readings)
      const appended = await record.appendBatch(encodeReadings(readings), recordedAt)
      if (recent.isOverfull()) await inTurn(() => makeRoom(recordedAt))
      return appended
    },
    async history(device, from, to) {
      const fresh = tail.readingsOf(device, from, to)
      const stored = readingsIn(await archived(device, from, to))
      return partBetween(inOrder(joined([stored, fresh])), from, to)
    },
    async packed(device, from, to, upTo) {
      const fresh = tail.readingsOf(device, from, to, recent.rowsThrough(upTo))
      const byDay = Map.groupBy(await archived(device, from, to), ({ day }) => day)
      return {
        device,
        days: Array.from(byDay, ([day, ofDay]) => ({ day, chunks: ofDay.map(({ bytes }) => bytes) })),
        tail: fresh,
      }
    },
    hold: recent.hold,
    async has(device, at) {
      if (!(at >= 0 && at < DAYS * DAY)) return false
      if (at > tail.newest(device)) return false
      return tail.has(device, at) || isAmong(await times.of(device, Math.floor(at / DAY)), at)
    },
    async daySummaries(devices, fromDay, toDay) {
      return storedSummaries({ database, recent, newest, damage }, devices.slice(), fromDay, toDay)
    },
    maintain: (now) =>
      inTurn(async () => {
        if (isClosed()) return false
        if (await compaction.run(now)) return true
        await followed.forgotten()
        if ((await deleteBatches(now)) || (await merging.run())) return true
        return cleanup.dropDays(now)
      }),
    async storedDays() {
      const days = await database.ask(
        (sql) => sql<{ day: number }[]>`SELECT day FROM telemetry_days ORDER BY day`,
      )
      return days.map(({ day }) => day)
    },
    dropReadings: (devices, day) =>
      inTurn(async () => {
        if (isClosed()) throw new StoreUnavailable('it is closed')
        await dropReadings(record, devices, day)
        for (const device of devices) times.drop(device, day)
      }),
    async storedBytes(devices) {
      const [row] = await database.ask((sql) => bytesOf(sql, devices))
      return row?.bytes ?? 0
    },
    batchesFrom: record.batchesFrom,
    async missingDays(days) {
      const mayBeNewer = (device: number, day: number) => (day + 1) * DAY > newest.of(device)
      const put = new Set<string>()
      for (const { device, day, newestAt } of await findPutDays(record, days, mayBeNewer)) {
        put.add(String([device, day]))
        times.drop(device, day)
        followed.noteStored(device, newestAt)
      }
      const first = retention.firstDay(clock.now())
      return days.filter((one) => one[1] >= first && !put.has(String(one)))
    },
    async putDays(days) {
      const encoded = await encodeDays(days, sliceMs)
      if (isClosed()) throw new StoreUnavailable('it is closed')
      // raised too soon is no harm: such days are summed up anew
      for (const { device, newestAt } of encoded) followed.noteStored(device, newestAt)
      await putDays(record, encoded, { clock, retention })
      for (const { device, day } of encoded) times.drop(device, day)
    },
    async close() {
      for (const stop of unlisten) stop()
      await turn
      await followed.forgotten()
    },
  }
}
