import { type AsideRow, type AsideStore, bytesOf, fromRow } from '../aside.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'

/** Readings kept aside, in the database, for all nodes. */
export const createSharedAside = (database: Pick<Database, 'ask' | 'transaction'>): AsideStore => ({
  add: (readings) =>
    database.transaction(async (sql) => {
      for (const { kind, receivedAt, reading } of readings)
        await sql`INSERT INTO aside (device, at, bytes, kind, received_at)
          VALUES (${reading.device}, ${reading.at}, ${Buffer.from(bytesOf(reading))}, ${kind}, ${receivedAt})
          ON CONFLICT DO NOTHING`
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

async function rows(database: Pick<Database, 'ask'>, ask: (sql: Query) => PromiseLike<unknown>) {
  const found = (await database.ask(async (sql) => ask(sql))) as AsideRow[]
  return found.map(fromRow)
}
