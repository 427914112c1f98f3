import { type AsideReading, type AsideRow, type AsideStore, bytesOf, fromRow } from '../aside.ts'
import { blobsOf } from './blobs.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'

/** An answer for each row would take a large submission longer than a transaction may; each row is some 30 µs of work here. */
const ROWS_A_STATEMENT = 500

/** Readings kept aside, in the database, for all nodes. */
export const createSharedAside = (database: Pick<Database, 'ask' | 'transaction'>): AsideStore => ({
  add: (readings) =>
    database.transaction(async (sql) => {
      for (let from = 0; from < readings.length; from += ROWS_A_STATEMENT)
        await insert(sql, readings.slice(from, from + ROWS_A_STATEMENT))
    }),
  of: (device, from, to) =>
    rows(
      database,
      (sql) => sql`SELECT kind, received_at, bytes FROM aside
        WHERE device = ${device} AND at >= ${from} AND at < ${to} ORDER BY at`,
    ),
  async lastOf({ device, from, to }, most, counted) {
    const [last, found] = await Promise.all([
      rows(
        database,
        (sql) => sql`SELECT kind, received_at, bytes FROM aside
          WHERE device = ${device} AND at >= ${from} AND at < ${to} ORDER BY at DESC LIMIT ${most}`,
      ),
      database.ask(
        (sql) => sql<{ found: number }[]>`SELECT count(*)::int AS found FROM
          (SELECT 1 FROM aside WHERE device = ${device} AND at >= ${from} AND at < ${to} LIMIT ${counted}) AS counted`,
      ),
    ])
    return { last: last.reverse(), all: found[0]?.found ?? 0 }
  },
  async heldOf(devices) {
    const found = await database.ask(
      (sql) => sql<{ device: number; held: number }[]>`SELECT device, count(*)::int AS held FROM aside
        WHERE kind = 'held' AND device = ANY (${[...devices]}::int[]) GROUP BY device`,
    )
    return new Map(found.map(({ device, held }) => [device, held]))
  },
  due: (now, limit) =>
    rows(
      database,
      (sql) => sql`SELECT kind, received_at, bytes FROM aside
        WHERE kind = 'held' AND at <= ${now} ORDER BY at LIMIT ${limit}`,
    ),
  async settle(reading, kind) {
    await database.ask(
      (sql) => sql`UPDATE aside SET kind = ${kind}
        WHERE device = ${reading.device} AND at = ${reading.at} AND bytes = ${Buffer.from(bytesOf(reading))}`,
    )
  },
  async drop(before) {
    await database.ask((sql) => sql`DELETE FROM aside WHERE received_at < ${before}`)
  },
  async dropMeasured(devices, before) {
    await database.ask(
      (sql) => sql`DELETE FROM aside WHERE device = ANY (${[...devices]}::int[]) AND at < ${before}`,
    )
  },
})

async function insert(sql: Query, readings: readonly AsideReading[]): Promise<void> {
  const { integers, doubles, texts } = sql.typed
  const { bytes, starts, lengths } = blobsOf(readings.map(({ reading }) => bytesOf(reading)))
  await sql`
    INSERT INTO aside (device, at, bytes, kind, received_at)
    SELECT device, at, substring(${bytes}::bytea FROM start FOR length), kind, received_at
    FROM unnest(${integers(readings.map(({ reading }) => reading.device))},
      ${doubles(readings.map(({ reading }) => reading.at))}, ${integers(starts)}, ${integers(lengths)},
      ${texts(readings.map(({ kind }) => kind))}, ${doubles(readings.map(({ receivedAt }) => receivedAt))})
      AS a (device, at, start, length, kind, received_at)
    ON CONFLICT DO NOTHING`
}

async function rows(database: Pick<Database, 'ask'>, ask: (sql: Query) => PromiseLike<unknown>) {
  const found = (await database.ask(async (sql) => ask(sql))) as AsideRow[]
  return found.map(fromRow)
}
