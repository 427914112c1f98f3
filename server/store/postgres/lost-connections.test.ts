import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { databasesAt } from '../../../tools/local-cluster/databases.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { StoreUnavailable } from '../store.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './open.ts'
import { CERTIFICATE } from './testing/certificate.ts'
import { layWire } from './testing/wire.ts'

const clock = { now: () => 1_000 }
const named = (groupId: string): NewFact => ({
  type: 'group.deleted',
  at: 5,
  companyId: 'c1',
  data: { groupId },
})

let url: string
let database: Database
beforeAll(async () => {
  url = await emptyDatabase()
  database = await openDatabase(url)
  await migrate(database)
}, A_SERVER_STARTS)
beforeEach(() => emptyRecord(database))
afterAll(() => database.close())

/** A store at the end of a wire, and how often it said that it is stale. */
async function atWire() {
  const wire = await layWire(url)
  const own = await openDatabase(wire.url)
  const stale: string[] = []
  const store = await openPostgresStore({
    database: own,
    dir: ':memory:',
    clock,
    onStale: (why) => stale.push(why),
  })
  onTestFinished(async () => {
    wire.mend()
    await store.close()
    await own.close()
    await wire.close()
  })
  return { store, wire, database: own, stale }
}

test('an append whose answer is lost is stored once, and its sender is told so', async () => {
  const { store, wire } = await atWire()
  await store.log.append('group-a', [named('before')])
  const lost = wire.loseAnswerTo('in-between')
  const appended = store.log.append('group-a', [named('in-between')], { expectedVersion: 1 })
  await lost
  expect(await appended).toMatchObject({ version: 2, repeated: false, facts: [{ seq: 2 }] })
  expect((await store.log.append('group-a', [named('after')])).facts).toMatchObject([{ seq: 3 }])
  expect(store.log.readFacts(0).map(({ data }) => data)).toEqual(
    ['before', 'in-between', 'after'].map((groupId) => ({ groupId })),
  )
})

test('while the database is away, what is there is read, appends are refused, and go on by themselves afterwards', async () => {
  const { store, wire, database: own } = await atWire()
  await store.log.append('group-a', [named('a')])
  wire.cut()
  await expect.poll(own.isUp).toBe(false)
  await Promise.all([
    expect(store.log.append('group-a', [named('b')])).rejects.toThrow(StoreUnavailable),
    expect(store.log.caughtUp()).rejects.toThrow(StoreUnavailable),
  ])
  expect(store.checkpoints.save('trial', 1, () => new Uint8Array(0))).toBe(false)
  expect(store.log.readFacts(0)).toHaveLength(1)
  wire.mend()
  await own.up(A_SERVER_STARTS)
  const { facts } = await store.log.append('group-a', [named('c')])
  expect(facts).toMatchObject([{ seq: 2 }])
})

test('a server that falls silent is given up, and nothing sent to it is done twice', async () => {
  const { store, wire, database: own } = await atWire()
  await store.log.append('group-a', [named('a')])
  wire.freeze()
  const appended = store.log.append('group-a', [named('b')])
  while (own.isUp()) await pause(20)
  wire.mend()
  expect((await appended).facts).toMatchObject([{ seq: 2 }])
  expect(store.log.readFacts(0)).toHaveLength(2)
})

test('of several servers the one that answers is found', async () => {
  const wire = await layWire(url)
  wire.cut()
  const { username, password, host, pathname } = new URL(url)
  const several = `postgres://${username}:${password}@${new URL(wire.url).host},${host}${pathname}`
  const found = await openDatabase(several)
  expect(await found.ask((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  await found.close()
  await wire.close()
})

test('a server is encrypted to as its address says, and known by its certificate', async () => {
  const authority = join(await mkdtemp(join(tmpdir(), 'frostline-tls-')), 'authority.pem')
  await writeFile(authority, CERTIFICATE)
  const [wire, plain] = [await layWire(url, { isEncrypted: true }), await layWire(url)]
  const at = (address: string, host: string, words: string, startPatience = 60_000) =>
    openDatabase(`${address.replace('127.0.0.1', host)}?${words}`, { startPatience })
  const trusted = `sslrootcert=${authority}`
  for (const [host, words] of [
    ['127.0.0.1', 'sslmode=require'],
    ['127.0.0.1', 'sslmode=prefer'],
    ['127.0.0.1', `sslmode=verify-ca&${trusted}`],
    ['localhost', `sslmode=verify-full&${trusted}`],
  ] as const) {
    const opened = await at(wire.url, host, words)
    // cut off in the middle of something, it is there again
    const requested = opened.ask((sql) => sql`SELECT pg_sleep(10)`)
    wire.cut()
    await expect(requested).rejects.toThrow(StoreUnavailable)
    wire.mend()
    await opened.up(A_SERVER_STARTS)
    await opened.close()
  }
  await (await at(plain.url, '127.0.0.1', 'sslmode=prefer')).close()
  for (const [address, host, words] of [
    [wire.url, 'localhost', 'sslmode=verify-full'],
    [wire.url, '127.0.0.1', `sslmode=verify-full&${trusted}`],
    [plain.url, '127.0.0.1', 'sslmode=require'],
  ] as const)
    await expect(at(address, host, words, 500)).rejects.toThrow(StoreUnavailable)
  await wire.close()
  await plain.close()
  await rm(dirname(authority), { recursive: true })
})

test('who may not connect is told why at once', async () => {
  const wrong = new URL(url)
  wrong.pathname = '/nowhere'
  await expect(openDatabase(wrong.href)).rejects.toThrow(/"nowhere" does not exist/)
})

test('a transaction whose connection ends is not gone on with on another', async () => {
  const { ask } = databasesAt(url)
  await ask('CREATE TABLE IF NOT EXISTS tried (a int)')
  const cut = database.transaction(async (sql) => {
    const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    await sql`INSERT INTO tried VALUES (1)`
    await ask(`SELECT pg_terminate_backend(${pid})`)
    await sql`INSERT INTO tried VALUES (2)`.catch(() => {})
    await sql`INSERT INTO tried VALUES (3)`
  })
  await expect(cut).rejects.toThrow(StoreUnavailable)
  expect(await ask('SELECT * FROM tried')).toEqual([])
})

test('a record that was emptied is not gone on with, and begun anew by who opens it again', async () => {
  const { store, stale, database: own } = await atWire()
  await store.log.append('group-a', [named('a')])
  await emptyRecord(database)
  await expect(store.log.append('group-a', [named('b')])).rejects.toThrow(StoreUnavailable)
  await expect.poll(() => stale).toEqual(['the record was begun anew'])
  const again = await openPostgresStore({ database: own, dir: ':memory:', clock })
  expect(again.log.head()).toBe(0)
  await again.log.append('group-a', [named('c')])
  expect(again.log.readFacts(0)).toMatchObject([{ seq: 1, data: { groupId: 'c' } }])
  await again.close()
})

test('a database that has lost what this node has seen is noticed, also when it has as much again', async () => {
  const { ask } = databasesAt(url)
  for (const others of [[], ['x'], ['x', 'y']]) {
    await emptyRecord(database)
    const { store, wire, stale, database: own } = await atWire()
    await store.log.append('group-a', [named('a'), named('b')])
    wire.cut()
    // what a server has that was behind when it took over
    await ask('DELETE FROM facts WHERE seq = 2; UPDATE log SET head = 1')
    const other = await openPostgresStore({ database, dir: ':memory:', clock })
    for (const group of others) await other.log.append('group-a', [named(group)])
    await other.close()
    wire.mend()
    await own.up(A_SERVER_STARTS)
    await expect.poll(() => stale).toEqual(['the record has lost what it had'])
    expect(store.log.readFacts(0)).toHaveLength(2)
  }
})

test('whoever listens hears all from the moment they are told that they do', async () => {
  const [begun, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const stop = database.listen('greetings', heard.resolve, begun.resolve)
  onTestFinished(() => stop())
  await begun.promise
  await databasesAt(url).ask(`NOTIFY greetings, 'hello'`)
  expect(await heard.promise).toBe('hello')
})
