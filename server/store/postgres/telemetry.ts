import { encodeReadings } from '#machines/contracts/readings.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'
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
import { storedSummaries } from './telemetry-summaries.ts'
import { bytesOf, type Chunk, chunksOf, soundOf } from './telemetry-tables.ts'
import { createUpkeep } from './telemetry-upkeep.ts'

/**
 * The telemetry store in PostgreSQL: the tail in the memory of every node, fed with each batch of the record, and an archive
 * that all share, see decision 0046. Whatever is asked takes the tail's part first and the archive's then: what is compacted
 * in between is in both, and of two of a kind the first is answered.
 */
export async function openTelemetry(
  record: Record,
  { clock, retentionDays = RETENTION_DAYS, tailRows = 6_000_000, sliceMs = 6 }: TelemetryOptions,
): Promise<TelemetryStore & { close(): Promise<void> }> {
  const { database, isClosed, damage } = record
  const times = archivedTimes(record)
  const followed = followRecentReadings(record, tailRows, times.clear)
  const { recent, newest, compacted } = followed
  const { tail } = recent
  const retention = createRetention(retentionDays)
  const upkeep = createUpkeep(record, followed, retention, sliceMs)
  const unlisten = [
    database.listen('telemetry', (through) => compacted(Number(through))),
    database.onReconnect(() => void upkeep.refreshWhenThere()),
  ]
  await upkeep.refresh()
  unlisten.push(await followed.begin())

  return {
    async append(readings, recordedAt) {
      checkStorable(readings)
      const appended = await record.appendBatch(encodeReadings(readings), recordedAt)
      if (recent.isOverfull()) await upkeep.makeRoom(recordedAt)
      return appended
    },
    async history(device, from, to) {
      const fresh = tail.readingsOf(device, from, to)
      const stored = readingsIn(await archived(record, device, from, to))
      return partBetween(inOrder(joined([stored, fresh])), from, to)
    },
    async packed(device, from, to, upTo) {
      const fresh = tail.readingsOf(device, from, to, recent.rowsThrough(upTo))
      const byDay = Map.groupBy(await archived(record, device, from, to), ({ day }) => day)
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
    maintain: upkeep.maintain,
    async storedDays() {
      const days = await database.ask(
        (sql) => sql<{ day: number }[]>`SELECT day FROM telemetry_days ORDER BY day`,
      )
      return days.map(({ day }) => day)
    },
    dropReadings: (devices, day) =>
      upkeep.inTurn(async () => {
        if (isClosed()) throw new StoreUnavailable('it is closed')
        await dropReadings(record, devices, day)
        for (const device of devices) times.drop(device, day)
      }),
    async storedBytes(devices) {
      const [row] = await database.ask((sql) => bytesOf(sql, devices))
      return row?.bytes ?? 0
    },
    uncompacted: () => tail.length,
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
      await upkeep.done()
    },
  }
}

function archivedTimes({ database, damage }: Record): DayTimes<Promise<Float64Array>> {
  const times: DayTimes<Promise<Float64Array>> = createDayTimes(async (device, day) => {
    try {
      return timesIn(soundOf(await database.ask((sql) => chunksOf(sql, device, day, day + 1)), damage), day)
    } catch (error) {
      times.drop(device, day)
      throw error
    }
  })
  return times
}

/** What the archive has of a device; the tail's part was taken before. */
async function archived(
  { database, damage }: Record,
  device: number,
  from: number,
  to: number,
): Promise<Chunk[]> {
  const first = Math.max(0, Math.floor(from / DAY))
  const end = Math.min(DAYS, Math.ceil(to / DAY))
  if (first >= end) return []
  return soundOf(await database.ask((sql) => chunksOf(sql, device, first, end)), damage)
}
