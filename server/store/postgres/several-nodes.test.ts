import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { databasesAt } from '../../../tools/local-cluster/databases.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { type LogRecord, type Store, StoreUnavailable, VersionConflict } from '../store.ts'
import { columnsOf } from '../testing/telemetry-model.ts'
import { type Database, openDatabase } from './database.ts'
import { emptyRecord } from './emptying.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './open.ts'

const NODES = 3
const clock = { now: () => 1_000 }
const START = 20_000 * 86_400_000

let url: string
let database: Database
beforeAll(async () => {
  url = await emptyDatabase()
  database = await openDatabase(url)
  await migrate(database)
}, A_SERVER_STARTS)
afterAll(() => database.close())

const fact = (n: number): NewFact => ({
  type: 'group.deleted',
  at: n,
  companyId: 'c1',
  data: { groupId: `g${n}` },
})

/** A node with connections of its own, and all that a follower of its log heard, in the order it heard it. */
async function openNode() {
  const own = await openDatabase(url)
  const stale: string[] = []
  const store = await openPostgresStore({
    database: own,
    dir: ':memory:',
    clock,
    onStale: (why) => stale.push(why),
  })
  const heard: LogRecord[] = []
  const follow = () => {
    for (;;) {
      const news = store.log.read(heard.at(-1)?.seq ?? 0, 7)
      if (news.length === 0) return
      heard.push(...news)
    }
  }
  follow()
  store.log.onCommit(follow)
  return {
    store,
    heard,
    stale,
    async close() {
      await store.close()
      await own.close()
    },
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      node: fc.nat(NODES - 1),
      stream: fc.constantFrom('group-a', 'group-b'),
      count: fc.integer({ min: 1, max: 3 }),
      key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
      isExpecting: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), node: fc.nat(NODES - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), share: fc.constantFrom(0.4, 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(8) }) },
)

/** What became of an append: its numbers, or why there are none. */
type Outcome = { numbers: number[]; repeated: boolean } | 'conflict' | 'refused'

async function append(
  { log }: Store,
  n: number,
  {
    stream,
    count,
    key,
    isExpecting,
  }: { stream: string; count: number; key?: string | undefined; isExpecting: boolean },
): Promise<Outcome> {
  const facts = Array.from({ length: count }, () => fact(n))
  try {
    const appended = await log.append(stream, facts, {
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(isExpecting ? { expectedVersion: log.version(stream) } : {}),
    })
    const numbers = appended.facts.map(({ seq }) => seq)
    // its sender reads it back at once
    expect(log.readFacts((numbers[0] ?? 0) - 1, { limit: numbers.length })).toEqual(appended.facts)
    return { numbers, repeated: appended.repeated }
  } catch (error) {
    if (error instanceof VersionConflict) return 'conflict'
    if (error instanceof StoreUnavailable) return 'refused'
    throw error
  }
}

test('several nodes write at once while their connections are cut: no gap, nothing twice, and all follow in one order', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      const { ask } = databasesAt(url)
      await emptyRecord(database)
      const nodes = await Promise.all(Array.from({ length: NODES }, openNode))
      try {
        const node = (i: number) => nodes[i]?.store as Store
        const appends: { n: number; key: string | undefined; count: number; outcome: Promise<Outcome> }[] = []
        const batches: Promise<number | undefined>[] = []
        for (const [n, action] of steps.entries()) {
          if (action.kind === 'append')
            appends.push({ n, ...action, outcome: append(node(action.node), n, action) })
          else if (action.kind === 'batch')
            batches.push(
              node(action.node)
                .telemetry.append(columnsOf([{ device: 1, at: START + n, temperature: 1 }]), START)
                .then(({ seq }) => seq)
                .catch(() => undefined),
            )
          else if (action.kind === 'cut')
            await ask(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
              WHERE application_name = 'frostline' AND datname = current_database() AND random() < ${action.share}`)
          else await pause(action.ms)
        }
        const done = await Promise.all(appends.map(async (one) => ({ ...one, outcome: await one.outcome })))
        const numbers = (await Promise.all(batches)).filter((seq) => seq !== undefined)
        const heads = await Promise.all(nodes.map(({ store }) => caughtUp(store)))
        const head = Math.max(...heads)
        expect(nodes.flatMap(({ stale }) => stale)).toEqual([])

        // gapless, and every follower heard all of it once and in order
        const all = node(0).log.read(0, 1e6)
        expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: head }, (_, i) => i + 1))
        for (const { heard } of nodes) expect(heard.slice(0, head)).toEqual(all.slice(0, heard.length))
        for (const { heard } of nodes) expect(heard).toHaveLength(head)

        // what was acknowledged is there under its numbers; what was refused is not there at all
        const stored = new Map<string, number[]>()
        for (const { data, seq } of node(1).log.readFacts(0, { limit: 1e6 })) {
          const { groupId } = data as { groupId: string }
          stored.set(groupId, [...(stored.get(groupId) ?? []), seq])
        }
        const ofKey = new Map<string, number[]>()
        for (const { n, key, outcome } of done) {
          const isStored = typeof outcome === 'object' && !outcome.repeated
          expect(stored.get(`g${n}`)).toEqual(isStored ? outcome.numbers : undefined)
          if (typeof outcome !== 'object' || key === undefined) continue
          ofKey.set(key, ofKey.get(key) ?? outcome.numbers)
          expect(outcome.numbers).toEqual(ofKey.get(key))
        }
        const stillThere = all.filter(({ kind }) => kind === 'readings').map(({ seq }) => seq)
        expect(stillThere).toEqual(numbers.toSorted((a, b) => a - b))
      } finally {
        await Promise.all(nodes.map((each) => each.close()))
      }
    }),
    { numRuns: 15 },
  ))

/** Its connection may have been cut a moment ago, and nobody noticed yet. */
async function caughtUp({ log }: Store): Promise<number> {
  for (;;)
    try {
      return await log.caughtUp()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
}
