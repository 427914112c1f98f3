import type { FactOf, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { company, device, group } from '../../testing/facts.ts'
import type { EvaluatorOptions } from '../evaluation.ts'
import { type Evaluator, startEvaluator } from '../evaluator.ts'
import { columnsOf, imeiOf } from './small-fleet.ts'

/** Device 0 reports by another tracker from a minute on. */
export const trackerReplaced = (at: number): NewFact => ({
  type: 'device.tracker-replaced',
  at: minute(at),
  companyId: 'c',
  data: { no: 0, before: imeiOf(0), after: imeiOf(7) },
})

/** Midnight; minutes are counted from here. */
export const START = Date.UTC(2026, 0, 15)
export const minute = (n: number): number => START + n * 60_000
export const inMinutes = (at: number | null): number | null => (at === null ? null : (at - START) / 60_000)

/** 2 to 8 °C and 30 to 80 %, ten minutes of delay, back by 0.5 °C, thirty minutes of patience. */
export const FLEET: NewFact[] = [
  company('c', { name: 'Indus', patienceSeconds: 1800, violationDelaySeconds: 600, hmin: 0 }),
  group('g', 'c', null, { name: 'Top', lowHumidityThreshold: 30 }),
  ...[0, 1].map((no) => device(no, imeiOf(no), 'c', 'g', { name: `Truck ${no}`, type: 'vehicle' as const })),
].map((fact) => ({ ...fact, at: START }))

const open: { store: Store; evaluators: Evaluator[] }[] = []
/** Stops and closes whatever was set up. */
export async function closeAll(): Promise<void> {
  for (const { store, evaluators } of open.splice(0)) {
    for (const evaluator of evaluators) await evaluator.stop()
    await store.close()
  }
}

/**
 * An evaluator over a store of its own, to which readings of device 0 come at minutes of the test's choice.
 * @param fleet facts of the company, its groups and its devices
 */
export async function setUp(fleet = FLEET, { keptSince }: Pick<EvaluatorOptions, 'keptSince'> = {}) {
  const world = { now: START }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', fleet)
  const evaluators: Evaluator[] = []
  open.push({ store, evaluators })
  async function start(): Promise<Evaluator> {
    const life = { isOver: false }
    const evaluator = await startEvaluator({
      store: {
        telemetry: store.telemetry,
        log: {
          ...store.log,
          append: (...it) => store.log.append(...it),
          read: (after, limit) => (life.isOver ? [] : store.log.read(after, limit)),
        },
        checkpoints: { ...store.checkpoints, save: (...it) => life.isOver || store.checkpoints.save(...it) },
      },
      clock,
      isQuiet: () => true,
      keptSince,
      tickMs: 1e8,
      checkpointMs: 1e8,
    })
    evaluators.push(evaluator)
    kill = () => {
      life.isOver = true
    }
    return evaluator
  }
  let kill = (): void => {}
  let evaluator = await start()
  return {
    store,
    world,
    /** readings of device 0 come in at a minute; before that what is due by then is evaluated */
    async receive(at: number, rows: Omit<Reading, 'device'>[]) {
      world.now = minute(at)
      await store.telemetry.append(columnsOf(rows.map((row) => ({ device: 0, ...row }))), world.now)
      await evaluator.settled(store.log.head())
      await evaluator.tick()
    },
    /** nothing comes in for so long that all is evaluated in its place */
    async settle() {
      world.now += 16 * 60_000
      await evaluator.tick()
    },
    save: () => evaluator.checkpoint(),
    /** struck dead, and started again from what was saved last */
    async restart() {
      kill()
      evaluator = await start()
      await evaluator.settled(store.log.head())
      await evaluator.tick()
    },
    published: <T extends FactType>(...types: T[]) =>
      store.log.readFacts(0, { limit: 1000, types }) as unknown as FactOf<T>[],
    /** what remains of all that was told: type, since, cleared, worst; times in minutes */
    remaining() {
      const devices: PublishedOfDevices = new Map()
      for (const fact of store.log.readFacts(0, { limit: 1000 })) foldPublished(devices, fact)
      return [...devices.values()]
        .flatMap(({ episodes }) => [...episodes.values()])
        .map(
          ({ type, since, clearedAt, worst }) =>
            [type, inMinutes(since), inMinutes(clearedAt), clearedAt === null ? null : worst] as const,
        )
        .sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0) || a[0].localeCompare(b[0]))
    },
  }
}
