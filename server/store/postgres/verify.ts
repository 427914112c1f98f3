import type { Checksum } from '../checksums.ts'
import type { FactRow } from '../fact-rows.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import {
  noteDamage,
  nothingVerified,
  type Verified,
  verifyBatch,
  verifyChunk,
  verifyFact,
  verifySummary,
} from '../verification.ts'
import { openDatabase } from './database.ts'
import { migrationsOf } from './migrations.ts'
import type { Query } from './session.ts'

/** Ms: all there is is read. */
const PATIENCE = 24 * 3_600_000
const AT_ONCE = 500

/**
 * Reads all there is in a database beside the nodes that run, as of one moment, and changes nothing of it.
 * @throws StoreUnavailable where nobody answers; Error where the database holds no record
 */
export async function verifyPostgres(databaseUrl: string): Promise<Verified> {
  const database = await openDatabase(databaseUrl)
  try {
    return await database.transaction(async (sql) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
      return verified(sql)
    }, PATIENCE)
  } finally {
    await database.close()
  }
}

async function verified(sql: Query): Promise<Verified> {
  const found = nothingVerified()
  const [is] = await sql<{ there: boolean }[]>`SELECT to_regclass('migrations') IS NOT NULL AS there`
  if (is?.there !== true) throw new Error('there is no record in the database')
  const known = new Set(migrationsOf().map(({ number }) => number))
  for (const { number, name } of await sql<
    { number: number; name: string }[]
  >`SELECT number, name FROM migrations`)
    if (!known.has(number))
      noteDamage(found, `the database has had ${name}, which this release does not know`)
  const sealed = await sealedTables(sql)
  for await (const rows of sql<FactRow[]>`SELECT * FROM facts ORDER BY seq`.cursor(AT_ONCE))
    for (const row of rows) verifyFact(found, row, sealed.has('facts'))
  for await (const rows of sql<BatchRow[]>`SELECT * FROM batches`.cursor(AT_ONCE))
    for (const row of rows) verifyBatch(found, row, sealed.has('batches'))
  type Chunk = { device: number; day: number; place: number; bytes: Buffer; sum: Checksum }
  const chunks = sql<Chunk[]>`
    SELECT device, day, job AS place, bytes, sum FROM telemetry_fresh
    UNION ALL SELECT device, day, job AS place, bytes, sum FROM telemetry_chunks`
  for await (const rows of chunks.cursor(AT_ONCE))
    for (const row of rows) verifyChunk(found, row, sealed.has('chunks'))
  for await (const rows of sql<
    { day: number; bytes: Buffer }[]
  >`SELECT day, bytes FROM telemetry_summaries`.cursor(AT_ONCE))
    for (const row of rows) verifySummary(found, row)
  return found
}

/** Tables of which every row has a checksum. */
async function sealedTables(sql: Query): Promise<Set<string>> {
  const rows = await sql<{ table: string }[]>`SELECT "table" FROM record_check WHERE sealed`
  return new Set(rows.map(({ table }) => table))
}
