import type { Clock } from '#machines/contracts/clock.ts'
import { newestTimeOf } from '../chunks/times.ts'
import { readingsIn, replaceSummary } from '../day-chunks.ts'
import type { EncodedDay } from '../put-days.ts'
import type { Retention } from '../retention.ts'
import type { DeviceDay } from '../store.ts'
import { raiseNewest } from './newest-table.ts'
import { type ArchivePlace, lockArchive, readState } from './telemetry-state.ts'
import {
  chunksOfDays,
  insertChunks,
  PUT,
  putChunks,
  soundOf,
  summariesToChange,
  writeDays,
} from './telemetry-tables.ts'

/** Device days the database is asked about at a time. */
const QUERIED_AT_ONCE = 8192

/** Those of these device days that are put; `newestAt` where it is later than what this node knows of the device. */
export async function findPutDays(
  { database, damage }: ArchivePlace,
  days: readonly DeviceDay[],
  mayBeNewer: (device: number, day: number) => boolean,
): Promise<{ device: number; day: number; newestAt: number }[]> {
  const found: { device: number; day: number; newestAt: number }[] = []
  for (let i = 0; i < days.length; i += QUERIED_AT_ONCE) {
    const some = days.slice(i, i + QUERIED_AT_ONCE)
    for (const { device, day } of await database.ask((sql) => putChunks(sql, some, false)))
      found.push({ device, day, newestAt: -1 })
  }
  const newer = found.filter(({ device, day }) => mayBeNewer(device, day))
  if (newer.length === 0) return found
  const pairs = newer.map(({ device, day }): DeviceDay => [device, day])
  for (const { device, day, bytes } of soundOf(
    await database.ask((sql) => putChunks(sql, pairs, true)),
    damage,
  ))
    found.push({ device, day, newestAt: newestTimeOf(bytes, day) })
  return found
}

/** Stores device days that are not put yet, and sums them up anew, in one transaction. */
export async function putDays(
  { database, epoch, damage }: ArchivePlace,
  days: readonly EncodedDay[],
  { clock, retention }: { clock: Clock; retention: Retention },
): Promise<void> {
  if (days.length === 0) return
  await database.transaction(async (sql) => {
    await lockArchive(sql)
    // a record that was begun anew takes no days that were meant for the one before
    await readState(sql, epoch)
    const now = clock.now()
    const numbers = days.map(({ day }) => day)
    await writeDays(sql, numbers, retention.firstDay(now), now)
    const chunks = days.map(({ device, day, bytes }) => ({ device, day, job: PUT, bytes }))
    const isNew = new Set((await insertChunks(sql, chunks)).map(String))
    const fresh = days.filter(({ device, day }) => isNew.has(String([device, day])))
    const pairs = fresh.map(({ device, day }): DeviceDay => [device, day])
    const [summaries, stored] = await Promise.all([
      summariesToChange(sql, pairs),
      chunksOfDays(sql, pairs),
      raiseNewest(sql, newestOf(fresh)),
    ])
    const byDay = Map.groupBy(soundOf(stored, damage), ({ device, day }) => String([device, day]))
    for (const { device, day, readings } of fresh) {
      const chunksOfDay = byDay.get(String([device, day])) ?? []
      const whole = chunksOfDay.length === 1 ? readings : readingsIn(chunksOfDay)
      replaceSummary(summaries.block(device, day), { device, day, readings: whole })
    }
    await summaries.write()
  })
}

function newestOf(days: readonly EncodedDay[]): Map<number, number> {
  const newest = new Map<number, number>()
  for (const { device, newestAt } of days) newest.set(device, Math.max(newestAt, newest.get(device) ?? -1))
  return newest
}
