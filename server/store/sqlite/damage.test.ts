import fs, { closeSync, cpSync, openSync, readdirSync, readSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Store } from '../store.ts'
import { columnsOf, rowsOf } from '../testing/telemetry-model.ts'
import { STORE_FILE } from './database.ts'
import { openSqliteStore } from './open.ts'
import { noteQuickCheck, quickCheck } from './quick-check.ts'
import { restoreDays } from './restore-days.ts'
import { NEWEST_SCHEMA } from './schema.ts'
import { verifySqlite } from './verify.ts'

const HOUR = 3_600_000
const fact = (groupId: string): NewFact => ({
  type: 'group.deleted',
  at: 1,
  companyId: 'c1',
  data: { groupId },
})

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-damage-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

const open = (dir: string) => openSqliteStore({ dir, clock: { now: () => 3 * HOUR } })

/** Ten facts, and a day of two hours of 200 devices in chunks, an hour each. */
async function fill(dir: string): Promise<void> {
  const store = open(dir)
  for (let i = 0; i < 10; i++) await store.log.append(`group-${i}`, [fact(`g${i}`)])
  for (const hour of [0, 1]) {
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      device: i % 200,
      at: hour * HOUR + Math.floor(i / 200) * 60_000,
      temperature: (i * 7919) % 900,
    }))
    await store.telemetry.append(columnsOf(rows), hour * HOUR)
    while (await store.telemetry.maintain((hour + 1) * HOUR));
  }
  await store.close()
}

function edit(dir: string, sql: string): void {
  const db = new DatabaseSync(join(dir, STORE_FILE))
  db.exec(sql)
  db.close()
}

const historyOf = async (store: Store, device: number) =>
  rowsOf(await store.telemetry.history(device, 0, 24 * HOUR)).length

async function checkAll(store: Store): Promise<void> {
  while (!(await store.check(1)));
}

test('a chunk that was edited is left out and named; other hours and devices answer as before', async () => {
  const dir = await folder()
  await fill(dir)
  edit(
    dir,
    'UPDATE chunks SET bytes = (SELECT bytes FROM chunks WHERE id % 4194304 = 8 LIMIT 1) WHERE id % 4194304 = 7 AND id / 4194304 % 65536 = 1',
  )
  const store = open(dir)
  expect(store.damage.list()).toEqual([])
  expect(await historyOf(store, 7)).toBe(10)
  expect(await historyOf(store, 8)).toBe(20)
  expect(store.damage.spansOf(7, 0, 24 * HOUR)).toEqual([{ from: 0, to: 9 * 60_000 }])
  expect(store.damage.spansOf(8, 0, 24 * HOUR)).toEqual([])
  const packed = await store.telemetry.packed(7, 0, 24 * HOUR, 1e9)
  expect(packed.days[0]?.chunks).toHaveLength(1)
  await store.close()
  expect(verifySqlite(dir)).toMatchObject({
    damaged: 1,
    damage: [expect.stringContaining('device 7 on day 0')],
  })
})

test('sums of a day that are not what was written are made anew of its chunks, and compaction goes on', async () => {
  const dir = await folder()
  await fill(dir)
  const devices = Uint32Array.from({ length: 200 }, (_, device) => device)
  const next = Array.from({ length: 200 }, (_, device) => ({ device, at: 2 * HOUR, temperature: device }))
  /** one more hour; of devices 130 on nothing came */
  const goOn = async (store: Store) => {
    await store.telemetry.append(columnsOf(next.slice(0, 130)), 2 * HOUR)
    while (await store.telemetry.maintain(3 * HOUR));
    expect(store.telemetry.uncompacted()).toBe(0)
    const sums = await store.telemetry.daySummaries(devices, 0, 1)
    await store.close()
    return sums
  }
  const [sound, rotten] = [dir, await folder()]
  cpSync(sound, rotten, { recursive: true })
  edit(rotten, `UPDATE summaries SET bytes = zeroblob(length(bytes))`)
  const expected = await goOn(open(sound))
  expect(expected).toHaveLength(200)
  expect(await goOn(open(rotten))).toEqual(expected)
})

test('reading through the record finds what nobody read, remembers it, and forgets what is whole again', async () => {
  const dir = await folder()
  await fill(dir)
  edit(dir, `UPDATE facts SET data = '{"groupId":"other"}' WHERE seq = 4`)
  edit(dir, 'UPDATE chunks SET sum = NULL WHERE id % 4194304 = 9')
  const store = open(dir)
  await checkAll(store)
  const found = store.damage.list().map(({ table, key }) => `${table} ${key}`)
  expect(found).toEqual(['facts 4', 'chunks 9 0 1', 'chunks 9 0 2'])
  // it can be read, and others build on it
  expect(store.log.readFacts(3, { limit: 1 })).toMatchObject([{ seq: 4, data: { groupId: 'other' } }])
  await store.close()
  expect(verifySqlite(dir)).toMatchObject({ damaged: 3 })

  edit(dir, `UPDATE facts SET data = '{"groupId":"g3"}' WHERE seq = 4`)
  const again = open(dir)
  expect(again.damage.list()).toHaveLength(3)
  await checkAll(again)
  expect(again.damage.list().map(({ table }) => table)).toEqual(['chunks', 'chunks'])
  await again.close()
})

test('a fact that cannot be read any more leaves a place for those who follow', async () => {
  const dir = await folder()
  await fill(dir)
  edit(dir, "UPDATE facts SET data = '{' WHERE seq = 4")
  const store = open(dir)
  expect(store.log.readFacts(0).map(({ seq }) => seq)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10])
  expect(store.log.read(3, 2)).toMatchObject([{ seq: 4, kind: 'readings' }, { seq: 5 }])
  expect(store.log.readStream('group-3')).toEqual([])
  expect(store.damage.list()).toMatchObject([{ table: 'facts', key: '4' }])
  await store.close()
})

test('a page of chunks that was written over takes those on it alone, and they are named', async () => {
  const dir = await folder()
  await fill(dir)
  const damaged = overwriteLeaf(dir, 'chunks')
  const store = open(dir)
  await checkAll(store)
  const parts = store.damage.list()
  expect(parts.length).toBeGreaterThan(0)
  expect(parts.every(({ table }) => table === 'chunks')).toBe(true)
  const hurt = new Set(parts.map(({ device }) => device))
  expect(hurt.size).toBeLessThan(200)
  for (let device = 0; device < 200; device++) {
    const count = await historyOf(store, device)
    expect(count < 20).toBe(hurt.has(device))
  }
  expect(store.log.readFacts(0)).toHaveLength(10)
  await store.log.append('group-new', [fact('new')])
  await store.close()
  expect(damaged).toBeGreaterThan(0)
  expect(verifySqlite(dir).damaged).toBeGreaterThan(0)
})

test('a record of a release without checksums is given them once, and none may lack one after that', async () => {
  const dir = await folder()
  await fill(dir)
  edit(dir, 'UPDATE facts SET sum = NULL; UPDATE chunks SET sum = NULL; UPDATE record_check SET sealed = 0')
  const store = open(dir)
  await checkAll(store)
  expect(store.damage.list()).toEqual([])
  await store.close()
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0 })
  edit(dir, 'UPDATE facts SET sum = NULL WHERE seq = 2')
  const again = open(dir)
  await checkAll(again)
  expect(again.damage.list()).toMatchObject([{ table: 'facts', key: '2' }])
  await again.close()
})

test('a start looks through the file, within its time, and says which table is hurt', async () => {
  const dir = await folder()
  await fill(dir)
  expect(await quickCheck(dir)).toEqual({ faults: [], notReached: [] })
  overwriteLeaf(dir, 'chunks')
  const { faults, notReached } = await quickCheck(dir)
  expect(notReached).toEqual([])
  expect(new Set(faults.map(({ table }) => table))).toEqual(new Set(['chunks']))
  expect((await quickCheck(dir, 1)).notReached).toContain('chunks')
  const store = open(dir)
  noteQuickCheck({ faults, notReached }, store.damage)
  expect(store.damage.list()).toMatchObject([{ table: 'file', key: 'chunks' }])
  noteQuickCheck({ faults: [], notReached: [] }, store.damage)
  expect(store.damage.list()).toEqual([])
  await store.close()
})

test('a start looks through each table there is', async () => {
  const dir = await folder()
  await open(dir).close()
  const db = new DatabaseSync(join(dir, STORE_FILE))
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  db.close()
  // while another one has the file nothing is reached
  const store = open(dir)
  const { notReached } = await quickCheck(dir)
  await store.close()
  expect(notReached.toSorted()).toEqual(tables.map(({ name }) => String(name)).toSorted())
})

test('days are put back from a backup into a damaged file; a backup that is damaged or of another record is refused', async () => {
  const dir = await folder()
  await fill(dir)
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  const later = open(dir)
  await later.telemetry.append(columnsOf([{ device: 3, at: 2 * HOUR, temperature: 5 }]), 2 * HOUR)
  while (await later.telemetry.maintain(3 * HOUR));
  await later.close()
  overwriteLeaf(dir, 'chunks')
  edit(dir, `UPDATE facts SET data = '{"groupId":"other"}' WHERE seq = 4`)
  const wanted = { fromDay: 0, toDay: 0, device: undefined }

  const other = await folder()
  await open(other).close()
  expect(() => restoreDays(dir, other, wanted, 0)).toThrow(/another record/)
  expect(() => restoreDays(dir, join(other, 'nothing'), wanted, 0)).toThrow(/no backup/)
  const bad = await folder()
  cpSync(backup, bad, { recursive: true })
  edit(bad, 'UPDATE chunks SET bytes = zeroblob(9) WHERE id % 4194304 = 5')
  expect(() => restoreDays(dir, bad, wanted, 0)).toThrow(
    /damaged too, in the readings of device 5 on 1970-01-01/,
  )
  expect(verifySqlite(dir).damaged).toBeGreaterThan(0)

  expect(restoreDays(dir, backup, wanted, 0)).toMatchObject({
    chunks: 200,
    facts: 1,
    damagedFile: expect.stringContaining('damaged-1970'),
  })
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0, facts: 10 })
  const store = open(dir)
  await checkAll(store)
  expect(store.damage.list()).toEqual([])
  for (let device = 0; device < 200; device++)
    expect(await historyOf(store, device)).toBe(device === 3 ? 21 : 20)
  expect(await store.telemetry.daySummaries(Uint32Array.of(3, 4), 0, 1)).toMatchObject([
    { count: 21 },
    { count: 20 },
  ])
  await store.close()
})

test('a backup of an earlier release is taken once this release was started on a copy of it, as the refusal says', async () => {
  const dir = await folder()
  await fill(dir)
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, `UPDATE facts SET data = '{"groupId":"other"}' WHERE seq = 4`)
  edit(backup, `DROP INDEX aside_received; PRAGMA user_version = ${NEWEST_SCHEMA - 1}`)
  const wanted = { fromDay: 0, toDay: 0, device: undefined }
  expect(() => restoreDays(dir, backup, wanted, 0)).toThrow(/start this release once on a copy of it/)
  await open(backup).close()
  expect(restoreDays(dir, backup, wanted, 0)).toMatchObject({ facts: 1 })
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0 })
})

test('two days of two windows each are put back, with what came later, and what is sound beside them stays', async () => {
  const dir = await folder()
  await fill(dir)
  const DAY = 24 * HOUR
  const store = open(dir)
  for (const hour of [0, 1]) {
    const rows = Array.from({ length: 200 }, (_, device) => ({
      device,
      at: DAY + hour * HOUR,
      temperature: 5,
    }))
    await store.telemetry.append(columnsOf(rows), DAY + hour * HOUR)
    while (await store.telemetry.maintain(DAY + (hour + 1) * HOUR));
  }
  await store.close()
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  const later = open(dir)
  await later.telemetry.append(columnsOf([{ device: 3, at: DAY + 2 * HOUR, temperature: 5 }]), DAY + 2 * HOUR)
  while (await later.telemetry.maintain(DAY + 3 * HOUR));
  await later.close()
  edit(dir, 'UPDATE chunks SET bytes = zeroblob(9) WHERE id % 4194304 IN (3, 7) AND id / 4194304 % 65536 = 1')
  const counts = async () => {
    const now = open(dir)
    await checkAll(now)
    const days = await Promise.all(
      [3, 7, 8].map(async (device) => {
        const { at } = await now.telemetry.history(device, 0, 2 * DAY)
        return [at.filter((one) => one < DAY).length, at.filter((one) => one >= DAY).length]
      }),
    )
    const sums = await now.telemetry.daySummaries(Uint32Array.of(3, 7, 8), 0, 2)
    const damaged = now.damage.list().length
    await now.close()
    return { days, damaged, sums: sums.map(({ count }) => count) }
  }
  expect(await counts()).toMatchObject({
    days: [
      [10, 2],
      [10, 1],
      [20, 2],
    ],
    damaged: 4,
  })
  expect(restoreDays(dir, backup, { fromDay: 0, toDay: 1, device: undefined }, 0)).toMatchObject({
    chunks: 400,
    damagedFile: undefined,
  })
  expect(await counts()).toEqual({
    days: [
      [20, 3],
      [20, 2],
      [20, 2],
    ],
    damaged: 0,
    sums: [20, 3, 20, 2, 20, 2],
  })
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0 })
})

test('a fact in the place of one that was lost is not deleted for it', async () => {
  const dir = await folder()
  await fill(dir)
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, `DELETE FROM facts WHERE seq = 10; UPDATE facts SET data = '{"groupId":"other"}' WHERE seq = 4`)
  const store = open(dir)
  const { facts: appended } = await store.log.append('group-9', [fact('later')])
  await store.close()
  expect(() => restoreDays(dir, backup, { fromDay: 0, toDay: 0, device: undefined }, 0)).toThrow(
    new RegExp(`fact 10 .*fact ${appended[0]?.seq} .*version 1 of group-9`),
  )
  const after = open(dir)
  expect(after.log.readStream('group-9')).toMatchObject([{ data: { groupId: 'later' } }])
  expect(after.log.readStream('group-3')).toMatchObject([{ data: { groupId: 'other' } }])
  await after.close()
})

test('the days of one device are put back, and nothing else is touched', async () => {
  const dir = await folder()
  await fill(dir)
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, 'UPDATE chunks SET bytes = zeroblob(9) WHERE id % 4194304 IN (5, 6)')
  expect(restoreDays(dir, backup, { fromDay: 0, toDay: 0, device: 5 }, 0)).toEqual({
    chunks: 1,
    facts: 0,
    batches: 0,
    damagedFile: undefined,
  })
  const store = open(dir)
  expect([await historyOf(store, 5), await historyOf(store, 6)]).toEqual([20, 0])
  await store.close()
})

test('a file that is written anew keeps what the fleet looked like, which nothing can make again', async () => {
  const dir = await folder()
  await fill(dir)
  const before = open(dir)
  const bytes = Uint8Array.of(7)
  await before.frames.put({ minute: 10, seq: 9, base: null, bytes }, [{ hour: 0, device: 3 }])
  await before.frames.put({ minute: 11, seq: 10, base: 9, bytes })
  await before.close()
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  overwriteLeaf(dir, 'chunks')
  const wanted = { fromDay: 0, toDay: 0, device: undefined }
  expect(restoreDays(dir, backup, wanted, 0).damagedFile).toContain('damaged-1970')
  const { frames, close } = open(dir)
  expect(await frames.span()).toEqual({ first: 10, last: 11, lastSeq: 10 })
  expect(await frames.upTo(11)).toHaveLength(2)
  expect(await frames.lateDevices(0, 1)).toEqual([3])
  await close()
})

describe.each(['compaction', 'days'])('a file of which the table %s cannot be read', (table) => {
  test('is opened again once what can be read is in a new one: nothing is missing, or counted twice', async () => {
    const dir = await folder()
    await fill(dir)
    const later = open(dir)
    await later.seals.holdBatches()
    // compacted, with its batch kept as nobody said yet that it was one; and one that is not compacted
    await later.telemetry.append(columnsOf([{ device: 3, at: 2 * HOUR, temperature: 5 }]), 2 * HOUR)
    while (await later.telemetry.maintain(3 * HOUR));
    await later.telemetry.append(columnsOf([{ device: 4, at: 3 * HOUR, temperature: 5 }]), 3 * HOUR)
    const head = later.log.head()
    await later.close()
    const backup = await folder()
    cpSync(dir, backup, { recursive: true })
    overwriteLeaf(dir, table)
    expect(() => open(dir)).toThrow(/malformed/)
    const nothing = { fromDay: 5, toDay: 5, device: undefined }
    expect(restoreDays(dir, backup, nothing, 4 * HOUR).damagedFile).toContain('damaged-1970')
    expect(verifySqlite(dir)).toMatchObject({ damaged: 0, facts: 10 })
    const store = open(dir)
    expect(store.log.head()).toBe(head)
    for (const isCompacted of [false, true]) {
      if (isCompacted) while (await store.telemetry.maintain(5 * HOUR));
      for (const [device, count] of [
        [3, 21],
        [4, 21],
        [5, 20],
      ] as const) {
        expect(await historyOf(store, device)).toBe(count)
        expect(await store.telemetry.daySummaries(Uint32Array.of(device), 0, 1)).toMatchObject([{ count }])
      }
    }
    await store.close()
  })
})

test('a file that is written anew takes the place of the old one at once, with what was only in its log', async () => {
  const from = await folder()
  await fill(from)
  overwriteLeaf(from, 'chunks')
  const killed = open(from)
  await killed.log.append('group-new', [fact('new')])
  const dir = await folder()
  cpSync(from, dir, { recursive: true })
  await killed.close()
  const wanted = { fromDay: 5, toDay: 5, device: undefined }
  const { renameSync } = fs
  const rename = vi.spyOn(fs, 'renameSync').mockImplementation((old, name) => {
    if (String(name).endsWith(STORE_FILE)) throw new Error('killed')
    renameSync(old, name)
  })
  syncBuiltinESMExports()
  try {
    expect(() => restoreDays(dir, from, wanted, 0)).toThrow('killed')
  } finally {
    rename.mockRestore()
    syncBuiltinESMExports()
  }
  const left = open(dir)
  expect(left.log.readFacts(0)).toHaveLength(11)
  await left.close()

  const { damagedFile } = restoreDays(dir, from, wanted, 1)
  const store = open(dir)
  expect(store.log.readFacts(0)).toHaveLength(11)
  await store.close()
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0 })
  const kept = await folder()
  cpSync(join(dir, damagedFile ?? ''), join(kept, STORE_FILE))
  expect(verifySqlite(kept)).toMatchObject({ facts: 11 })
})

test('a checkpoint that is not what was saved is passed over and told of, and saved anew', async () => {
  const dir = await folder()
  const before = open(dir)
  before.checkpoints.save('directory', 7, () => Uint8Array.of(1, 2, 3, 4))
  before.checkpoints.save('judge', 7, () => Uint8Array.of(1, 2, 3, 4))
  await before.close()
  const db = new DatabaseSync(join(dir, STORE_FILE))
  const saved = db.prepare("SELECT bytes FROM checkpoints WHERE name = 'directory'").get()
  const bytes = saved?.bytes as Uint8Array
  bytes[2] = 7
  db.prepare("UPDATE checkpoints SET bytes = ? WHERE name = 'directory'").run(bytes)
  db.close()
  const store = open(dir)
  expect(store.checkpoints.load('directory')).toBeUndefined()
  expect(store.checkpoints.load('judge')?.bytes).toEqual(Uint8Array.of(1, 2, 3, 4))
  expect(store.damage.list()).toMatchObject([{ table: 'file', key: 'checkpoint directory' }])
  expect(store.damage.list()[0]?.reason).toMatch(/checksum/)
  store.checkpoints.save('directory', 7, () => Uint8Array.of(5))
  expect(store.checkpoints.load('directory')).toEqual({ seq: 7, bytes: Uint8Array.of(5) })
  expect(store.damage.list()).toEqual([])
  await store.close()
})

test.each([
  ['the tree', 'DELETE FROM checkpoints'],
  ['a checkpoint', 'UPDATE seal_tree SET size = 0; DELETE FROM seal_tiles'],
])('a number that %s knows is not given again where the newest facts are lost', async (_, forgotten) => {
  const dir = await folder()
  const before = open(dir)
  for (let i = 0; i < 10; i++) await before.log.append(`group-${i}`, [fact(`g${i}`)])
  while (await before.seals.extend());
  before.checkpoints.save('follower', 10, () => Uint8Array.of(1))
  before.checkpoints.save('follower of facts alone', Number.MAX_SAFE_INTEGER, () => Uint8Array.of(1))
  await before.close()
  edit(dir, `DELETE FROM facts WHERE seq > 8; ${forgotten}`)
  const store = open(dir)
  const { facts } = await store.log.append('group-new', [fact('new')])
  expect(facts).toMatchObject([{ seq: 11 }])
  await store.close()
})

test('what can be read of a file is written anew where its newest facts lie on the damaged page', async () => {
  const dir = await folder()
  const before = open(dir)
  for (let i = 0; i < 200; i++) await before.log.append(`group-${i}`, [fact(`g${i}`)])
  while (await before.seals.extend());
  await before.close()
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  overwriteLeaf(dir, 'facts', 'last')
  const nothing = { fromDay: 5, toDay: 5, device: undefined }
  expect(restoreDays(dir, backup, nothing, 0).damagedFile).toContain('damaged-1970')
  const store = open(dir)
  const left = store.log.readFacts(0).length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(200)
  expect(store.log.head()).toBe(200)
  await store.close()
  const missing = { fromDay: 0, toDay: 0, device: undefined }
  expect(restoreDays(dir, backup, missing, 0)).toMatchObject({ facts: 200 - left })
  expect(verifySqlite(dir)).toMatchObject({ damaged: 0, facts: 200 })
})

test('a refusal says that the damaged file was written anew before, and how it is named', async () => {
  const dir = await folder()
  const before = open(dir)
  for (let i = 0; i < 200; i++) await before.log.append(`group-${i}`, [fact(`g${i}`)])
  await before.close()
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, 'DELETE FROM facts WHERE seq = 5')
  const store = open(dir)
  await store.log.append('group-4', [fact('later')])
  // so that it lies not on the last page
  for (let i = 200; i < 300; i++) await store.log.append(`group-${i}`, [fact(`g${i}`)])
  await store.close()
  overwriteLeaf(dir, 'facts', 'last')
  const missing = { fromDay: 0, toDay: 0, device: undefined }
  const name = `${STORE_FILE}.damaged-1970-01-01T00-00-00-000Z`
  expect(() => restoreDays(dir, backup, missing, 0)).toThrow(
    new RegExp(`fact 5 of the backup .* The old one is .*${name}`),
  )
  expect(readdirSync(dir)).toContain(name)
})

test('a batch that was lost is put back where it was not compacted yet, and else stays named', async () => {
  const dir = await folder()
  await fill(dir)
  const before = open(dir)
  await before.seals.holdBatches()
  const batches: number[] = []
  for (const at of [2 * HOUR, 3 * HOUR]) {
    const { seq } = await before.telemetry.append(columnsOf([{ device: 3, at, temperature: 5 }]), at)
    batches.push(seq)
    // the first is compacted, and kept as nobody said yet that it was a batch
    while (await before.telemetry.maintain(3 * HOUR));
  }
  await before.close()
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, `UPDATE batches SET bytes = x'00' WHERE seq IN (${batches})`)
  const store = open(dir)
  await checkAll(store)
  const keys = (list: { table: string; key: string }[]) =>
    list.map(({ table, key }) => `${table} ${key}`).sort()
  expect(keys(store.damage.list())).toEqual(batches.map((seq) => `batches ${seq}`))
  await store.close()
  edit(dir, `DELETE FROM batches WHERE seq IN (${batches})`)
  expect(restoreDays(dir, backup, { fromDay: 0, toDay: 0, device: undefined }, 0)).toMatchObject({
    batches: 1,
  })
  const after = open(dir)
  expect(keys(after.damage.list())).toEqual([`batches ${batches[0]}`])
  expect(await historyOf(after, 3)).toBe(22)
  await after.close()
})

test('a file whose row of compaction is gone says so, and that it can be made anew', async () => {
  const dir = await folder()
  await fill(dir)
  const backup = await folder()
  cpSync(dir, backup, { recursive: true })
  edit(dir, 'DELETE FROM compaction')
  expect(() => open(dir)).toThrow(/table compaction: its row is missing.*restore-days without --device/)
  restoreDays(dir, backup, { fromDay: 5, toDay: 5, device: undefined }, 0)
  const store = open(dir)
  expect(await historyOf(store, 5)).toBe(20)
  await store.close()
})

/** Writes over a leaf page of a table's tree, one that is not its last where nothing else is said; answers its number. */
function overwriteLeaf(dir: string, table: string, which: 'inner' | 'last' = 'inner'): number {
  const file = join(dir, STORE_FILE)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table) as {
    rootpage: number
  }
  const size = Number(db.prepare('PRAGMA page_size').get()?.page_size)
  db.close()
  const fd = openSync(file, 'r+')
  const page = Buffer.alloc(size)
  readSync(fd, page, 0, size, (rootpage - 1) * size)
  // an inner page of a table (5), with cells that begin with the number of a page below, or one page for all of it
  const leafBelow = () => page.readUInt32BE(which === 'last' ? 8 : page.readUInt16BE(12 + 2))
  const leaf = page[0] === 5 ? leafBelow() : rootpage
  writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, (leaf - 1) * size)
  closeSync(fd)
  return leaf
}
