import { createReadings } from '#machines/contracts/readings.ts'
import { sumOfChunk } from '../checksums.ts'
import { encodeChunk } from '../chunks/chunk.ts'
import { replaceSummary } from '../day-chunks.ts'
import { DEVICES_A_BLOCK } from '../seals/seal-store.ts'
import type { DeviceDay } from '../store.ts'
import { type ArchivePlace, lockArchive, readState } from './telemetry-state.ts'
import { FRESH, PUT, summariesToChange } from './telemetry-tables.ts'

/** Drops what there is of these devices on one day, in one transaction; a day that was put is an empty one from then on. */
export async function dropReadings(
  { database, epoch }: ArchivePlace,
  devices: readonly number[],
  day: number,
): Promise<void> {
  const empty = createReadings(0)
  const none = encodeChunk(empty)
  await database.transaction(async (sql) => {
    await lockArchive(sql)
    await readState(sql, epoch)
    const numbers = sql.typed.integers([...devices])
    const touched = await sql<{ device: number }[]>`
      WITH dropped AS (
        DELETE FROM telemetry_chunks WHERE day = ${day} AND device = ANY(${numbers}) AND job <> ${PUT}
        RETURNING device, job::text AS place),
      emptied AS (
        UPDATE telemetry_chunks SET bytes = ${none}::bytea, sum = ${sumOfChunk(none)}::bytea
        WHERE day = ${day} AND device = ANY(${numbers}) AND job = ${PUT}
          AND (bytes <> ${none}::bytea OR sum IS DISTINCT FROM ${sumOfChunk(none)}::bytea)
        RETURNING device, job::text AS place),
      fresh AS (
        DELETE FROM telemetry_fresh WHERE day = ${day} AND device = ANY(${numbers})
        RETURNING device, ${FRESH} || job AS place),
      touched AS (SELECT * FROM dropped UNION SELECT * FROM emptied UNION SELECT * FROM fresh),
      changed AS (
        UPDATE chunk_groups SET change = nextval('chunk_changes')
        WHERE day = ${day} AND (place, block) IN (SELECT place, device / ${DEVICES_A_BLOCK}::int FROM touched))
      SELECT DISTINCT device FROM touched`
    if (touched.length === 0) return
    const pairs = touched.map(({ device }): DeviceDay => [device, day])
    const summaries = await summariesToChange(sql, pairs)
    for (const [device] of pairs)
      replaceSummary(summaries.block(device, day), { device, day, readings: empty })
    await summaries.write()
  })
}
