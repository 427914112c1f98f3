import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { answersContract } from '../answers.contract.ts'
import { asideContract } from '../aside.contract.ts'
import type { AsideReading } from '../aside.ts'
import { checkpointsContract } from '../checkpoints.contract.ts'
import { eventLogContract } from '../event-log.contract.ts'
import { framesContract } from '../frames.contract.ts'
import { sealsContract } from '../seals.contract.ts'
import type { StoreOptions, WithStores } from '../testing/stores.ts'
import { createSharedAside } from './aside.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { createSharedFrames } from './frames.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './open.ts'
import type { Query } from './session.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(await emptyDatabase())
  await migrate(database)
}, A_SERVER_STARTS)
afterAll(() => database.close())

/** Begins to lead, in another term than before. */
async function leads(): Promise<number> {
  const [row] = await database.ask(
    (sql) => sql<{ term: number }[]>`
      UPDATE lead SET term = term + 1, until = now() + interval '1 hour' RETURNING term`,
  )
  return row?.term ?? 0
}

/** One database, and one folder for copies: after each test it is of a record that was forgotten since. */
const storesIn =
  (dir: Promise<string>): WithStores =>
  async (run) => {
    const open = async (options: StoreOptions) =>
      openPostgresStore({ ...options, sliceMs: 0, database, dir: await dir })
    try {
      const beside = (options: StoreOptions) => openPostgresStore({ ...options, database, dir: ':memory:' })
      await run({ open, reopen: open, beside })
    } finally {
      await emptyRecord(database)
    }
  }

const folder = mkdtemp(join(tmpdir(), 'frostline-copy-'))
afterAll(async () => rm(await folder, { recursive: true }))

for (const [name, dir] of [
  ['PostgreSQL', folder],
  ['PostgreSQL, on another node after each restart', Promise.resolve(':memory:')],
] as const) {
  eventLogContract(name, storesIn(dir), 15)
  checkpointsContract(name, storesIn(dir))
  answersContract(name, storesIn(dir))
  asideContract(name, storesIn(dir))
  framesContract(name, storesIn(dir))
  sealsContract(name, storesIn(dir), leads)
}

/** The database, and how many statements its transactions were asked for. */
function counting() {
  const requested = { statements: 0 }
  const counted = (sql: Query): Query =>
    new Proxy(sql, {
      apply(target, self, args) {
        requested.statements++
        return Reflect.apply(target, self, args)
      },
    })
  const transaction: Database['transaction'] = (work) => database.transaction((sql) => work(counted(sql)))
  return { requested, database: { ask: database.ask, transaction } }
}

test('an emptied record says of no device that something came late', async () => {
  const frames = createSharedFrames(database)
  const late = [{ hour: 3, device: 7 }]
  expect(await frames.put({ minute: 200, seq: 1, base: null, bytes: new Uint8Array(1) }, late)).toBe(true)
  expect(await frames.lateDevices(0, 9)).toEqual([7])
  await emptyRecord(database)
  expect(await frames.lateDevices(0, 9)).toEqual([])
})

test('many readings that are kept aside at once are not inserted one by one', async () => {
  const { requested, database: counted } = counting()
  const aside = createSharedAside(counted)
  const readings: AsideReading[] = Array.from({ length: 1_600 }, (_, i) => ({
    ...{ kind: i % 2 === 0 ? 'held' : 'other', receivedAt: 500 },
    reading: { device: i % 7, at: 2_000 + i, temperature: i % 40 },
  }))
  try {
    await aside.add([...readings, ...readings.slice(0, 3)])
    expect(requested.statements).toBeLessThan(10)
    const kept = await Promise.all(Array.from({ length: 7 }, (_, device) => aside.of(device, 0, 20_000)))
    expect(kept.flat().toSorted((a, b) => a.reading.at - b.reading.at)).toEqual(readings)
  } finally {
    await emptyRecord(database)
  }
})

test('readings kept aside that were received long ago are found without a look at all there are', async () => {
  const plan = await database.transaction(async (sql) => {
    // a table of a page is read whole otherwise
    await sql`SET LOCAL enable_seqscan = off`
    return [...(await sql`EXPLAIN DELETE FROM aside WHERE received_at < 1`)]
  })
  expect(JSON.stringify(plan)).toContain('aside_received')
})
