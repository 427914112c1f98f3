import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { StoreUnavailable } from '../store.ts'
import { columnsOf, rowsOf } from '../testing/telemetry-model.ts'
import { COPY_FILE } from './copy.ts'
import { type Database, openDatabase } from './database.ts'
import { openPostgresStore } from './open.ts'
import { verifyPostgres } from './verify.ts'

const HOUR = 3_600_000
let address: string
let database: Database
beforeAll(async () => {
  address = await emptyDatabase()
  database = await openDatabase(address)
}, A_SERVER_STARTS)
afterAll(() => database.close())

const open = () =>
  openPostgresStore({ database, dir: ':memory:', clock: { now: () => 3 * HOUR }, sliceMs: 0 })

test('what was edited in the database is found, left out and named; the rest answers as before', async () => {
  const store = await open()
  for (const name of ['a', 'b', 'ü 😀 "quoted"'])
    await store.log.append('group-x', [
      { type: 'company.suspended', at: 1.5, companyId: 'c1', data: { companyId: 'c1', reason: name } },
    ])
  for (const hour of [0, 1]) {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      device: i % 4,
      at: hour * HOUR + i * 1000,
      temperature: i,
    }))
    await store.telemetry.append(columnsOf(rows), hour * HOUR)
    while (await store.telemetry.maintain((hour + 1) * HOUR));
  }
  const count = async (device: number) => rowsOf(await store.telemetry.history(device, 0, 24 * HOUR)).length
  while (!(await store.check(1)));
  expect(store.damage.list()).toEqual([])
  expect(await verifyPostgres(address)).toMatchObject({ damaged: 0, facts: 3 })

  await database.ask(
    (sql) => sql`UPDATE telemetry_fresh SET bytes = (SELECT bytes FROM telemetry_fresh
    WHERE device = 2 AND job = 1) WHERE device = 1 AND job = 1`,
  )
  await database.ask(
    (sql) => sql`UPDATE facts SET data = '{"companyId":"c1","reason":"other"}' WHERE seq = 2`,
  )
  expect([await count(0), await count(1)]).toEqual([20, 10])
  expect(store.damage.spansOf(1, 0, HOUR)).toEqual([{ from: 2000, to: 38_000 }])
  while (!(await store.check(1)));
  const names = (list: { table: string; key: string }[]) =>
    list.map(({ table, key }) => `${table} ${key}`).sort()
  expect(names(store.damage.list())).toEqual(['chunks 1 0 1', 'facts 2'])
  expect(await verifyPostgres(address)).toMatchObject({ damaged: 2 })
  await store.close()
  // the next one to open it knows at once
  const again = await open()
  expect(names(again.damage.list())).toEqual(['chunks 1 0 1', 'facts 2'])
  await again.close()
})

test('a record of a release without checksums is given them', async () => {
  await database.ask((sql) => sql`DELETE FROM damage`)
  await database.ask((sql) => sql`UPDATE facts SET sum = NULL`)
  await database.ask((sql) => sql`UPDATE telemetry_fresh SET sum = NULL`)
  await database.ask((sql) => sql`UPDATE record_check SET sealed = false, position = ''`)
  const store = await open()
  while (!(await store.check(1)));
  expect(store.damage.list()).toEqual([])
  await store.close()
  const [left] = await database.ask(
    (sql) => sql<{ count: number }[]>`
    SELECT (SELECT count(*) FROM facts WHERE sum IS NULL) + (SELECT count(*) FROM telemetry_fresh WHERE sum IS NULL) AS count`,
  )
  expect(Number(left?.count)).toBe(0)
  expect(await verifyPostgres(address)).toMatchObject({ damaged: 0 })
})

test('what one node found the next one to lead knows, and it stays until it is whole', async () => {
  const [led, leads] = [await open(), await open()]
  const sums = () =>
    database.ask(
      (sql) => sql<{ sum: Buffer }[]>`SELECT sum FROM telemetry_fresh
    WHERE device = 3 AND job = 1`,
    )
  const [before] = await sums()
  await database.ask(
    (sql) => sql`UPDATE telemetry_fresh SET sum = ${Buffer.alloc(32)} WHERE device = 3 AND job = 1`,
  )
  while (!(await led.check(1)));
  expect(led.damage.list()).toMatchObject([{ table: 'chunks', key: '3 0 1' }])
  // a page of facts
  await leads.check(0)
  expect(leads.damage.list()).toMatchObject([{ table: 'chunks', key: '3 0 1' }])
  const stored = () => database.ask((sql) => sql<{ key: string }[]>`SELECT key FROM damage`)
  expect(await stored()).toMatchObject([{ key: '3 0 1' }])

  await database.ask(
    (sql) => sql`UPDATE telemetry_fresh SET sum = ${before?.sum ?? null} WHERE device = 3 AND job = 1`,
  )
  while (!(await leads.check(1)));
  await led.check(0)
  expect([leads.damage.list(), led.damage.list(), await stored()].map(({ length }) => length)).toEqual([
    0, 0, 0,
  ])
  await led.close()
  await leads.close()
})

test('a page that the database cannot read is told at once by whoever needs it, and ends nothing', async () => {
  const store = await open()
  await database.ask((sql) =>
    sql`CREATE FUNCTION damaged() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = 'XX001'; END$$`.then(
      () => sql`CREATE TRIGGER damaged BEFORE INSERT ON checkpoints FOR EACH ROW EXECUTE FUNCTION damaged()`,
    ),
  )
  store.checkpoints.save('trial', 1, () => new Uint8Array(1))
  const failure = await store.telemetry
    .append(columnsOf([{ device: 1, at: 9 * HOUR, temperature: 5 }]), 9 * HOUR)
    .then(async () => {
      while (await store.telemetry.maintain(11 * HOUR));
    })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: 'invalid page in block 7' })
  expect(failure).not.toBeInstanceOf(StoreUnavailable)
  await store.close()
  await database.ask((sql) => sql`DROP TRIGGER damaged ON checkpoints`)
})

test('a batch that is stored is acknowledged, though the tables of chunks are damaged', async () => {
  const store = await openPostgresStore({
    ...{ database, dir: ':memory:', clock: { now: () => 12 * HOUR }, sliceMs: 0, tailRows: 1 },
  })
  await database.ask(
    (sql) =>
      sql`CREATE TRIGGER damaged BEFORE INSERT ON telemetry_fresh FOR EACH ROW EXECUTE FUNCTION damaged()`,
  )
  for (const second of [0, 1, 2]) {
    const rows = [0, 1, 2].map((device) => ({ device, at: 12 * HOUR + second * 1000, temperature: 5 }))
    await store.telemetry.append(columnsOf(rows), 12 * HOUR + second * 1000)
  }
  expect(rowsOf(await store.telemetry.history(2, 12 * HOUR, 13 * HOUR))).toHaveLength(3)
  await expect(store.telemetry.maintain(14 * HOUR)).rejects.toMatchObject({
    message: 'invalid page in block 7',
  })
  await database.ask((sql) => sql`DROP TRIGGER damaged ON telemetry_fresh`)
  await store.close()
})

test('what is damaged in the copy of the node that compacts is archived as it is in the database', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-copy-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const openHere = () => openPostgresStore({ database, dir, clock: { now: () => 20 * HOUR }, sliceMs: 0 })
  const store = await openHere()
  const times = [0, 1, 2].map((second) => 20 * HOUR + second * 1000)
  const seqs: number[] = []
  for (const at of times)
    seqs.push((await store.telemetry.append(columnsOf([{ device: 1, at, temperature: 5 }]), at)).seq)
  await store.close()
  const copy = new DatabaseSync(join(dir, COPY_FILE))
  copy.prepare('UPDATE batches SET bytes = zeroblob(length(bytes)) WHERE seq = ?').run(seqs[1] as number)
  copy.close()

  const again = await openHere()
  while (await again.telemetry.maintain(22 * HOUR));
  const other = await open()
  for (const { telemetry } of [again, other])
    expect(rowsOf(await telemetry.history(1, 20 * HOUR, 21 * HOUR)).map(({ at }) => at)).toEqual(times)
  await again.close()
  await other.close()
})
