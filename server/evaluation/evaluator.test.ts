import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { type EventLog, type Store, StoreUnavailable } from '../store/store.ts'
import { type Evaluator, startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'

const minute = (n: number): number => START + n * 60_000
const movedTo = (high: number): NewFact => ({
  type: 'group.updated',
  at: START,
  companyId: 'c',
  data: { groupId: 'g', highTemperatureThreshold: high },
})

const open: { store: Store; evaluators: Evaluator[] }[] = []
afterEach(closeAll)
async function closeAll(): Promise<void> {
  for (const { store, evaluators } of open.splice(0)) {
    for (const evaluator of evaluators) await evaluator.stop()
    await store.close()
  }
}

/** A store with a small server in it, and evaluators over it. */
async function setUp() {
  const world = { now: START, isQuiet: true }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', smallFleet(3))
  const evaluators: Evaluator[] = []
  open.push({ store, evaluators })
  return {
    world,
    store,
    evaluators,
    /** an evaluator that looks for silence and saves only when told to, and can be struck dead */
    async evaluator(): Promise<Evaluator & { kill(): void }> {
      let isDead = false
      const log: EventLog = {
        ...store.log,
        append: (...it) => store.log.append(...it),
        read: (after, limit) => (isDead ? [] : store.log.read(after, limit)),
      }
      const evaluator = await startEvaluator({
        store: {
          log,
          telemetry: store.telemetry,
          checkpoints: { ...store.checkpoints, save: (...it) => isDead || store.checkpoints.save(...it) },
        },
        clock,
        isQuiet: () => world.isQuiet,
        tickMs: 1e8,
        checkpointMs: 1e8,
      })
      evaluators.push(evaluator)
      const kill = () => {
        isDead = true
      }
      return Object.assign(Object.create(evaluator) as Evaluator, { kill })
    },
    /** one that heard a device at the start and nothing since, until it is let on, with what was heard meanwhile or without */
    async heldUp() {
      await store.telemetry.append(columnsOf([{ device: 0, at: START }]), START)
      const letOn = Promise.withResolvers<{ withNews: boolean }>()
      let head: number | undefined
      const evaluator = await startEvaluator({
        store: {
          ...store,
          log: {
            ...store.log,
            append: (...it) => store.log.append(...it),
            head: () => head ?? store.log.head(),
            read: (after, limit) => store.log.read(after, limit).filter(({ seq }) => seq <= (head ?? seq)),
            async caughtUp() {
              const { withNews } = await letOn.promise
              if (withNews) head = undefined
              return head ?? store.log.head()
            },
          },
        },
        clock,
        isQuiet: () => true,
        tickMs: 1e8,
        checkpointMs: 1e8,
      })
      evaluators.push(evaluator)
      await evaluator.settled(store.log.head())
      head = store.log.head()
      return { evaluator, letOn: (how = { withNews: true }) => letOn.resolve(how) }
    },
    async reads(at: number, ...rows: Reading[]) {
      world.now = at
      await store.telemetry.append(columnsOf(rows), at)
    },
    published: () => publishedIn(store),
  }
}

const FLEET_FACTS = new Set(['company.registered', 'group.created', 'group.updated', 'device.registered'])
const publishedIn = ({ log }: Store) =>
  log.readFacts(0, { limit: 1000 }).filter(({ type }) => !FLEET_FACTS.has(type))
const brief = (facts: ReturnType<typeof publishedIn>) =>
  facts.map(({ type, at, data }) => {
    const { imei: who, to } = data as { imei: string; to?: string }
    return `${type} ${who.at(-1)} ${(at - START) / 60_000}${to === undefined ? '' : ` ${to}`}`
  })

/** What is known in the end of all that was told, however it came to be known: readings out of their order come up at another time. */
function remaining(facts: ReturnType<typeof publishedIn>) {
  const devices: PublishedOfDevices = new Map()
  for (const fact of facts) foldPublished(devices, fact)
  const isViolation = (type: string) => type.startsWith('violation.')
  return {
    violations: [...devices]
      .flatMap(([imei, { episodes }]) =>
        [...episodes.values()].map(
          ({ type, since, clearedAt }) => `${imei.at(-1)} ${type} ${since} ${clearedAt}`,
        ),
      )
      .sort(),
    others: brief(facts.filter(({ type }) => !isViolation(type))).sort(),
  }
}

describe('the evaluator', () => {
  test('tells what readings mean, with all a reader needs to know', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const follower = await evaluator()
    for (const n of [0, 1, 2])
      await reads(minute(n), { device: 1, at: minute(n), temperature: 9 + n, lat: 31.5, lng: 74.3 })
    await reads(minute(3), { device: 1, at: minute(3), temperature: 4 })
    await follower.settled(store.log.head())
    expect(brief(published())).toEqual([
      'device-status.changed 1 0 online',
      'violation.opened 1 2',
      'violation.cleared 1 3',
    ])
    const [, opened, cleared] = published()
    expect(opened).toMatchObject({
      companyId: 'c',
      data: {
        imei: imeiOf(1),
        type: 'HIGH_TEMPERATURE_DETECTED',
        threshold: 8,
        delaySeconds: 120,
        clearMargin: 0.5,
        since: minute(0),
        value: 11,
        lat: 31.5,
        lng: 74.3,
        readings: [0, 1, 2].map((n) => ({ at: minute(n), value: 9 + n })),
      },
    })
    expect(cleared?.data).toMatchObject({
      violationId: (opened as FactOf<'violation.opened'>).data.violationId,
      worst: 11,
      value: 4,
      durationSeconds: 180,
      reason: 'back-inside',
    })
  })

  test('tells where a device was when it or its sensor was unplugged, if the reading says so', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const follower = await evaluator()
    const here = { lat: 31.5, lng: 74.3 }
    for (const n of [0, 1, 2, 3, 4])
      await reads(minute(n), { device: 1, at: minute(n), ...(n < 2 && { temperature: 5 }), ...here })
    await reads(minute(5), { device: 1, at: minute(5), unplug: 1, ...here })
    await reads(minute(6), { device: 1, at: minute(6), unplug: 0 })
    await follower.settled(store.log.head())
    const places = published().map(({ type, data }) => [
      type,
      'to' in data ? data.to : '',
      'lat' in data ? [data.lat, data.lng] : null,
    ])
    expect(places).toEqual([
      ['device-status.changed', 'online', [31.5, 74.3]],
      ['sensor.unplugged', '', [31.5, 74.3]],
      ['device-status.changed', 'disconnected', [31.5, 74.3]],
      ['device-status.changed', 'online', null],
    ])
  })

  test('measures readings by the thresholds in force when they were stored', async () => {
    const { evaluator, reads, store, published } = await setUp()
    for (const n of [0, 1, 2]) await reads(minute(n), { device: 1, at: minute(n), temperature: 9 })
    await store.log.append('group-g', [movedTo(12)])
    for (const n of [3, 4, 5]) await reads(minute(n), { device: 1, at: minute(n), temperature: 9 })
    const follower = await evaluator()
    await follower.settled(store.log.head())
    expect(brief(published())).toEqual([
      'device-status.changed 1 0 online',
      'violation.opened 1 2',
      'violation.cleared 1 3',
    ])
    expect(published().at(-1)?.data).toMatchObject({ reason: 'threshold-changed' })
  })

  test('tells a sensor unplugged and plugged in, and closes what it had open', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const follower = await evaluator()
    for (const n of [0, 1, 2])
      await reads(minute(n), { device: 0, at: minute(n), temperature: 9, humidity: 90 })
    for (const n of [3, 4, 5]) await reads(minute(n), { device: 0, at: minute(n) })
    await reads(minute(6), { device: 0, at: minute(6), temperature: 5 })
    await follower.settled(store.log.head())
    expect(brief(published()).slice(3)).toEqual([
      'sensor.unplugged 0 5',
      'violation.cleared 0 5',
      'violation.cleared 0 5',
      'sensor.plugged-in 0 6',
    ])
  })

  test('notices silence by the clock alone, but not while readings are on their way', async () => {
    const { evaluator, reads, store, world, published } = await setUp()
    const follower = await evaluator()
    await reads(minute(0), { device: 0, at: minute(0) })
    await follower.settled(store.log.head())
    world.now = minute(30)
    world.isQuiet = false
    await follower.tick()
    expect(brief(published())).toEqual(['device-status.changed 0 0 online'])
    world.isQuiet = true
    await follower.tick()
    await follower.tick()
    expect(brief(published()).slice(1)).toEqual(['device-status.changed 0 10 offline'])
  })

  test('that was held up first reads what was heard meanwhile, and tells nobody silent once another leads', async () => {
    const { heldUp, reads, world, published } = await setUp()
    const { evaluator, letOn } = await heldUp()
    await reads(minute(9), { device: 0, at: minute(9) })
    world.now = minute(11)
    const looking = evaluator.tick()
    letOn()
    await looking
    expect(brief(published())).toEqual(['device-status.changed 0 0 online'])

    const other = await heldUp()
    world.now = minute(30)
    const looked = other.evaluator.tick()
    const stopped = other.evaluator.stop()
    other.letOn()
    await Promise.all([looked, stopped])
    expect(brief(published())).toEqual(['device-status.changed 0 0 online'])
  })

  test('tells that a device is heard which another took for silent', async () => {
    const { heldUp, evaluator, reads, store, world, published } = await setUp()
    const { evaluator: before, letOn } = await heldUp()
    const next = await evaluator()
    await reads(minute(9), { device: 0, at: minute(9) })
    await next.settled(store.log.head())
    world.now = minute(11)
    letOn({ withNews: false })
    await before.tick()
    await next.settled(store.log.head())
    await next.tick()
    await reads(minute(12), { device: 0, at: minute(12) })
    await next.settled(store.log.head())
    expect(brief(published()).slice(1)).toEqual([
      'device-status.changed 0 10 offline',
      'device-status.changed 0 12 online',
    ])
    // and no more: the readings after it are of a device that is online
    await reads(minute(13), { device: 0, at: minute(13) })
    await next.settled(store.log.head())
    await next.tick()
    await reads(minute(14), { device: 0, at: minute(14) })
    await next.settled(store.log.head())
    expect(published()).toHaveLength(3)
  })

  test('notices silence of one by the readings of others', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const follower = await evaluator()
    await reads(minute(0), { device: 0, at: minute(0) })
    for (const n of [5, 10, 15]) await reads(minute(n), { device: 1, at: minute(n) })
    await follower.settled(store.log.head())
    expect(brief(published()).at(-1)).toBe('device-status.changed 0 10 offline')
    // the silence itself began with what was heard last
    expect(published().at(-1)?.data).toMatchObject({ heardAt: minute(0) })
  })

  test('takes a clock that ran ahead at its word only until now', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const follower = await evaluator()
    await reads(minute(0), { device: 0, at: minute(600), temperature: 5 })
    for (const n of [1, 2, 3]) await reads(minute(n), { device: 0, at: minute(n), temperature: 9 })
    await follower.settled(store.log.head())
    expect(brief(published()).at(-1)).toBe('violation.opened 0 3')
  })
})

describe('an evaluator that starts again', () => {
  test('tells nothing twice, from a checkpoint, from none, and after facts that only the clock caused', async () => {
    const { evaluator, reads, store, world, published } = await setUp()
    const first = await evaluator()
    for (const n of [0, 1, 2]) await reads(minute(n), { device: 0, at: minute(n), temperature: 9 })
    await first.settled(store.log.head())
    first.checkpoint()
    world.now = minute(30)
    await first.tick()
    await reads(minute(31), { device: 0, at: minute(31), temperature: 9 })
    await first.settled(store.log.head())
    const before = brief(published())
    expect(before).toHaveLength(4)

    const second = await evaluator()
    await second.settled(store.log.head())
    world.now = minute(32)
    await second.tick()
    expect(brief(published())).toEqual(before)
    await reads(minute(32), { device: 0, at: minute(32), temperature: 3 })
    await Promise.all([first.settled(store.log.head()), second.settled(store.log.head())])
    expect(brief(published()).slice(before.length)).toEqual(['violation.cleared 0 32'])
  })

  test('tells what the store could not take before', async () => {
    const { evaluator, reads, store, published } = await setUp()
    const first = await evaluator()
    const failing = vi.spyOn(store.log, 'append').mockRejectedValue(new StoreUnavailable('disk full'))
    await reads(minute(0), { device: 0, at: minute(0) })
    await vi.waitUntil(() => failing.mock.calls.length > 0)
    await first.stop()
    failing.mockRestore()
    expect(published()).toEqual([])
    await evaluator()
    expect(brief(published())).toEqual(['device-status.changed 0 0 online'])
  })

  test('says what one that never stopped would say, wherever it was cut off', async () => {
    const reading = fc.record({
      device: fc.nat(2),
      at: fc.integer({ min: 0, max: 3 }).map((n) => -n * 30_000),
      temperature: fc.option(fc.constantFrom(1, 5, 7.8, 9), { nil: undefined }),
      humidity: fc.option(fc.constantFrom(20, 50, 90), { nil: undefined }),
      unplug: fc.constantFrom(undefined, 0, 0, 0, 1),
    })
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('reads' as const),
          minutes: fc.constantFrom(1, 1, 1, 3, 12),
          rows: fc.array(reading, { maxLength: 6 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('moves' as const), high: fc.constantFrom(6, 8, 12) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('ticks' as const), minutes: fc.constantFrom(1, 15) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'saves' as const }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'dies' as const }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'restarts' as const }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const cut = await setUp()
        let evaluator: Awaited<ReturnType<typeof cut.evaluator>> | undefined = await cut.evaluator()
        let now = START
        for (const one of steps) {
          if (one.kind === 'reads') {
            now += one.minutes * 60_000
            const at = now
            await cut.reads(at, ...one.rows.map((row) => ({ ...row, at: at + row.at })))
          } else if (one.kind === 'moves') await cut.store.log.append('group-g', [movedTo(one.high)])
          else if (one.kind === 'saves') evaluator?.checkpoint()
          else if (one.kind === 'ticks') {
            now += one.minutes * 60_000
            cut.world.now = now
            await evaluator?.tick()
          } else {
            evaluator?.kill()
            evaluator = one.kind === 'dies' ? undefined : await cut.evaluator()
          }
          await evaluator?.settled(cut.store.log.head())
        }
        evaluator?.kill()
        evaluator = await cut.evaluator()
        await evaluator.settled(cut.store.log.head())

        const whole = await setUp()
        for (const record of cut.store.log.read(0, 1000)) {
          if (record.kind === 'readings')
            await whole.store.telemetry.append(record.readings, record.recordedAt)
          else if (record.fact.type === 'group.updated')
            await whole.store.log.append('group-g', [record.fact])
        }
        const one = await whole.evaluator()
        await one.settled(whole.store.log.head())
        whole.world.now = now
        await one.tick()
        cut.world.now = now
        await evaluator.tick()
        for (const one of [cut, whole]) {
          one.world.now = now + 16 * 60_000
          await one.evaluators.at(-1)?.tick()
        }
        expect(remaining(cut.published())).toEqual(remaining(whole.published()))
        await closeAll()
      }),
      { numRuns: 100 },
    )
  })
})
