import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { createExecute } from '../../commands/execute.ts'
import { startPublishingExhausted } from '../../jobs/budgets/publish-exhausted.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { openPostgresStore } from '../../store/postgres/open.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { company, device, group } from '../../testing/facts.ts'
import { columnsOf, imeiOf } from '../testing/small-fleet.ts'
import { startBudgets } from './budgets.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 15)
const minute = (n: number): number => START + n * MINUTE

/** Days that are tried, each on a device of its own, after each other over one database. */
const DAYS = 25
const PROFILES = ['chilled-food', 'medicines-2-8'] as const
const FLEET: NewFact[] = [
  company('c', { name: 'Indus', patienceSeconds: 600 }),
  group('g', 'c', null, { name: 'Top' }),
  ...Array.from({ length: DAYS }, (_, no) => device(no, imeiOf(no), 'c', 'g')),
  ...PROFILES.map((profileId) => {
    const form = SHIPPED_PROFILES[profileId] as (typeof SHIPPED_PROFILES)[string]
    const data = { companyId: 'c', profileId, version: 1, ...form }
    return { type: 'profile.set', companyId: 'c', data } as NewFact
  }),
].map((fact) => ({ ...fact, at: START }) as NewFact)

const loadOf = (no: number): string => `l${no}`
function workOn(
  type: 'load.opened' | 'load.closed',
  no: number,
  at: number,
  profileId = PROFILES[0] as string,
) {
  const about = { loadId: loadOf(no), imei: imeiOf(no), userName: 'Ayesha' }
  const data = type === 'load.opened' ? { ...about, profileId, version: 1, reference: 'Lot 7' } : about
  return { type, at, companyId: 'c', data } as NewFact
}

const world = { now: START }
const clock = { now: () => world.now }
const never = new Promise<never>(() => {})

/** A server of a fleet, and how it leads and is killed: from then on it says and saves nothing. */
function serverOver(store: Store) {
  const readModels = startProjecting(store)
  onTestFinished(() => readModels.stop())
  const follow = () => {
    const life = { isOver: false }
    const checkpoints = {
      ...store.checkpoints,
      load: store.checkpoints.load.bind(store.checkpoints),
      save: (...it: Parameters<Store['checkpoints']['save']>) =>
        !life.isOver && store.checkpoints.save(...it),
    }
    const budgets = startBudgets({ store: { ...store, checkpoints }, readModels, clock, lookMs: 1e8 })
    onTestFinished(() => budgets.stop())
    return { life, budgets }
  }
  let following = follow()
  let leading: ReturnType<typeof startPublishingExhausted> | undefined
  let dies: 'before' | 'while' | undefined

  const settled = async (): Promise<void> => {
    const seq = await store.log.caughtUp()
    await readModels.settled(seq)
    await following.budgets.settled(seq)
    await leading?.settled()
  }
  return {
    store,
    readModels,
    settled,
    budgets: () => following.budgets,
    lead() {
      const { life } = following
      const append: Store['log']['append'] = async (...it) => {
        if (life.isOver || dies === 'before') return never
        const appended = await store.log.append(...it)
        return dies === 'while' ? never : appended
      }
      leading = startPublishingExhausted({
        ...{ budgets: following.budgets, readModels, lookMs: 1e8 },
        execute: createExecute({
          log: { ...store.log, head: () => store.log.head(), append },
          readModels,
          clock,
        }),
        warn: (message) => expect.unreachable(message),
      })
    },
    /** it is struck down while it tells what it has to */
    dieAppending(how: 'before' | 'while') {
      dies = how
      void leading?.settled()
    },
    /** another process of it goes on, from what was saved */
    async kill() {
      following.life.isOver = true
      leading = undefined
      await following.budgets.stop()
      following = follow()
      await settled()
    },
    known(no: number) {
      const { budget, status } = following.budgets.of(loadOf(no))
      const round = (values: Iterable<number> = []) =>
        [...values].map((value) => Number(value.toPrecision(9)))
      const { percent = -1, most = -1, exhausted } = status ?? {}
      const exhaustedAt = exhausted?.at ?? null
      return {
        sums: round(budget?.sums),
        shares: round([percent, most]),
        exhaustedAt,
      }
    },
    /** when it was told to be exhausted, fact after fact; null: that it never was */
    exhaustedAt(no: number) {
      const facts = store.log.readFacts(0, { limit: 10_000, types: ['load.exhausted', 'load.revised'] })
      return (facts as FactOf<'load.exhausted' | 'load.revised'>[])
        .filter(({ data }) => data.loadId === loadOf(no))
        .map(({ at, data }) => ('after' in data ? (data.after?.exhaustedAt ?? null) : at))
    },
  }
}
type Server = ReturnType<typeof serverOver>

async function twoServers(): Promise<[Server, Server]> {
  const url = await emptyDatabase()
  const open = async () => {
    const store = await openPostgresStore({ database: url, dir: ':memory:', clock, sliceMs: 0 })
    onTestFinished(() => store.close())
    return serverOver(store)
  }
  return [await open(), await open()]
}

const warm = (no: number, from: number, to: number): Reading[] =>
  Array.from({ length: (to - from) / 5 + 1 }, (_, i) => ({
    ...{ device: no, at: minute(from + i * 5), temperature: 10 },
  }))

test.each(['before', 'while', 'after'] as const)(
  'an exhausted budget is told once by two nodes, though the leader is killed %s it tells that',
  async (point) => {
    world.now = START
    const [leader, follower] = await twoServers()
    await leader.store.log.append('fleet', [...FLEET, workOn('load.opened', 0, START)])
    leader.lead()
    world.now = minute(500)
    // one live reading first, and then what was kept meanwhile, on either node
    await follower.store.telemetry.append(
      columnsOf([{ device: 0, at: minute(500), temperature: 4 }]),
      world.now,
    )
    await leader.store.telemetry.append(columnsOf(warm(0, 180, 400)), world.now)
    await follower.store.telemetry.append(columnsOf(warm(0, 0, 175)), world.now)
    await leader.settled()
    if (point !== 'after') leader.dieAppending(point)
    await leader.budgets().reckonLate()
    if (point === 'after') await leader.settled()
    else leader.dieAppending(point)
    if (point !== 'before') await expect.poll(() => leader.exhaustedAt(0)).toEqual([minute(360)])
    await leader.kill()

    // it has yet to reckon what came late
    follower.lead()
    await follower.settled()
    await follower.budgets().reckonLate()
    await follower.settled()
    await leader.budgets().reckonLate()
    await leader.settled()
    for (const node of [leader, follower]) {
      expect(node.exhaustedAt(0)).toEqual([minute(360)])
      expect(node.readModels.directory.loads.byId.get('l0')?.exhausted?.at).toBe(minute(360))
    }
    expect(leader.known(0)).toEqual(follower.known(0))
    expect(leader.known(0).exhaustedAt).toBe(minute(360))
  },
  A_SERVER_STARTS,
)

/** Of a device that sends each five minutes: °C, and for how many readings. */
const course = fc
  .array(fc.tuple(fc.constantFrom(1, 4, 5, 7.8, 9, 12, 22), fc.integer({ min: 1, max: 30 })), {
    ...{ minLength: 2, maxLength: 8 },
  })
  .map((spells) => spells.flatMap(([temperature, count]) => Array<number>(count).fill(temperature)))

const scene = course.chain((values) =>
  fc.record({
    values: fc.constant(values),
    profileId: fc.constantFrom(...PROFILES),
    closes: fc.boolean(),
    order: fc.shuffledSubarray([...values.keys()], { minLength: values.length }),
    batches: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 40 }),
        node: fc.nat(1),
        reckons: fc.constantFrom<readonly number[]>([], [0], [1], [0, 1]),
        saves: fc.boolean(),
        kills: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
)

/** What is known of readings that come one by one and on time, on one node. */
async function knownOnTime(rows: Reading[], facts: [opened: NewFact, closed?: NewFact]) {
  const now = world.now
  const store = openSqliteStore({ dir: ':memory:', clock })
  const [opened, closed] = facts
  await store.log.append('fleet', [...FLEET, opened])
  const only = serverOver(store)
  for (const row of rows) {
    world.now = row.at
    await store.telemetry.append(columnsOf([row]), world.now)
  }
  if (closed !== undefined) await store.log.append('fleet', [closed])
  await only.settled()
  await only.budgets().reckonLate()
  const known = only.known(rows[0]?.device ?? -1)
  await only.kill()
  world.now = now
  return known
}

test(
  'in whatever order and batches two nodes take the readings of a load, and whoever leads is killed between: both know the same, and it is what was told last',
  async () => {
    world.now = START
    const nodes = await twoServers()
    await nodes[0].store.log.append('fleet', FLEET)
    let leads = 0
    const leader = (): Server => nodes[leads] as Server
    leader().lead()
    let no = -1
    await fc.assert(
      fc.asyncProperty(scene, async ({ values, profileId, closes, order, batches }) => {
        no++
        const from = world.now + MINUTE
        const rows = values.map((temperature, i) => ({ device: no, at: from + i * 300_000, temperature }))
        const end = from + rows.length * 300_000
        const opened = workOn('load.opened', no, from, profileId)
        const closed = workOn('load.closed', no, end - 600_000)
        const expected = await knownOnTime(rows, closes ? [opened, closed] : [opened])
        await nodes[0].store.log.append('fleet', [opened])
        world.now = end
        const left = order.map((i) => rows[i] as Reading)
        for (let i = 0; left.length > 0; i++) {
          const { size, node, reckons, saves, kills } = batches[
            i % batches.length
          ] as (typeof batches)[number]
          await (nodes[node] as Server).store.telemetry.append(columnsOf(left.splice(0, size)), world.now)
          if (closes && i === 0) await nodes[0].store.log.append('fleet', [closed])
          for (const one of nodes) await one.settled()
          for (const one of reckons) await (nodes[one] as Server).budgets().reckonLate()
          await leader().settled()
          if (saves) leader().budgets().checkpoint()
          if (!kills) continue
          await leader().kill()
          leads = 1 - leads
          leader().lead()
          await leader().settled()
        }
        for (const one of nodes) {
          await one.settled()
          await one.budgets().reckonLate()
        }
        await leader().settled()
        for (const one of nodes) {
          await one.settled()
          expect(one.known(no)).toEqual(expected)
          const published = one.exhaustedAt(no)
          expect(published.at(-1) ?? null).toBe(expected.exhaustedAt)
          // nothing is told that was just told
          expect(published.filter((at, i) => at === (published[i - 1] ?? null))).toEqual([])
        }
      }),
      { numRuns: DAYS, endOnFailure: true },
    )
  },
  A_SERVER_STARTS,
)
