import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { foldTold, type ToldOfDevices } from '#machines/projections/episodes.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { openPostgresStore } from '../store/postgres/open.ts'
import type { Store } from '../store/store.ts'
import { company, device, group } from '../testing/facts.ts'
import { type Evaluator, startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf } from './testing/small-fleet.ts'

const START = Date.UTC(2026, 0, 15)
const minute = (n: number): number => START + n * 60_000

/** 2 to 8 °C, ten minutes of delay, thirty of patience. */
const FLEET: NewFact[] = [
  company('c', { name: 'Indus', patienceSeconds: 1800, violationDelaySeconds: 600 }),
  group('g', 'c', null, { name: 'Top' }),
  device(0, imeiOf(0), 'c', 'g', { name: 'Truck', type: 'vehicle' as const }),
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

function episodesIn(store: Store) {
  const told: ToldOfDevices = new Map()
  for (const fact of store.log.readFacts(0, { limit: 1000 })) foldTold(told, fact)
  return [...(told.get(imeiOf(0))?.episodes.values() ?? [])].map(
    ({ type, since, clearedAt, worst }) => [type, since, clearedAt, worst] as const,
  )
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
