import type { Checksum } from '../checksums.ts'
import { chunkFault, soundChunks } from '../chunk-damage.ts'
import { BLOCK, type DayBlock, dayBlock } from '../chunks/day-block.ts'
import type { DamageRegister } from '../damage.ts'
import type { DayChunk } from '../day-chunks.ts'
import type { DeviceDay } from '../store.ts'
import { blobsOf } from './blobs.ts'
import type { Query } from './session.ts'

/** Job of days that were put; compactions are numbered from 1 on. */
export const PUT = 0

/** Place of a group of fresh chunks, before the number of their compaction; see seals/seal-store.ts. */
export const FRESH = 'fresh-'

/** A chunk to be written, or as it was read, with its checksum. */
export type Chunk = DayChunk & { job: number; sum?: Checksum }

/** Those that are as they were written; the others are noted as damaged. Several of a device and day follow one another. */
export function soundOf(chunks: readonly Chunk[], damage: DamageRegister, mark = ''): Chunk[] {
  const read = chunks.map((chunk) => ({
    ...chunk,
    place: chunk.job,
    fault: chunkFault(chunk.bytes, chunk.sum),
  }))
  if (read.every(({ fault }) => fault === undefined)) return [...chunks]
  const byDay = Map.groupBy(read, ({ device, day }) => `${device} ${day}`)
  return [...byDay.values()].flatMap((ofDay) => soundChunks(ofDay, damage, mark))
}

/** Chunks of one device with first ≤ day < end, in the order their readings were stored: one statement, one snapshot. */
export function chunksOf(sql: Query, device: number, first: number, end: number): Promise<Chunk[]> {
  return sql<Chunk[]>`
    SELECT device, day, job, bytes, sum FROM telemetry_chunks
      WHERE device = ${device} AND day >= ${first} AND day < ${end}
    UNION ALL SELECT device, day, job, bytes, sum FROM telemetry_fresh
      WHERE device = ${device} AND day >= ${first} AND day < ${end}
    ORDER BY day, job`
}

/** Bytes of all chunks of these devices. */
export function bytesOf(sql: Query, devices: readonly number[]): Promise<{ bytes: number }[]> {
  const numbers = sql.typed.integers([...devices])
  return sql<{ bytes: number }[]>`
    SELECT (coalesce(sum(octet_length(bytes)), 0))::double precision AS bytes FROM (
      SELECT bytes FROM telemetry_chunks WHERE device = ANY(${numbers})
      UNION ALL SELECT bytes FROM telemetry_fresh WHERE device = ANY(${numbers})) c`
}

/** The same of several devices and days, in the order asked for. */
export function chunksOfDays(sql: Query, wanted: readonly DeviceDay[]): Promise<Chunk[]> {
  const { devices, days } = columnsOf(sql, wanted)
  // OFFSET 0: each is looked up by itself, whatever the planner makes of so many partitions
  return sql<Chunk[]>`
    SELECT w.device, w.day, c.job, c.bytes, c.sum
    FROM unnest(${devices}, ${days}) WITH ORDINALITY AS w (device, day, place), LATERAL (
      SELECT job, bytes, sum FROM telemetry_chunks WHERE device = w.device AND day = w.day
      UNION ALL SELECT job, bytes, sum FROM telemetry_fresh WHERE device = w.device AND day = w.day
      OFFSET 0) c
    ORDER BY w.place, c.job`
}

/** Those of these device days that were put; with `bytes` where wanted. */
export function putChunks(sql: Query, wanted: readonly DeviceDay[], withBytes: boolean): Promise<Chunk[]> {
  const { devices, days } = columnsOf(sql, wanted)
  return sql<Chunk[]>`
    SELECT w.device, w.day, ${PUT}::int AS job, c.bytes, c.sum
    FROM unnest(${devices}, ${days}) AS w (device, day), LATERAL (
      SELECT CASE WHEN ${withBytes} THEN bytes ELSE '' END AS bytes, CASE WHEN ${withBytes} THEN sum END AS sum
      FROM telemetry_chunks WHERE device = w.device AND day = w.day AND job = ${PUT} OFFSET 0) c`
}

/** @param chunks all of one compaction job */
export async function insertFresh(sql: Query, side: number, chunks: readonly Chunk[]): Promise<void> {
  const { devices, days } = columnsOf(sql, pairsOf(chunks))
  await sql`SELECT mark_chunks(${devices}, ${days}, ${`${FRESH}${chunks[0]?.job ?? 0}`})`
  const { bytes, starts, lengths } = blobsOf(chunks.map((chunk) => chunk.bytes))
  await sql`
    INSERT INTO telemetry_fresh (side, device, day, job, bytes, sum)
    SELECT ${side}, device, day, ${chunks[0]?.job ?? 0}, substring(${bytes}::bytea FROM start FOR length),
      sha256(substring(${bytes}::bytea FROM start FOR length))
    FROM unnest(${devices}, ${days}, ${sql.typed.integers(starts)}, ${sql.typed.integers(lengths)})
      AS c (device, day, start, length)`
}

/** Inserts into the days' own tables; answers those that were not there yet. */
export async function insertChunks(sql: Query, chunks: readonly Chunk[]): Promise<DeviceDay[]> {
  const { devices, days } = columnsOf(sql, pairsOf(chunks))
  const { bytes, starts, lengths } = blobsOf(chunks.map((chunk) => chunk.bytes))
  const inserted = await sql<{ device: number; day: number }[]>`
    INSERT INTO telemetry_chunks (device, day, job, bytes, sum)
    SELECT device, day, ${chunks[0]?.job ?? 0}, substring(${bytes}::bytea FROM start FOR length),
      sha256(substring(${bytes}::bytea FROM start FOR length))
    FROM unnest(${devices}, ${days}, ${sql.typed.integers(starts)}, ${sql.typed.integers(lengths)})
      AS c (device, day, start, length)
    ON CONFLICT DO NOTHING RETURNING device, day`
  await sql`SELECT mark_chunks(${devices}, ${days}, ${String(chunks[0]?.job ?? 0)})`
  return inserted.map(({ device, day }) => [device, day])
}

/** Notes that these days are written to, and makes the tables of those that have none. */
export async function writeDays(
  sql: Query,
  days: Iterable<number>,
  kept: number,
  now: number,
): Promise<void> {
  await sql`SELECT write_telemetry_days(${sql.typed.integers([...new Set(days)])}, ${kept}, ${now})`
}

type BlockRow = { block: number; day: number; bytes: Uint8Array }

/** Summaries of some devices and days, to be changed in a transaction over the archive. */
export type SummaryChanges = {
  /** the block a device's day is in, at `device % BLOCK` */
  block(device: number, day: number): DayBlock
  write(): Promise<void>
}

/** Those that are not stored yet begin empty. `block` throws RangeError for what is not in `wanted`. */
export async function summariesToChange(sql: Query, wanted: readonly DeviceDay[]): Promise<SummaryChanges> {
  const blocks = new Map<string, { block: number; day: number; sums: DayBlock }>()
  const nameOf = (block: number, day: number) => `${block} ${day}`
  for (const [device, day] of wanted) {
    const block = Math.floor(device / BLOCK)
    const name = nameOf(block, day)
    if (!blocks.has(name)) blocks.set(name, { block, day, sums: dayBlock() })
  }
  const of = [...blocks.values()]
  const stored = await sql<BlockRow[]>`
    SELECT s.block, s.day, s.bytes
    FROM unnest(${sql.typed.integers(of.map(({ block }) => block))}, ${sql.typed.integers(of.map(({ day }) => day))})
      AS w (block, day), LATERAL (
      SELECT * FROM telemetry_summaries WHERE block = w.block AND day = w.day OFFSET 0) s`
  for (const { block, day, bytes } of stored)
    blocks.set(nameOf(block, day), { block, day, sums: dayBlock(bytes) })
  return {
    block: (device, day) => {
      const found = blocks.get(nameOf(Math.floor(device / BLOCK), day))
      if (found === undefined) throw new RangeError(`day ${day} of device ${device} was not asked for`)
      return found.sums
    },
    async write() {
      const all = [...blocks.values()]
      if (all.length === 0) return
      const { bytes, starts, lengths } = blobsOf(all.map(({ sums }) => sums.bytes))
      await sql`
        INSERT INTO telemetry_summaries (block, day, bytes)
        SELECT block, day, substring(${bytes}::bytea FROM start FOR length)
        FROM unnest(${sql.typed.integers(all.map(({ block }) => block))},
          ${sql.typed.integers(all.map(({ day }) => day))},
          ${sql.typed.integers(starts)}, ${sql.typed.integers(lengths)}) AS b (block, day, start, length)
        ON CONFLICT (block, day) DO UPDATE SET bytes = excluded.bytes`
    },
  }
}

const pairsOf = (chunks: readonly Chunk[]): DeviceDay[] => chunks.map(({ device, day }) => [device, day])

function columnsOf(sql: Query, pairs: readonly DeviceDay[]) {
  return {
    devices: sql.typed.integers(pairs.map(([device]) => device)),
    days: sql.typed.integers(pairs.map(([, day]) => day)),
  }
}
