import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { StoreUnavailable } from '../store.ts'
import { columnsOf } from '../testing/telemetry-model.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore, type PostgresOptions } from './open.ts'

const START = 20_000 * 86_400_000
const HOUR = 3_600_000
const clock = { now: () => START }
const fact: NewFact = { type: 'group.deleted', at: 5, companyId: 'c1', data: { groupId: 'g1' } }
const nothing = new Uint8Array(0)

let database: Database
beforeAll(async () => {
  database = await openDatabase(await emptyDatabase())
  await migrate(database)
}, A_SERVER_STARTS)
beforeEach(() => emptyRecord(database))
afterAll(() => database.close())

const node = (options: Partial<PostgresOptions> = {}) =>
  openPostgresStore({ database, dir: ':memory:', clock, sliceMs: 0, ...options })

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-copy-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('a copy that is broken is made anew', async () => {
  const dir = await folder()
  await writeFile(join(dir, 'copy.sqlite'), 'this is no database, and was never one'.repeat(100))
  const store = await node({ dir })
  await store.log.append('group-a', [fact])
  await store.close()
  const again = await node({ dir })
  expect(again.log.readFacts(0)).toHaveLength(1)
  await again.close()
})

test('two processes do not share a copy', async () => {
  const dir = await folder()
  const store = await node({ dir })
  await expect(node({ dir })).rejects.toThrow(/another process/)
  await store.close()
})

test('who leads next goes on where the lead saved, not where it was itself long ago', async () => {
  let leader = 'one'
  const one = await node({ leads: () => leader === 'one' })
  const other = await node({ leads: () => leader === 'other' })
  other.checkpoints.save('judge', 1, () => Uint8Array.of(9))
  one.checkpoints.save('judge', 2, () => Uint8Array.of(1))
  one.checkpoints.save('letters', 7, () => Uint8Array.of(1))
  one.checkpoints.save('letters', 7, () => Uint8Array.of(2))
  await one.close()
  leader = 'other'
  await other.checkpoints.caughtUp()
  expect(other.checkpoints.load('judge')).toEqual({ seq: 2, bytes: Uint8Array.of(1) })
  expect(other.checkpoints.load('letters')).toEqual({ seq: 7, bytes: Uint8Array.of(2) })

  // what it saves from now on is its own, also where the position stays the same
  other.checkpoints.save('letters', 7, () => Uint8Array.of(3))
  await other.checkpoints.caughtUp()
  expect(other.checkpoints.load('letters')).toEqual({ seq: 7, bytes: Uint8Array.of(3) })
  await other.close()
})

test('a node that was away while batches were deleted begins where the others are', async () => {
  const dir = await folder()
  const away = await node({ dir, leads: () => false })
  away.checkpoints.save('judge', 0, () => Uint8Array.of(1))
  await away.close()

  const lead = await node()
  await lead.log.append('group-a', [fact])
  for (let i = 0; i < 3; i++)
    await lead.telemetry.append(columnsOf([{ device: 1, at: START + i, temperature: i }]), START)
  lead.checkpoints.save('judge', 3, () => Uint8Array.of(2))
  while (await lead.telemetry.maintain(START + HOUR));
  await lead.log.append('group-a', [fact])
  expect(lead.telemetry.batchesFrom()).toBe(3)

  const back = await node({ dir, leads: () => false })
  expect(back.log.head()).toBe(5)
  expect(back.telemetry.batchesFrom()).toBe(3)
  expect(back.log.read(3, 10)).toEqual(lead.log.read(3, 10))
  expect(back.log.readFacts(0)).toEqual(lead.log.readFacts(0))
  expect(back.checkpoints.load('judge')).toEqual({ seq: 3, bytes: Uint8Array.of(2) })
  expect(await back.telemetry.history(1, 0, 1e15)).toMatchObject({ length: 3 })

  // it forgets with the others what everybody is past
  lead.checkpoints.save('judge', 5, () => nothing)
  while (await lead.telemetry.maintain(START + 2 * HOUR));
  await back.log.caughtUp()
  expect(back.telemetry.batchesFrom()).toBe(lead.telemetry.batchesFrom())
  expect(back.log.read(0, 10)).toEqual(lead.log.read(0, 10))
  await back.close()
  await lead.close()
})

test.each(['while it follows', 'as it closes', 'while it is away'])(
  'a copy that has more than the record is made anew, and nobody begins where it was: lost %s',
  async (when) => {
    const dir = await folder()
    const stale: string[] = []
    const options = { dir, onStale: (why: string) => stale.push(why) }
    const ahead = await node(options)
    await ahead.log.append('group-a', [fact, fact])
    if (when === 'while it is away') await ahead.close()
    // as one that is restored to an earlier moment, or a standby that was behind
    await database.ask((sql) => sql`DELETE FROM facts WHERE seq = 2`)
    await database.ask((sql) => sql`UPDATE log SET head = 1`)
    if (when === 'while it is away') await expect(node(options)).rejects.toThrow(StoreUnavailable)
    else {
      if (when === 'while it follows') await expect.poll(() => stale).toHaveLength(1)
      ahead.checkpoints.save('judge', 2, () => Uint8Array.of(1))
      await ahead.close()
      // where a start finds it
      if (when === 'as it closes') await expect(node(options)).rejects.toThrow(StoreUnavailable)
    }
    expect(stale).toEqual(['the record has lost what it had'])

    const back = await node(options)
    expect(back.log.head()).toBe(1)
    expect(back.checkpoints.load('judge')).toBeUndefined()
    expect(await back.log.append('group-a', [fact])).toMatchObject({ facts: [{ seq: 2 }] })
    await back.close()
    expect(stale).toHaveLength(1)
  },
)

test('arrays come back as they went, whatever is in them', async () => {
  const texts = ['', 'NULL', '{a,b}', 'say "hi"\\', ' ', 'ß,€', '\n']
  const [row] = await database.ask(
    (sql) => sql`
      SELECT ${sql.typed.texts(texts)} AS texts, ${sql.typed.byteas([Uint8Array.of(0, 255), nothing])} AS byteas,
        ${sql.typed.bigints([0, -1, 2 ** 53 - 1])} AS bigints, ${sql.typed.doubles([0.1, -1e300])} AS doubles,
        ${sql.typed.integers([])} AS integers`,
  )
  expect(row).toEqual({
    texts,
    byteas: [Buffer.of(0, 255), Buffer.alloc(0)],
    bigints: [0, -1, 2 ** 53 - 1],
    doubles: [0.1, -1e300],
    integers: [],
  })
})
