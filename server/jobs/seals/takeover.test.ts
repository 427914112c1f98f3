import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { sealKeyPlace } from '../../auth/seal-key.ts'
import { type Database, openDatabase } from '../../store/postgres/database.ts'
import { openPostgresStore } from '../../store/postgres/open.ts'
import type { Store } from '../../store/store.ts'
import { columnsOf } from '../../store/testing/telemetry-model.ts'
import { startSealing } from './sealing.ts'
import { verifyLog } from './verify-log.ts'

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

  // what is changed in the database is named
  await database.ask((sql) => sql`UPDATE facts SET data = '{"userId":"u0"}', sum = sum WHERE seq = 7`)
  const [changed] = await database.ask(
    (sql) => sql<{ device: number; job: number }[]>`
      UPDATE telemetry_fresh SET bytes = set_byte(bytes, 0, 255 - get_byte(bytes, 0))
      WHERE (device, day, job) = (SELECT device, day, job FROM telemetry_fresh LIMIT 1) RETURNING device, job`,
  )
  const found: string[] = []
  for await (const step of verifyLog(store))
    found.push(...step.found.map(({ part, key }) => `${part} ${key}`))
  if ((await store.seals.factText(7)) !== undefined) expect(found).toContain('entry 7')
  expect(
    found.filter((each) => each.startsWith(`chunks`) && each.includes(`fresh-${changed?.job}`)),
  ).not.toEqual([])
  for (const { close } of nodes) await close()
})
