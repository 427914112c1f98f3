import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { CannotStart } from '../../config/variables.ts'
import { StoreUnavailable } from '../store.ts'
import { columnsOf, rowsOf } from '../testing/telemetry-model.ts'
import { openDatabase } from './database.ts'
import { createSqliteStore, openSqliteStore } from './open.ts'
import { migrate } from './schema.ts'
import { createWriter } from './writer.ts'

const clock = { now: () => 1_000 }
const fact = (groupId: string): NewFact => ({
  type: 'group.deleted',
  at: 1,
  companyId: 'c1',
  data: { groupId },
})

function openInMemory() {
  const db = openDatabase(':memory:')
  migrate(db)
  return { db, store: createSqliteStore(db, { dir: ':memory:', clock }) }
}

const pagesOf = (db: DatabaseSync) => Number(db.prepare('PRAGMA page_count').get()?.page_count)

test('while the disk is full appends are refused as such; with room again they go on without a gap', async () => {
  const { db, store } = openInMemory()
  await store.log.append('group-a', [fact('a')])
  db.exec(`PRAGMA max_page_count = ${pagesOf(db)}`)
  const large = Array.from({ length: 2000 }, (_, i) => ({ device: i, at: 5, temperature: 1 }))
  await expect(store.telemetry.append(columnsOf(large), 1)).rejects.toThrow(StoreUnavailable)
  expect(await store.telemetry.has(3, 5)).toBe(false)
  expect(store.log.head()).toBe(1)

  db.exec('PRAGMA max_page_count = 1000000')
  expect(await store.telemetry.append(columnsOf(large), 1)).toEqual({ seq: 2 })
  expect((await store.log.append('group-a', [fact('b')])).facts[0]?.seq).toBe(3)
  expect(rowsOf(await store.telemetry.history(3, 0, 10))).toEqual([{ device: 3, at: 5, temperature: 1 }])
  await store.close()
})

test('a checkpoint that cannot be saved is no failure: the one before is kept, and whoever saves goes on', async () => {
  const { db, store } = openInMemory()
  expect(store.checkpoints.save('follower', 1, () => Uint8Array.of(1))).toBe(true)
  db.exec(`PRAGMA max_page_count = ${pagesOf(db)}`)
  expect(store.checkpoints.save('follower', 2, () => new Uint8Array(1e6))).toBe(false)
  expect(store.checkpoints.load('follower')).toMatchObject({ seq: 1 })
  db.exec('PRAGMA max_page_count = 1000000')
  expect(store.checkpoints.save('follower', 2, () => new Uint8Array(1e6))).toBe(true)
  expect(store.checkpoints.load('follower')).toMatchObject({ seq: 2 })
  await store.close()
})

test('a compaction that finds the disk full leaves all answers as they were and is done later', async () => {
  const { db, store } = openInMemory()
  const readings = Array.from({ length: 3000 }, (_, i) => ({
    device: i % 300,
    at: i * 7,
    temperature: (i * 37) % 100,
  }))
  await store.telemetry.append(columnsOf(readings), 1)
  const before = rowsOf(await store.telemetry.history(7, 0, 1e9))
  db.exec(`PRAGMA max_page_count = ${pagesOf(db)}`)
  const hour = 3_600_000
  const settle = async () => {
    while (await store.telemetry.maintain(hour));
  }
  await expect(settle()).rejects.toThrow(StoreUnavailable)
  expect(rowsOf(await store.telemetry.history(7, 0, 1e9))).toEqual(before)
  db.exec('PRAGMA max_page_count = 1000000')
  await settle()
  expect(store.telemetry.batchesFrom()).toBe(1)
  expect(rowsOf(await store.telemetry.history(7, 0, 1e9))).toEqual(before)
  expect(await store.telemetry.daySummaries(Uint32Array.of(7), 0, 1)).toMatchObject([{ count: 10 }])
  await store.close()
})

test('a failed fsync ends the process: nothing that was written can be trusted', async () => {
  const db = new DatabaseSync(':memory:')
  const ends: unknown[] = []
  const writer = createWriter(db, 0, (error) => ends.push(error))
  const failure = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 })
  const write = () => {
    throw failure
  }
  await expect(writer.submit(write)).rejects.toThrow(StoreUnavailable)
  expect(ends).toEqual([failure])
  const other = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 778 })
  await expect(
    writer.submit(() => {
      throw other
    }),
  ).rejects.toThrow(StoreUnavailable)
  expect(ends).toEqual([failure])
  db.close()
})

test('a failed fsync of the file that the log is brought into ends the process too', async () => {
  const ends: unknown[] = []
  const failure = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 })
  const db = new DatabaseSync(':memory:')
  const statements = (sql: string) => {
    if (sql === 'PRAGMA wal_checkpoint(NOOP)') return { get: () => ({ log: 1500, checkpointed: 400 }) }
    if (sql !== 'PRAGMA wal_checkpoint(PASSIVE)') return db.prepare(sql)
    const fail = () => {
      throw failure
    }
    return { get: fail, run: fail }
  }
  const failing = new Proxy(db, {
    get: (_, name) => (name === 'prepare' ? statements : Reflect.get(db, name, db)),
  })
  const writer = createWriter(failing, 0, (error) => ends.push(error))
  expect(await writer.submit(() => 'kept')).toBe('kept')
  expect(ends).toEqual([failure])
  db.close()
})

test('the log is brought into the file as it grows, and does not grow for ever', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  const store = openSqliteStore({ dir, clock })
  for (let i = 0; i < 25; i++) {
    const rows = Array.from({ length: 20_000 }, (_, k) => ({
      device: k,
      at: i + 1,
      temperature: (k * i) % 50,
    }))
    await store.telemetry.append(columnsOf(rows), 1)
  }
  const { size } = await stat(join(dir, 'frostline.sqlite-wal'))
  expect(size).toBeLessThan(12e6)
  expect((await stat(join(dir, 'frostline.sqlite'))).size).toBeGreaterThan(8e6)
  await store.close()
  await rm(dir, { recursive: true })
})

test('after its end a store refuses what comes, and what came before is kept', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  const store = openSqliteStore({ dir, clock })
  const last = store.log.append('group-a', [fact('a')])
  await store.close()
  await store.close()
  expect((await last).version).toBe(1)
  await expect(store.log.append('group-a', [fact('b')])).rejects.toThrow(StoreUnavailable)
  const again = openSqliteStore({ dir, clock })
  expect(again.log.head()).toBe(1)
  await again.close()
  await rm(dir, { recursive: true })
})

/** Why a server does not start on the folder. */
function refusalOf(dir: string): string {
  try {
    openSqliteStore({ dir, clock })
  } catch (error) {
    if (error instanceof CannotStart) return error.message
    throw error
  }
  throw new Error('it was opened')
}

test('a second process is told that the store is in use', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  const store = openSqliteStore({ dir, clock })
  expect(refusalOf(dir)).toContain('frostline.sqlite is open in another process')
  await store.log.append('group-a', [fact('a')])
  await store.close()
  await rm(dir, { recursive: true })
})

test('a file that is no record, or is of a later release, is told with what helps', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  const file = join(dir, 'frostline.sqlite')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 999')
  db.close()
  expect(refusalOf(dir)).toMatch(/^the store has schema 999, .* start the later release on it/)
  await rm(file)
  await mkdir(file)
  expect(refusalOf(dir)).toMatch(/frostline.sqlite cannot be opened \(.*\): see that/)
  await rm(dir, { recursive: true })
})

test('migrations are done once each, in order, and one that fails leaves nothing behind', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, ['CREATE TABLE a (x)'])
  migrate(db, ['CREATE TABLE a (x)', 'CREATE TABLE b (x)'])
  expect(() => migrate(db, ['', '', 'CREATE TABLE c (x); CREATE TABLE c (x)'])).toThrow()
  migrate(db, ['', '', 'CREATE TABLE c (x)'])
  const tables = db.prepare('SELECT name FROM sqlite_master ORDER BY name').all()
  expect(tables.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(() => migrate(db, [''])).toThrow(/schema 3, this release knows 1/)
  db.close()
})
