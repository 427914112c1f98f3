import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { databasesAt } from '../../../tools/local-cluster/databases.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { type Store, StoreUnavailable } from '../store.ts'
import { telemetryOfNodesContract, telemetryStoreContract } from '../telemetry-store.contract.ts'
import type { StoreOptions, WithStores } from '../testing/stores.ts'
import { columnsOf, rowsOf, TelemetryModel } from '../testing/telemetry-model.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { openPostgresStore } from './open.ts'

/** Emptied after each use: making one takes longer than most of what is tried in it. */
const free: { database: Database; url: string }[] = []
afterAll(() => Promise.all(free.map(({ database }) => database.close())))

async function withDatabase(run: (database: Database, url: string) => Promise<void>): Promise<void> {
  const found = free.pop() ?? (await made())
  try {
    await run(found.database, found.url)
  } finally {
    await emptyRecord(found.database)
    free.push(found)
  }
}

async function made() {
  const url = await emptyDatabase()
  return { database: await openDatabase(url), url }
}

/** One device a slice, so that tests meet a compaction at every stage of its work. */
const openOver = (database: Database) => (options: StoreOptions) =>
  openPostgresStore({ ...options, sliceMs: 0, database, dir: ':memory:' })

const inPostgres: WithStores = (run) =>
  withDatabase((database) => run({ open: openOver(database), reopen: openOver(database) }))

telemetryStoreContract('PostgreSQL', inPostgres)
telemetryOfNodesContract('PostgreSQL', inPostgres)

const DAY = 86_400_000
const HOUR = 3_600_000
const START = 20_000 * DAY
const reading = (at: number) => columnsOf([{ device: 1, at, temperature: 4 }])

test('a node that has not heard that the record was begun anew brings nothing of the old one into it', () =>
  withDatabase(async (database) => {
    const clock = { now: () => START }
    const old = await openOver(database)({ clock })
    await old.telemetry.append(reading(START), START)
    await emptyRecord(database)
    await expect(old.telemetry.maintain(START + HOUR)).rejects.toThrow(StoreUnavailable)
    const day = { device: 1, day: START / DAY - 1, readings: reading(START - DAY) }
    await expect(old.telemetry.putDays([day])).rejects.toThrow(StoreUnavailable)
    const anew = await openOver(database)({ clock })
    expect(await anew.telemetry.history(1, 0, 1e15)).toMatchObject({ length: 0 })
    await anew.telemetry.append(reading(START + 1), START)
    while (await anew.telemetry.maintain(START + HOUR));
    expect(rowsOf(await anew.telemetry.history(1, 0, 1e15))).toMatchObject([{ at: START + 1 }])
    await Promise.all([old.close(), anew.close()])
  }))

test('a backup that reads all tables for hours holds up nobody: a new day is begun, an old one dropped after it', () =>
  withDatabase(async (database) => {
    const { telemetry, close } = await openOver(database)({ clock: { now: () => START }, retentionDays: 2 })
    const days = async () =>
      (await database.ask((sql) => sql`SELECT 1 FROM pg_class WHERE relname ~ '^telemetry_chunks_2....$'`))
        .length
    const live = async (from: number) => {
      // more than are merged at a time
      for (let at = from; at < from + 12 * HOUR; at += HOUR) {
        await telemetry.append(reading(at), at)
        while (await telemetry.maintain(at + HOUR));
      }
    }
    await live(START)
    const done = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const backup = database.transaction(async (sql) => {
      await sql`LOCK TABLE telemetry_chunks, telemetry_summaries, telemetry_fresh, telemetry_state IN ACCESS SHARE MODE`
      begun.resolve()
      await done.promise
    })
    await begun.promise
    await live(START + 5 * DAY)
    expect(await telemetry.history(1, 0, 1e15)).toMatchObject({ length: 24 })
    expect(await days()).toBe(2)
    done.resolve()
    await backup
    while (await telemetry.maintain(START + 5 * DAY + 13 * HOUR));
    expect(await days()).toBe(1)
    expect(await telemetry.history(1, 0, 1e15)).toMatchObject({ length: 12 })
    await close()
  }))

test('connections that end in the middle of a compaction lose nothing of it, and nothing is counted twice', () =>
  withDatabase(async (database, url) => {
    const nodes = await Promise.all([0, 1].map(() => openOver(database)({ clock: { now: () => START } })))
    const [{ telemetry }] = nodes as [Store]
    const model = new TelemetryModel()
    const tidyUp = async ({ telemetry }: Store, now: number) => {
      try {
        while (await telemetry.maintain(now));
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
      }
    }
    const endAll = async (after: number) => {
      for (let turn = 0; turn < after; turn++) await nextTurn()
      await databasesAt(url).ask(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    }
    for (let hour = 0; hour < 14; hour++) {
      const now = START + hour * HOUR
      // every fourth hour what is late too: such days are summed up anew
      const readings = [0, 1, 2, 3, 4].flatMap((device) =>
        [0, ...(hour % 4 === 3 ? [90] : [])].map((late) => ({
          device,
          at: now - late * 60_000,
          temperature: hour,
        })),
      )
      await telemetry.append(columnsOf(readings), now)
      model.append(readings, now)
      // the last hours in peace
      const ending = hour < 10 ? [endAll(hour * 5)] : []
      await Promise.all([...nodes.map((node) => tidyUp(node, now + HOUR)), ...ending])
      await database.up(A_SERVER_STARTS)
    }
    const last = await openOver(database)({ clock: { now: () => START } })
    while (await last.telemetry.maintain(START + 15 * HOUR));
    for (const { telemetry } of [...nodes, last]) {
      for (const device of [0, 1, 2, 3, 4])
        expect(rowsOf(await telemetry.history(device, 0, 1e15))).toEqual(model.history(device, 0, 1e15))
      expect(await telemetry.daySummaries(Uint32Array.of(0, 1, 2, 3, 4), 19_999, 20_002)).toEqual(
        model.daySummaries([0, 1, 2, 3, 4], 19_999, 20_002),
      )
    }
    await Promise.all([...nodes, last].map((node) => node.close()))
  }))
