import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { sealKeyPlace } from '../../auth/seal-key.ts'
import { type Database, openDatabase } from '../../store/postgres/database.ts'
import { emptyRecord } from '../../store/postgres/emptying.ts'
import { openPostgresStore } from '../../store/postgres/open.ts'
import type { Store } from '../../store/store.ts'
import { columnsOf } from '../../store/testing/telemetry-model.ts'
import { createProofs } from './proofs.ts'
import { startSealing } from './sealing.ts'
import { type GivenHead, type LogFinding, verifyLog } from './verify-log.ts'

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
/** What the page for operators has them do where no backup has what was lost. */
const BEGUN_ANEW = /```sql\nBEGIN;\n(TRUNCATE seal[^`]*)COMMIT;\n```/.exec(page)?.[1] ?? ''

const HOUR = 3_600_000
let database: Database
let now = 400 * 24 * HOUR
beforeAll(async () => {
  database = await openDatabase(await emptyDatabase())
}, A_SERVER_STARTS)
afterAll(() => database.close())

const clock = { now: () => now }
const fact = (n: number) => ({
  ...{ type: 'user.reset-required' as const, at: now, companyId: 'c' },
  data: { userId: `u${n}` },
})

/** A node that leads, over a database in which some part of the tree may be missing. */
async function openNode() {
  const store = await openPostgresStore({ database, dir: ':memory:', clock, sliceMs: 0 })
  await store.seals.holdBatches()
  const [row] = await database.ask(
    (sql) => sql<{ term: number }[]>`
      UPDATE lead SET term = term + 1, until = now() + interval '1 hour' RETURNING term`,
  )
  const sealing = startSealing({
    ...{ store, clock, warn: () => {}, readModels: { onAdvance: () => () => {} } },
    place: sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, database),
    term: () => row?.term,
  })
  return {
    store,
    sealing,
    async close() {
      await sealing.stop()
      await store.close()
    },
  }
}
type Node = Awaited<ReturnType<typeof openNode>>

/** Facts and batches in turn, compacted, said and signed. */
async function record({ store, sealing }: Node) {
  for (let i = 0; i < 150; i++) {
    await store.log.append(`user-${i}`, [fact(i)])
    await store.telemetry.append(columnsOf([{ device: i % 4, at: now, temperature: i }]), now)
    now += 1000
  }
  now += 2 * HOUR
  while (await store.telemetry.maintain(now));
  await sealing.settled()
  return signed({ store, sealing })
}

/** It signs by itself too, whichever comes first. */
async function signed({ store, sealing }: Pick<Node, 'store' | 'sealing'>): Promise<SealHead> {
  await sealing.signNow()
  const [head] = await store.seals.heads()
  if (head === undefined) throw new Error('nothing was signed')
  return head
}

async function verified({ seals, log }: Store, ...given: GivenHead[]): Promise<LogFinding[]> {
  await log.caughtUp()
  const found: LogFinding[] = []
  for await (const step of verifyLog({ seals, log }, given)) found.push(...step.found)
  return found
}

const batches = async (): Promise<number> => {
  const [row] = await database.ask((sql) => sql<{ count: number }[]>`SELECT count(*)::int FROM batches`)
  return row?.count ?? 0
}

test('of a tree whose row is gone it is said what helps; what comes is taken on, and it goes on where the row is put back', async () => {
  const node = await openNode()
  const first = await record(node)
  const kept = await batches()
  await database.ask((sql) => sql`CREATE TABLE put_aside AS SELECT * FROM seal_tree`)
  await database.ask((sql) => sql`DELETE FROM seal_tree`)
  const words =
    /^how far the tree over the record is cannot be read \(table seal_tree: it is missing\): .*with a database/
  expect(await verified(node.store, first)).toEqual([
    { part: 'tree', key: 'all', reason: expect.stringMatching(words) },
  ])
  await expect(node.sealing.signNow()).rejects.toThrow(words)
  await node.store.log.append('user-x', [fact(1)])
  await node.store.telemetry.append(columnsOf([{ device: 1, at: now, temperature: 1 }]), now)
  now += 2 * HOUR
  await expect(maintained(node.store)).rejects.toThrow(words)
  expect(await batches()).toBe(kept + 1)
  await node.close()

  // a node that starts meanwhile is none the worse
  const next = await openNode()
  await expect(next.sealing.signNow()).rejects.toThrow(words)
  await database.ask((sql) => sql`INSERT INTO seal_tree SELECT * FROM put_aside`)
  await database.ask((sql) => sql`DROP TABLE put_aside`)
  await maintained(next.store)
  await next.sealing.settled()
  const second = await signed(next)
  expect(second.size).toBeGreaterThan(first.size + 1)
  await maintained(next.store)
  expect(await verified(next.store, first, second)).toEqual([])
  await next.close()
  await emptyRecord(database)
})

test('of a tree that lost leaves they are named; it goes on where they are put back, else it is begun anew in the open', async () => {
  const node = await openNode()
  const { store, sealing } = node
  const first = await record(node)
  await database.ask((sql) => sql`CREATE TABLE put_aside AS SELECT * FROM seal_tiles`)
  await database.ask((sql) => sql`DELETE FROM seal_tiles WHERE level = 0 AND tile = 0`)
  const gone = [
    {
      part: 'head',
      key: expect.any(String),
      reason: expect.stringContaining('parts of the tree are missing'),
    },
    { part: 'tree', key: '0/0', reason: expect.stringContaining('of its leaves are missing') },
  ]
  expect(await verified(store)).toEqual(gone)
  await store.log.append('user-x', [fact(1)])
  // the tile above has the hash of those that are lost, so what comes is signed on top of what was
  await sealing.signNow()
  await database.ask((sql) => sql`INSERT INTO seal_tiles SELECT * FROM put_aside ON CONFLICT DO NOTHING`)
  await database.ask((sql) => sql`DROP TABLE put_aside`)
  const second = await signed(node)
  expect(await verified(store, first, second)).toEqual([])

  await database.ask((sql) => sql`DELETE FROM seal_tiles WHERE level = 0 AND tile = 0`)
  await node.close()
  await database.transaction(async (sql) => {
    await sql.unsafe(BEGUN_ANEW)
  })
  const next = await openNode()
  const anew = {
    part: 'tree',
    key: `from ${second.size + 1}`,
    reason: expect.stringContaining('are in it as they were found'),
  }
  expect(await createProofs({ store: next.store, reports: new Map() }).begunAnewAfter()).toBe(second.size)
  await next.store.log.append('user-y', [fact(1)])
  const third = await signed(next)
  expect(third.size).toBeGreaterThan(second.size)
  expect(await verified(next.store, first, third)).toEqual([
    anew,
    { part: 'head', key: String(first.size), reason: expect.stringContaining('begun anew after entry') },
  ])
  await next.close()
})

async function maintained({ telemetry }: Store): Promise<void> {
  while (await telemetry.maintain(now));
}
