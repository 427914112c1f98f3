import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { openPostgresStore } from '../store/postgres/open.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { company, device, group } from '../testing/facts.ts'
import { type Evaluator, startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf } from './testing/small-fleet.ts'

const START = Date.UTC(2026, 0, 15)
const minute = (n: number): number => START + n * 60_000

/** Days that are tried, each on a device of its own, after each other over one database. */
const DAYS = 30
/** 2 to 8 °C, ten minutes of delay, thirty of patience. */
const FLEET: NewFact[] = [
  company('c', { name: 'Indus', patienceSeconds: 1800, violationDelaySeconds: 600 }),
  group('g', 'c', null, { name: 'Top' }),
  ...Array.from({ length: DAYS }, (_, no) =>
    device(no, imeiOf(no), 'c', 'g', { name: `Truck ${no}`, type: 'vehicle' as const }),
  ),
].map((fact) => ({ ...fact, at: START }))

/** Each five minutes from 600 to 660, 9 °C from 610 to 640 and else 5 °C. */
const BACKLOG: Reading[] = Array.from({ length: 13 }, (_, i) => {
  const n = 600 + i * 5
  return { device: 0, at: minute(n), temperature: n >= 610 && n <= 640 ? 9 : 5 }
})

const world = { now: START }
const clock = { now: () => world.now }

/** Two nodes over one database, each with a copy of its own. */
async function twoNodes(): Promise<{ leader: Store; follower: Store }> {
  const url = await emptyDatabase()
  const open = async () => {
    const store = await openPostgresStore({ database: url, dir: ':memory:', clock, sliceMs: 0 })
    onTestFinished(() => store.close())
    return store
  }
  return { leader: await open(), follower: await open() }
}

/** A leader's evaluator, and how to kill it: from then on it reads, tells and saves nothing. */
async function evaluating(store: Store): Promise<{ evaluator: Evaluator; kill(): void }> {
  const life = { isOver: false }
  const never = new Promise<never>(() => {})
  const evaluator = await startEvaluator({
    store: {
      telemetry: store.telemetry,
      log: {
        ...store.log,
        head: () => store.log.head(),
        read: (after, limit) => (life.isOver ? [] : store.log.read(after, limit)),
        append: (...it) => (life.isOver ? never : store.log.append(...it)),
      },
      checkpoints: { ...store.checkpoints, save: (...it) => life.isOver || store.checkpoints.save(...it) },
    },
    clock,
    isQuiet: () => true,
    tickMs: 1e8,
    checkpointMs: 1e8,
  })
  onTestFinished(() => evaluator.stop())
  return {
    evaluator,
    kill() {
      life.isOver = true
    },
  }
}

/** All that is in the record is evaluated here, also what came late, as none comes any more. */
async function settled(store: Store, { evaluator }: Awaited<ReturnType<typeof evaluating>>): Promise<void> {
  world.now += 16 * 60_000
  await evaluator.settled(await store.log.caughtUp())
  await evaluator.tick()
  await evaluator.settled(await store.log.caughtUp())
}

/** What is known of a device in the end; how bad it was of what is over. */
function episodesIn(store: Store, no = 0) {
  const published: PublishedOfDevices = new Map()
  for (const fact of store.log.readFacts(0, { limit: 10_000 })) foldPublished(published, fact)
  return [...(published.get(imeiOf(no))?.episodes.values() ?? [])]
    .map(
      ({ type, since, clearedAt, worst }) =>
        [type, since, clearedAt, clearedAt === null ? null : worst] as const,
    )
    .sort((a, b) => a[1] - b[1])
}

test.each(['before', 'after'])(
  'late readings that one node takes and another evaluates are the same excursion, though the leader is killed %s it was told',
  async (point) => {
    world.now = START
    const { leader, follower } = await twoNodes()
    await leader.log.append('registry', FLEET)
    const first = await evaluating(leader)
    world.now = minute(780)
    const present = columnsOf([{ device: 0, at: minute(780), temperature: 5 }])
    await leader.telemetry.append(present, world.now)
    await first.evaluator.settled(await leader.log.caughtUp())
    first.evaluator.checkpoint()
    // a third on the follower, newest first, and the rest on whoever is there
    await follower.telemetry.append(columnsOf(BACKLOG.slice(9).reverse()), world.now)
    await first.evaluator.settled(await leader.log.caughtUp())
    await follower.telemetry.append(columnsOf(BACKLOG.slice(4, 9).reverse()), world.now)
    if (point === 'after') await settled(leader, first)
    first.kill()

    const second = await evaluating(follower)
    await follower.telemetry.append(columnsOf(BACKLOG.slice(0, 4).reverse()), world.now)
    await settled(follower, second)
    await leader.log.caughtUp()
    for (const node of [leader, follower])
      expect(episodesIn(node)).toEqual([['HIGH_TEMPERATURE_DETECTED', minute(610), minute(645), 9]])
    const types = ['violation.opened', 'violation.found-late', 'violation.revised'] as const
    expect(follower.log.readFacts(0, { limit: 100, types: [...types] }).length).toBe(
      point === 'before' ? 1 : 2,
    )
  },
  A_SERVER_STARTS,
)

/** Of a device that sends each five minutes: °C, and for how many readings. */
const course = fc
  .array(fc.tuple(fc.constantFrom(1, 5, 5, 7.8, 8.3, 9, 12), fc.integer({ min: 1, max: 6 })), {
    minLength: 2,
    maxLength: 8,
  })
  .map((spells) => spells.flatMap(([temperature, count]) => Array<number>(count).fill(temperature)))

const scene = course.chain((values) =>
  fc.record({
    values: fc.constant(values),
    order: fc.shuffledSubarray([...values.keys()], { minLength: values.length }),
    batches: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 8 }),
        node: fc.nat(1),
        later: fc.constantFrom(0, 1, 3, 20),
        saves: fc.boolean(),
        kills: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

/** What remains of readings that come one by one and on time, on one node. */
async function knownOnTime(rows: Reading[]) {
  const now = world.now
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', FLEET)
  const only = await evaluating(store)
  for (const row of rows) {
    world.now = row.at
    await store.telemetry.append(columnsOf([row]), world.now)
    await only.evaluator.settled(store.log.head())
  }
  const known = episodesIn(store, rows[0]?.device)
  await only.evaluator.stop()
  await store.close()
  world.now = now
  return known
}

test(
  'in whatever order and batches the nodes take a day of readings, and whoever leads is killed between: what remains is the same on each',
  async () => {
    world.now = START
    const stores = Object.values(await twoNodes())
    const [one] = stores as [Store]
    await one.log.append('registry', FLEET)
    let leads = 0
    let leader = await evaluating(one)
    let no = -1
    await fc.assert(
      fc.asyncProperty(scene, async ({ values, order, batches }) => {
        no++
        const from = world.now + 60_000
        const rows = values.map((temperature, i) => ({ device: no, at: from + i * 300_000, temperature }))
        const expected = await knownOnTime(rows)
        world.now = from + (rows.length + 40) * 300_000
        const left = order.map((i) => rows[i] as Reading)
        for (let i = 0; left.length > 0; i++) {
          const { size, node, later, saves, kills } = batches[i % batches.length] as (typeof batches)[number]
          world.now += later * 60_000
          await (stores[node] as Store).telemetry.append(columnsOf(left.splice(0, size)), world.now)
          await leader.evaluator.settled(await (stores[leads] as Store).log.caughtUp())
          await leader.evaluator.tick()
          if (saves) leader.evaluator.checkpoint()
          if (!kills) continue
          leader.kill()
          leads = 1 - leads
          await (stores[leads] as Store).checkpoints.caughtUp()
          leader = await evaluating(stores[leads] as Store)
        }
        await settled(stores[leads] as Store, leader)
        for (const store of stores) {
          await store.log.caughtUp()
          expect(episodesIn(store, no)).toEqual(expected)
        }
      }),
      { numRuns: DAYS, endOnFailure: true },
    )
  },
  A_SERVER_STARTS,
)
