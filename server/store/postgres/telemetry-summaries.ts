import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from '../chunks/chunk.ts'
import { BLOCK, type DayBlock, dayBlock } from '../chunks/day-block.ts'
import type { DamageRegister } from '../damage.ts'
import { readingsIn } from '../day-chunks.ts'
import { daySummaries, wholeDaysOf } from '../day-summaries.ts'
import { inOrder } from '../hot-tail.ts'
import type { NewestTimes } from '../newest-times.ts'
import { joined, part, partBetween } from '../reading-parts.ts'
import type { RecentReadings } from '../recent-readings.ts'
import type { DaySummary } from '../store.ts'
import type { Database } from './database.ts'
import { chunksOfDays, soundOf } from './telemetry-tables.ts'

type Row = {
  done: number
  job: number | null
  next: number
  block: number | null
  day: number
  bytes: Uint8Array
}

/** What the tail held of a device before the database was asked. */
type Taken = { readings: ReadingColumns; rows: Float64Array; newest: number }

const NONE = createReadings(0)

/** Blocks of some days asked for in one statement: 40 MB. */
const AT_ONCE = 8192
/** Days that are stored at most of those asked for, where all are. */
const MOST_DAYS = 128

type Parts = { database: Database; recent: RecentReadings; newest: NewestTimes; damage: DamageRegister }

/** Summaries of days from ≤ day < to: of a thousand devices with numbers near each other and a month, one statement. */
export async function storedSummaries(
  parts: Parts,
  devices: Uint32Array,
  from: number,
  to: number,
): Promise<DaySummary[]> {
  const most = Math.floor(AT_ONCE / Math.max(1, Math.min(to - from, MOST_DAYS)))
  const found: DaySummary[][] = []
  for (let first = 0; first < devices.length; ) {
    const blocks = new Set<number>()
    let end = first
    for (; end < devices.length; end++) {
      blocks.add(Math.floor((devices[end] as number) / BLOCK))
      if (blocks.size > most) break
    }
    found.push(await summariesOf(parts, devices.subarray(first, end), from, to))
    first = end
  }
  return found.flat()
}

/**
 * The tail's part is taken first; then one statement answers what is stored together with how far the compaction was, so
 * that what waits is neither left out nor counted twice. Only devices that delivered late readings a moment ago need a
 * second statement.
 */
async function summariesOf(
  { database, recent, newest, damage }: Parts,
  devices: Uint32Array,
  from: number,
  to: number,
): Promise<DaySummary[]> {
  const { tail } = recent
  const taken = new Map<number, Taken>()
  for (const device of devices)
    if (tail.holds(device))
      taken.set(device, { ...tail.rowsOf(device, ['temperature', 'humidity']), newest: newest.of(device) })
  const newestNow = (device: number) => taken.get(device)?.newest ?? newest.of(device)
  const rowsThrough = recent.rowsThroughNow()

  const rows = await database.ask((sql) => {
    const blocks = sql.typed.integers([...new Set(devices.map((device) => Math.floor(device / BLOCK)))])
    return sql<Row[]>`
      SELECT s.done_through AS done, s.job_through AS job, s.next_device AS next, b.block, b.day, b.bytes
      FROM telemetry_state s LEFT JOIN telemetry_summaries b
        ON b.block = ANY(${blocks}) AND b.day >= ${from} AND b.day < ${to}`
  })
  const blocks = new Map<string, DayBlock>()
  const days = new Set<number>()
  for (const { block, day, bytes } of rows) {
    if (block === null) continue
    blocks.set(`${block} ${day}`, dayBlock(bytes))
    days.add(day)
  }

  const { done = 0, job = null, next = 0 } = rows[0] ?? {}
  const ends = { done: rowsThrough(done), job: rowsThrough(job ?? done) }
  const waiting = new Map<number, ReadingColumns>()
  const stored = new Map<number, number>()
  for (const [device, { readings, rows: places }] of taken) {
    const end = device < next ? ends.job : ends.done
    const first = places.findIndex((row) => row >= end)
    const count = first === -1 ? readings.length : first
    let last = newestNow(device)
    for (let i = 0; i < count; i++) last = Math.max(last, readings.at[i] as number)
    stored.set(device, last)
    waiting.set(device, partBetween(inOrder(part(readings, count, readings.length)), from * DAY, to * DAY))
  }

  const parts = {
    waiting: (device: number) => waiting.get(device) ?? NONE,
    mayBeStored: (device: number, first: number) => first <= (stored.get(device) ?? -1),
  }
  const whole = wholeDaysOf(parts, devices)
  const chunks =
    whole.length === 0 ? [] : soundOf(await database.ask((sql) => chunksOfDays(sql, whole)), damage)
  const byDay = Map.groupBy(chunks, (chunk) => `${chunk.device} ${chunk.day}`)
  return daySummaries(
    {
      ...parts,
      days: [...days].sort((a, b) => a - b),
      block: (device, day) => blocks.get(`${Math.floor(device / BLOCK)} ${day}`),
      wholeDay(device, day) {
        const archived = readingsIn(byDay.get(`${device} ${day}`) ?? [])
        const all = inOrder(joined([archived, taken.get(device)?.readings ?? NONE]))
        return partBetween(all, day * DAY, (day + 1) * DAY)
      },
    },
    devices,
  )
}
