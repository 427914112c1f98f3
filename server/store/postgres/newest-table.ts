import { BLOCK } from '../chunks/day-block.ts'
import { blobsOf } from './blobs.ts'
import type { Query } from './session.ts'

type Row = { block: number; times: Uint8Array }

/** Calls `visit` with the newest archived time of each device that has one. */
export async function readNewest(sql: Query, visit: (device: number, at: number) => void): Promise<void> {
  for (const { block, times } of await sql<Row[]>`SELECT block, times FROM telemetry_newest`)
    for (const [i, at] of timesOf(times).entries()) if (at >= 0) visit(block * BLOCK + i, at)
}

/**
 * Raises the newest archived times of some devices, in a transaction over the archive.
 * @returns what they were before; -1 for a device that had none
 */
export async function raiseNewest(
  sql: Query,
  newest: ReadonlyMap<number, number>,
): Promise<(device: number) => number> {
  const before = new Map<number, number>()
  const blocks = new Map<number, Float64Array>()
  for (const device of newest.keys()) blocks.set(Math.floor(device / BLOCK), new Float64Array(BLOCK).fill(-1))
  const newestBefore = (device: number) => before.get(device) ?? -1
  if (blocks.size === 0) return newestBefore
  const stored = await sql<Row[]>`
    SELECT block, times FROM telemetry_newest WHERE block = ANY(${sql.typed.integers([...blocks.keys()])})`
  for (const { block, times } of stored) blocks.set(block, timesOf(times))
  for (const [device, at] of newest) {
    const times = blocks.get(Math.floor(device / BLOCK)) as Float64Array
    before.set(device, times[device % BLOCK] as number)
    times[device % BLOCK] = Math.max(times[device % BLOCK] as number, at)
  }
  const { bytes, starts, lengths } = blobsOf(
    [...blocks.values()].map((times) => new Uint8Array(times.buffer)),
  )
  await sql`
    INSERT INTO telemetry_newest (block, times)
    SELECT block, substring(${bytes}::bytea FROM start FOR length)
    FROM unnest(${sql.typed.integers([...blocks.keys()])}, ${sql.typed.integers(starts)},
      ${sql.typed.integers(lengths)}) AS b (block, start, length)
    ON CONFLICT (block) DO UPDATE SET times = excluded.times`
  return newestBefore
}

/** a copy: what comes from the database lies at any address */
function timesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer)
}
