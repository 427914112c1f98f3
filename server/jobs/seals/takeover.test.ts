import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { sealKeyPlace } from '../../auth/seal-key.ts'
import { type Database, openDatabase } from '../../store/postgres/database.ts'
import { openPostgresStore } from '../../store/postgres/open.ts'
import type { Store } from '../../store/store.ts'
import { columnsOf } from '../../store/testing/telemetry-model.ts'
import { startSealing } from './sealing.ts'
import { verifyLog } from './verify-log.ts'

const SEED = inject('seed')
const HOUR = 3_600_000
const START = 400 * 24 * HOUR
let address: string
let database: Database
beforeAll(async () => {
  address = await emptyDatabase()
  database = await openDatabase(address)
}, A_SERVER_STARTS)
afterAll(() => database.close())

const clock = { at: START, now: () => clock.at }

/** A node that believes to lead in the term it was told last. */
async function openNode() {
  const heads: SealHead[] = []
  const own = await openDatabase(address)
  const store = await openPostgresStore({ database: own, dir: ':memory:', clock, sliceMs: 0 })
  await store.seals.holdBatches()
  const node = { term: 0 }
  const sealing = startSealing({
    store,
    readModels: { onAdvance: () => () => {} },
    place: sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, own),
    clock,
    term: () => (node.term === 0 ? undefined : node.term),
    warn: (message) => {
      throw new Error(message)
    },
    onHead: (head) => {
      heads.push(head)
    },
  })
  return {
    store,
    sealing,
    heads,
    async lead() {
      const [row] = await own.ask(
        (sql) => sql<{ term: number }[]>`
          UPDATE lead SET term = term + 1, until = now() + interval '1 hour' RETURNING term`,
      )
      node.term = row?.term ?? 0
    },
    async close() {
      await sealing.stop()
      await store.close()
      await own.close()
    },
  }
}

async function fill({ log, telemetry }: Store, round: number): Promise<void> {
  const writes: Promise<unknown>[] = []
  for (let i = 0; i < 40; i++) {
    const at = clock.at + i * 1000
    writes.push(telemetry.append(columnsOf([{ device: i % 4, at, temperature: i }]), at))
    writes.push(
      log.append(`user-${round}-${i}`, [
        { type: 'user.reset-required', at, companyId: 'c', data: { userId: `u${i}` } },
      ]),
    )
  }
  await Promise.all(writes)
}

test('nodes that take over from each other go on with one tree, and whoever was taken over from signs nothing', async () => {
  const nodes = [await openNode(), await openNode()] as const
  for (let round = 0; round < 6; round++) {
    const [leading, other] = round % 2 === 0 ? nodes : ([nodes[1], nodes[0]] as const)
    await leading.lead()
    // both write, and both try to sign what there is: the other one still believes that it leads
    const writing = [fill(leading.store, round * 2), fill(other.store, round * 2 + 1)]
    await leading.sealing.signNow()
    await Promise.all(writing)
    const before = other.heads.length
    expect(await other.sealing.signNow()).toBeUndefined()
    expect(other.heads).toHaveLength(before)
    await leading.sealing.signNow()
    clock.at += HOUR
    while (await leading.store.telemetry.maintain(clock.at));
    await leading.sealing.settled()
  }
  await nodes[1].sealing.signNow()
  const heads = nodes.flatMap((node) => node.heads).sort((a, b) => a.size - b.size)
  expect(heads.length).toBeGreaterThan(6)
  expect(new Set(heads.map(({ size }) => size)).size).toBe(heads.length)
  expect(new Set(heads.map(({ keyId }) => keyId)).size).toBe(1)
  const [{ store }] = nodes
  await store.log.caughtUp()
  let chunks = 0
  for await (const { found, of, done } of verifyLog(store, heads)) {
    expect(found).toEqual([])
    if (done === of) chunks++
  }
  expect(chunks).toBeGreaterThan(2)

  // of whatever one byte is changed in the database: it is found out where it is, and fits again when it is put back
  for (const { table, column, key, part } of PLACES) {
    const [row] = await database.ask(
      (sql) => sql<{ key: string; value: Buffer | string }[]>`
        SELECT ${sql(column)} AS value, ${sql(key)}::text AS key FROM ${sql(table)}
        ORDER BY md5(${sql(key)}::text || ${SEED}) LIMIT 1`,
    )
    if (row === undefined) throw new Error(`there is nothing in ${table}`)
    const put = (from: Buffer | string, to: Buffer | string) =>
      database.ask(
        (sql) => sql`UPDATE ${sql(table)} SET ${sql(column)} = ${to} WHERE ${sql(column)} = ${from}
        AND ${sql(key)}::text = ${row.key}`,
      )
    const other = withOther(row.value)
    await put(row.value, other)
    const found = await namesOf(store)
    await put(other, row.value)
    expect(
      found.filter((each) => each.startsWith(part)),
      `${table} ${column}`,
    ).not.toEqual([])
    if (part === 'entry') expect(found).toContain(`entry ${row.key}`)
  }
  expect(await namesOf(store)).toEqual([])
  for (const { close } of nodes) await close()
})

/** What a record consists of, but for reports and their seals, which are files: what is found of each where a byte of it is another. */
const PLACES = [
  { table: 'facts', column: 'data', key: 'seq', part: 'entry' },
  { table: 'facts', column: 'stream', key: 'seq', part: 'entry' },
  { table: 'batches', column: 'bytes', key: 'seq', part: 'entry' },
  { table: 'telemetry_fresh', column: 'bytes', key: 'device', part: 'chunks' },
  { table: 'seal_tiles', column: 'bytes', key: 'tile', part: '' },
  { table: 'seal_heads', column: 'root', key: 'size', part: 'head' },
  { table: 'seal_heads', column: 'signature', key: 'size', part: 'head' },
  { table: 'seal_heads', column: 'key_id', key: 'size', part: 'head' },
] as const

async function namesOf(store: Store): Promise<string[]> {
  const found: string[] = []
  for await (const step of verifyLog(store))
    found.push(...step.found.map(({ part, key }) => `${part} ${key}`))
  return found
}

/** One byte, or letter, of it is another. */
function withOther(value: Buffer | string): Buffer | string {
  const i = SEED % value.length
  if (typeof value === 'string') return `${value.slice(0, i)}~${value.slice(i + 1)}`
  return Buffer.from(value.map((byte, n) => (n === i ? byte ^ 4 : byte)))
}
