import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { type BudgetState, SUM, TIME, timesOf } from '#machines/rules/budget.ts'
import { type BudgetStatus, budgetStatusOf, mktOf } from '#machines/rules/budget-status.ts'
import { dayStarts } from '#machines/rules/days.ts'
import { meanKineticOf, sumTallies, temperatureDays } from '#machines/rules/temperature-tally.ts'
import { createExecute } from '../../commands/execute.ts'
import { startPublishingExhausted } from '../../jobs/budgets/publish-exhausted.ts'
import { startMaking } from '../../jobs/reports/contents/making.ts'
import { temperatureTables } from '../../jobs/reports/contents/temperature.ts'
import { createDataProvider } from '../../jobs/reports/data-provider.ts'
import { createSources } from '../../jobs/reports/source.ts'
import { startRetention } from '../../jobs/retention/retention.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { company, device, group } from '../../testing/facts.ts'
import { columnsOf, imeiOf } from '../testing/small-fleet.ts'
import { type Budgets, startBudgets } from './budgets.ts'
import { unpackOver } from './saved-over.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 5, 15)
const minute = (n: number): number => START + n * MINUTE
const FOOD = SHIPPED_PROFILES['chilled-food'] as ProfileForm
const MEDICINES = SHIPPED_PROFILES['medicines-2-8'] as ProfileForm
const at = { at: START, companyId: 'c' }
const profile = (profileId: string, form: ProfileForm): NewFact => ({
  ...at,
  type: 'profile.set',
  data: { companyId: 'c', profileId, version: 1, ...form },
})
const FLEET: NewFact[] = [
  company('c', { name: 'Indus', patienceSeconds: 600 }),
  group('g', 'c', null, { name: 'Top', lowTemperatureThreshold: 2, highTemperatureThreshold: 8 }),
  ...[0, 1, 2].map((no) => device(no, imeiOf(no), 'c', 'g')),
  profile('food', FOOD),
  profile('medicines', MEDICINES),
]

const LOT = { userName: 'Ayesha', profileId: 'food', version: 1, reference: 'Lot 7' }

type Reading = readonly [minute: number, celsius: number]

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of open.splice(0).toReversed()) await end()
})

async function setUp() {
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', FLEET)
  const readModels = startProjecting(store)
  const warned: string[] = []
  const options = { store, readModels, clock, lookMs: 1e8, warn: (message: string) => warned.push(message) }
  let budgets: Budgets = startBudgets(options)
  open.push(async () => {
    await budgets.stop()
    readModels.stop()
    await store.close()
  })
  const settled = async () => {
    await readModels.settled(store.log.head())
    await budgets.settled(store.log.head())
  }
  return {
    ...{ store, readModels, clock, settled, warned },
    get budgets() {
      return budgets
    },
    async load(type: 'load.opened' | 'load.closed', minuteOfIt: number, loadId = 'l1', profileId = 'food') {
      const about = { loadId, imei: imeiOf(0), userName: 'Ayesha' }
      const data = type === 'load.opened' ? { ...about, profileId, version: 1, reference: 'Lot 7' } : about
      await store.log.append('loads', [{ type, at: minute(minuteOfIt), companyId: 'c', data } as NewFact])
      await settled()
    },
    async receive(atMinute: number, readings: readonly Reading[]) {
      clock.at = Math.max(clock.at, minute(atMinute))
      await store.telemetry.append(
        columnsOf(readings.map(([m, temperature]) => ({ device: 0, at: minute(m), temperature }))),
        clock.at,
      )
      await settled()
    },
    /** another run of the server goes on from what this one saved, or from the store alone */
    async restart({ saves = true } = {}) {
      if (saves) await budgets.stop()
      else {
        const { checkpoints } = store
        const save = checkpoints.save
        checkpoints.save = () => true
        await budgets.stop()
        checkpoints.save = save
      }
      budgets = startBudgets(options)
      await settled()
    },
  }
}

/** The first line of each table of a temperature report, by its columns. */
async function reportOf(
  { store, readModels, clock }: Pick<Awaited<ReturnType<typeof setUp>>, 'store' | 'readModels' | 'clock'>,
  span: { from: number; to: number; requestedAt: number },
) {
  const give = createDataProvider({ store, directory: readModels.directory, clock })
  const { order, source } = await createSources(give)({
    ...{ reportId: 'r', kind: 'temperature', title: '', companyId: 'c', groupId: 'g', groups: [] },
    ...{ devices: [0], types: null, minDistance: null, speed: null },
    ...{ partOfDay: null, requestedBy: '', upTo: store.log.head(), ...span },
  })
  const making = await startMaking(order, source, () => {}, new AbortController().signal)
  const tables = await temperatureTables(making)
  return (name: string) => {
    const { columns, rows } = tables.find((table) => table.name === name) as (typeof tables)[number]
    const [first = []] = rows as Iterable<readonly unknown[]>
    return Object.fromEntries(columns.map(({ heading }, i) => [heading, first[i]]))
  }
}

/** All that is known of a load's budget, without the rounding of a sum in another order. */
function stateOf(budgets: Budgets, loadId = 'l1') {
  const { budget } = budgets.of(loadId)
  const round = (values: Iterable<number> = []) => [...values].map((value) => Number(value.toPrecision(9)))
  return round(budget?.sums)
}

describe('a live budget', () => {
  test('is the same whatever the order and the batches its readings came in, across restarts', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.infiniteStream(fc.nat()), async (readings, numbers) => {
        const straight = await setUp()
        await straight.load('load.opened', 0, 'l1', 'medicines')
        await straight.receive(2000, readings)
        const wanted = stateOf(straight.budgets)
        const other = await setUp()
        await other.load('load.opened', 0, 'l1', 'medicines')
        const left = [...readings]
        for (let n = 1000; left.length > 0; n++) {
          const some = left.splice(
            (numbers.next().value ?? 0) % left.length,
            1 + ((numbers.next().value ?? 0) % 5),
          )
          await other.receive(n, some)
          if ((numbers.next().value ?? 0) % 7 === 0) await other.restart({ saves: n % 2 === 0 })
          if ((numbers.next().value ?? 0) % 5 === 0) await other.budgets.reckonLate()
          // asked for each time, as lists do: what was said before is said no more
          const { budget, status } = other.budgets.of('l1')
          expect(status).toEqual(budget && budgetStatusOf(structuredClone(budget)))
        }
        await other.budgets.reckonLate()
        expect(stateOf(other.budgets)).toEqual(wanted)
      }),
      { numRuns: 25 },
    )
  })

  test('knows what came late also where the server ends while that is reckoned', async () => {
    const world = await setUp()
    await world.load('load.opened', 0)
    await world.receive(100, [
      [0, 10],
      [5, 10],
      [90, 4],
    ])
    await world.receive(101, [[10, 10]])
    const reckoning = world.budgets.reckonLate()
    await world.restart()
    await reckoning
    await world.budgets.reckonLate()
    expect(world.budgets.of('l1').budget?.sums[SUM.measured]).toBe(10 * MINUTE)
  })

  test('counts from its opening to its closing, also what was received before the one and after the other', async () => {
    const { load, receive, budgets } = await setUp()
    await receive(5, [
      [0, 10],
      [5, 10],
    ])
    await load('load.opened', 2)
    await budgets.reckonLate()
    await receive(10, [[10, 10]])
    expect(budgets.of('l1').budget?.sums[SUM.measured]).toBe(5 * MINUTE)
    await load('load.closed', 14)
    await receive(20, [
      [13, 10],
      [15, 10],
      [20, 10],
    ])
    await budgets.reckonLate()
    expect(budgets.of('l1').status?.percent).toBeCloseTo((8 / 360) * 100, 9)
    expect(budgets.of('l1').budget).toBeUndefined()
  })

  test('has the mean kinetic temperature of the report of the same span', async () => {
    const { load, receive, budgets, store } = await setUp()
    await load('load.opened', 0, 'l1', 'medicines')
    const readings = Array.from(
      { length: 400 },
      (_, i): Reading => [i * 3 + (i > 200 ? 60 : 0), 4 + ((i * 7) % 60) / 10],
    )
    await receive(1300, readings)
    const columns = await store.telemetry.history(0, START, minute(1440))
    const tally = sumTallies(temperatureDays(columns, dayStarts(START, minute(1440), 'UTC'), 10 * MINUTE, []))
    const { budget } = budgets.of('l1')
    if (budget === undefined) throw new TypeError('no budget')
    expect(mktOf(budget).value).toBeCloseTo(meanKineticOf(tally), 9)
    expect(budget.sums[SUM.measured]).toBe(tally.measured)
  })
})

describe('a load that is closed', () => {
  test('is in the report of its time as live: minutes, mean kinetic temperature and its bounds, also where it began before that', async () => {
    const { load, receive, store, readModels, clock, budgets } = await setUp()
    await load('load.opened', 0, 'l1', 'medicines')
    const readings = Array.from(
      { length: 200 },
      (_, i): Reading => [i * 6 + (i > 150 ? 60 : 0), 4 + ((i * 7) % 60) / 10],
    )
    const isLate = ([minute]: Reading) => minute % 30 === 0
    await receive(
      1290,
      readings.filter((one) => !isLate(one)),
    )
    await load('load.closed', 1295)
    await receive(1300, readings.filter(isLate))
    await budgets.reckonLate()
    const live = budgets.of('l1').status
    const record = readModels.directory.loads.byId.get('l1') as LoadRecord
    const page = (await budgets.reckoned(record)) as BudgetState
    expect(live?.percent).toBeGreaterThan(10)
    expect(budgetStatusOf(page)).toEqual(live)

    const reported = (from: number) =>
      reportOf({ store, readModels, clock }, { from, to: minute(1440), requestedAt: minute(1440) })
    const whole = await reported(START)
    const mkt = mktOf(page)
    expect(whole('Loads')).toMatchObject({
      Load: 'Lot 7',
      Profile: 'Medicines 2–8 °C, version 1',
      State: 'Closed',
      Opened: START,
      Closed: minute(1295),
      'Used (%)': Number(live?.percent.toFixed(1)),
      'Used at most (%)': Number(live?.most.toFixed(1)),
      'Mean kinetic temperature (°C)': Number(mkt.value.toFixed(2)),
      '… at least (°C)': Number(mkt.least.toFixed(2)),
      '… at most (°C)': Number(mkt.most.toFixed(2)),
      'Measured (min)': (page.sums[SUM.measured] as number) / MINUTE,
      'Without readings (min)': (page.sums[SUM.gap] as number) / MINUTE,
    })
    // what the report says of the device, whose limit is that of the profile
    expect(whole('Devices')).toMatchObject({
      'Too warm (min)': (page.sums[timesOf(1) + TIME.used] as number) / MINUTE,
      'Mean kinetic temperature (°C)': Number(mkt.value.toFixed(2)),
      'Measured (min)': (page.sums[SUM.measured] as number) / MINUTE,
    })
    const half = await reported(minute(600))
    expect(half('Loads')).toEqual(whole('Loads'))
  })
})

describe('a load that is exhausted', () => {
  async function published() {
    const world = await setUp()
    const { store, readModels, clock } = world
    const startJob = () =>
      startPublishingExhausted({
        budgets: world.budgets,
        readModels,
        execute: createExecute({ log: store.log, readModels, clock }),
        warn: () => {},
        lookMs: 1e8,
      })
    const facts = () =>
      store.log
        .readFacts(0, { types: ['load.exhausted', 'load.revised'] })
        .map(({ type, data }) => [
          type,
          'after' in data ? data.after : (data as FactOf<'load.exhausted'>['data']).rule,
        ])
    return { world, startJob, facts }
  }
  const steady = (from: number, to: number, celsius: number): Reading[] =>
    Array.from({ length: (to - from) / 5 + 1 }, (_, i): Reading => [from + i * 5, celsius])
  const warm = (from: number, to: number): Reading[] => steady(from, to, 10)

  test('and cannot be told is told to operators once, and has no other one wait', async () => {
    const { store, readModels, clock, settled, budgets } = await setUp()
    const ids = ['l1', 'l2']
    await store.log.append(
      'loads',
      ids.map((loadId, no): NewFact => {
        const about = {
          imei: imeiOf(no),
          userName: 'Ayesha',
          profileId: 'food',
          version: 1,
          reference: 'Lot 7',
        }
        return { type: 'load.opened', at: START, companyId: 'c', data: { loadId, ...about } }
      }),
    )
    const rows = [0, 1].flatMap((no) =>
      warm(0, 365).map(([m, temperature]) => ({ device: no, at: minute(m), temperature })),
    )
    clock.at = minute(365)
    await store.telemetry.append(columnsOf(rows), clock.at)
    await settled()
    const commands = createExecute({ log: store.log, readModels, clock })
    const warned: string[] = []
    const job = startPublishingExhausted({
      ...{ budgets, readModels, lookMs: 1e8, warn: (message) => warned.push(message) },
      execute: (stream, command, decide) =>
        'loadId' in command.data && command.data.loadId === 'l1'
          ? Promise.reject(new RangeError('Invalid time value'))
          : commands(stream, command, decide),
    })
    for (let look = 0; look < 2; look++) await job.settled()
    await job.stop()
    const exhausted = ids.map((loadId) => readModels.directory.loads.byId.get(loadId)?.exhausted?.at)
    expect(exhausted).toEqual([undefined, minute(360)])
    expect(warned).toEqual([
      'whether a load is exhausted cannot be said of l1, trying again in a minute: RangeError: Invalid time value',
    ])
  })

  test('is told once, by whoever leads, after a restart and a takeover too', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    const first = startJob()
    await world.receive(355, warm(0, 355))
    await first.settled()
    expect(facts()).toEqual([])
    await world.receive(365, warm(360, 365))
    await first.settled()
    expect(facts()).toEqual([['load.exhausted', 0]])
    expect(world.readModels.directory.loads.byId.get('l1')?.exhausted?.at).toBe(minute(360))
    await first.stop()
    await world.restart({ saves: false })
    const second = startJob()
    await world.budgets.reckonLate()
    await second.settled()
    await second.stop()
    expect(facts()).toHaveLength(1)
  })

  test('stays told while the next one has yet to reckon what the first knew', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    const first = startJob()
    await world.receive(400, [[395, 4]])
    await world.receive(401, warm(0, 365))
    await world.budgets.reckonLate()
    await first.settled()
    await first.stop()
    expect(facts()).toEqual([['load.exhausted', 0]])
    await world.restart({ saves: false })
    const next = startJob()
    await next.settled()
    await world.budgets.reckonLate()
    await next.settled()
    await next.stop()
    expect(facts()).toHaveLength(1)
  })

  test('is told by the next one where the first was struck down before', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    await world.receive(365, warm(0, 365))
    await world.restart()
    const next = startJob()
    await next.settled()
    await next.stop()
    expect(facts()).toEqual([['load.exhausted', 0]])
  })

  test('is told otherwise where late readings show that it was not, or only later', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    const job = startJob()
    await world.receive(400, warm(0, 365))
    await job.settled()
    // the sensor stood in the sun: between those there were cool ones, which came late
    await world.receive(
      420,
      warm(0, 360).map(([at]) => [at + 2, 4] as const),
    )
    await world.budgets.reckonLate()
    await job.settled()
    await job.stop()
    expect(facts()).toEqual([
      ['load.exhausted', 0],
      ['load.revised', null],
    ])
    expect(world.readModels.directory.loads.byId.get('l1')?.stage).toBe('within')
  })

  test('by readings that came late says since when that is known', async () => {
    const { world, startJob } = await published()
    await world.load('load.opened', 0)
    const job = startJob()
    await world.receive(500, warm(0, 365))
    await job.settled()
    await job.stop()
    const { actions } = world.readModels.directory.loads.byId.get('l1') as LoadRecord
    expect(actions.at(-1)).toMatchObject({ action: 'exhausted', at: minute(360), knownSince: minute(500) })
  })

  test('by readings that came after it was released is exhausted in a report of that time too, until that is decided', async () => {
    const { world, startJob, facts } = await published()
    const { store, readModels, clock } = world
    const worked = async (type: 'load.review-begun' | 'load.released', minuteOfIt: number) => {
      const about = { loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' }
      const data = { ...about, ...(type === 'load.released' && { reason: 'Cool' }) }
      await store.log.append('loads', [{ type, at: minute(minuteOfIt), companyId: 'c', data } as NewFact])
      await world.settled()
    }
    const state = async () => {
      const span = { from: START, to: minute(1440), requestedAt: minute(1440) }
      return (await reportOf({ store, readModels, clock }, span))('Loads').State
    }
    const portal = () => readModels.directory.loads.byId.get('l1')?.stage
    await world.load('load.opened', 0)
    const job = startJob()
    await world.receive(500, [[500, 4]])
    await world.load('load.closed', 510)
    await worked('load.review-begun', 520)
    await worked('load.released', 530)
    expect([await state(), portal()]).toEqual(['Released', 'released'])
    await world.receive(600, warm(0, 365))
    await world.budgets.reckonLate()
    await job.settled()
    await job.stop()
    expect(facts()).toEqual([['load.exhausted', 0]])
    expect([await state(), portal()]).toEqual(['Exhausted', 'exhausted'])
    await worked('load.review-begun', 610)
    await worked('load.released', 620)
    expect([await state(), portal()]).toEqual(['Released', 'released'])
  })

  test('and was released is told again, once, by a rule that is exhausted since then', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0, 'l1', 'medicines')
    const job = startJob()
    await world.receive(600, [...steady(0, 535, 5), [540, 15.5], ...steady(545, 600, 5)])
    await job.settled()
    const about = { loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' }
    await world.store.log.append('loads', [
      { ...at, at: minute(600), type: 'load.review-begun', data: about },
      { ...at, at: minute(601), type: 'load.released', data: { ...about, reason: 'The door stood open' } },
    ])
    await world.settled()
    await world.receive(2405, steady(605, 2405, 12))
    await job.settled()
    const record = () => world.readModels.directory.loads.byId.get('l1') as LoadRecord
    expect(facts().map(([type]) => type)).toEqual(['load.exhausted', 'load.exhausted'])
    const { stage, exhausted } = record()
    expect([stage, MEDICINES.rules[exhausted?.rule ?? -1]?.kind]).toEqual(['exhausted', 'mkt'])
    expect(exhausted?.at).toBe(minute(1440))
    // whoever leads next, and once it is over, says no more and nothing else
    await job.stop()
    await world.restart()
    const next = startJob()
    await next.settled()
    await world.load('load.closed', 2406)
    await world.budgets.reckonLate()
    await next.settled()
    await next.stop()
    await world.restart()
    const last = startJob()
    await last.settled()
    await last.stop()
    expect(facts()).toHaveLength(2)
    expect(record()).toMatchObject({ stage: 'exhausted', exhausted })
  })

  test('and was released is told again by the same rule, each time it is broken again, and by nothing else', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0, 'l1', 'medicines')
    const about = { loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' }
    const job = startJob()
    const broken = async (minuteOfIt: number) => {
      await world.receive(minuteOfIt + 5, [...steady(minuteOfIt - 60, minuteOfIt - 5, 5), [minuteOfIt, 15.5]])
      await job.settled()
      await world.store.log.append('loads', [
        { ...at, at: minute(minuteOfIt + 6), type: 'load.review-begun', data: about },
        { ...at, at: minute(minuteOfIt + 7), type: 'load.released', data: { ...about, reason: 'The door' } },
      ])
      await world.settled()
      await job.settled()
    }
    for (const minuteOfIt of [100, 200, 300]) await broken(minuteOfIt)
    await job.stop()
    const record = () => world.readModels.directory.loads.byId.get('l1') as LoadRecord
    const asPublished = () => [facts(), record().stage, record().exhausted?.at]
    const wanted = [Array.from({ length: 3 }, () => ['load.exhausted', 0]), 'released', minute(300)]
    expect(asPublished()).toEqual(wanted)
    for (const saves of [true, false]) {
      await world.restart({ saves })
      await world.budgets.reckonLate()
      const next = startJob()
      await next.settled()
      await next.stop()
      expect(asPublished()).toEqual(wanted)
    }
  })

  test('and is released while it is reckoned anew is told again by what broke it since then', async () => {
    const { world, startJob, facts } = await published()
    const { telemetry, log } = world.store
    const job = startJob()
    await world.load('load.opened', 0, 'l1', 'medicines')
    await world.receive(105, [...steady(0, 95, 5), [100, 15.5]])
    await job.settled()
    await world.receive(106, [[52, 5]])
    const { history } = telemetry
    const released = Promise.withResolvers<void>()
    telemetry.history = async (...args) => {
      const columns = await history(...args)
      await released.promise
      return columns
    }
    const reckoning = world.budgets.reckonLate()
    const about = { loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' }
    await log.append('loads', [
      { ...at, at: minute(106), type: 'load.review-begun', data: about },
      { ...at, at: minute(107), type: 'load.released', data: { ...about, reason: 'The door' } },
    ])
    await world.settled()
    released.resolve()
    await reckoning
    await world.receive(205, [...steady(110, 195, 5), [200, 15.5]])
    await job.settled()
    await job.stop()
    expect(facts().map(([type]) => type)).toEqual(['load.exhausted', 'load.exhausted'])
  })

  test('and was rejected counts no further from then on, after a restart either', async () => {
    const { world } = await published()
    await world.load('load.opened', 0)
    await world.receive(365, warm(0, 365))
    const about = { loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' }
    await world.store.log.append('loads', [
      { ...at, at: minute(366), type: 'load.review-begun', data: about },
      { ...at, at: minute(367), type: 'load.rejected', data: { ...about, reason: 'Too warm' } },
    ])
    await world.settled()
    await world.restart()
    expect(world.budgets.of('l1').budget).toBeDefined()
    expect(world.budgets.of('l1').budget?.again).toBeUndefined()
  })

  test('stays so where a release of before saved less of what is over, and is reckoned anew', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    const first = startJob()
    await world.receive(365, warm(0, 365))
    await world.load('load.closed', 370)
    await world.budgets.reckonLate()
    await first.settled()
    await first.stop()
    const wanted = world.budgets.of('l1').status
    const { checkpoints } = world.store
    const save = checkpoints.save
    checkpoints.save = (name, seq, make) => {
      const { overColumns, ...saved } = deserialize(make())
      const over = unpackOver(overColumns)
      for (const status of over.values() as Iterable<Partial<BudgetStatus>>) delete status.exhaustions
      return save(name, seq, () => serialize({ ...saved, over }))
    }
    await world.restart()
    checkpoints.save = save
    const next = startJob()
    await next.settled()
    await world.budgets.reckonLate()
    await next.settled()
    await next.stop()
    expect(world.budgets.of('l1').status).toEqual(wanted)
    expect(facts()).toHaveLength(1)
  })

  test('while nothing but a gap is known of it is told by what is sure alone', async () => {
    const { world, startJob, facts } = await published()
    await world.load('load.opened', 0)
    const job = startJob()
    await world.receive(400, [
      [0, 6],
      [390, 6],
    ])
    await job.settled()
    await job.stop()
    expect(facts()).toEqual([])
    expect(world.budgets.of('l1').status).toMatchObject({ state: 'at-risk' })
  })
})

describe('a load whose first readings are no longer kept', () => {
  const DAY = 1440
  const warm = (from: number, to: number): Reading[] =>
    Array.from({ length: (to - from) / 5 + 1 }, (_, i): Reading => [from + i * 5, 10])

  /** A company that keeps seven days, a load that is exhausted on its first day, and on the tenth its first days are dropped. */
  async function dropped({ closesAt, warmTo = 365 }: { closesAt?: number; warmTo?: number } = {}) {
    const world = await setUp()
    const { store, readModels, clock } = world
    const { directory } = readModels
    await store.log.append('c', [
      { ...at, type: 'company.settings-changed', data: { companyId: 'c', retentionDays: 7 } },
    ])
    const lead = () =>
      startPublishingExhausted({
        ...{ budgets: world.budgets, readModels, lookMs: 1e8, warn: () => {} },
        execute: createExecute({ log: store.log, readModels, clock }),
      })
    const first = lead()
    await world.load('load.opened', 0)
    await world.receive(365, warm(0, warmTo))
    await first.settled()
    if (closesAt !== undefined) await world.load('load.closed', closesAt)
    await world.budgets.reckonLate()
    await first.settled()
    await first.stop()
    await world.receive(10 * DAY, [[10 * DAY, 4]])
    while (await store.telemetry.maintain(clock.now()));
    const { telemetry, aside } = store
    const retention = startRetention({ directory, telemetry, aside, clock, warn: () => {} })
    await retention.look()
    await retention.stop()
    expect((await telemetry.history(0, START, minute(3 * DAY))).length).toBe(0)
    return {
      world,
      lead,
      facts: () =>
        store.log.readFacts(0, { types: ['load.exhausted', 'load.revised'] }).map(({ type }) => type),
      record: () => directory.loads.byId.get('l1') as LoadRecord,
    }
  }

  /** What is known is told by a node that leads from now on. */
  async function publishAll({ world, lead }: Pick<Awaited<ReturnType<typeof dropped>>, 'world' | 'lead'>) {
    const job = lead()
    await job.settled()
    await world.budgets.reckonLate()
    await job.settled()
    await job.stop()
  }

  test('stays exhausted where a reading comes late', async () => {
    const of = await dropped()
    await of.world.receive(10 * DAY + 1, [[9 * DAY, 4]])
    await publishAll(of)
    expect(of.facts()).toEqual(['load.exhausted'])
    expect(of.record()).toMatchObject({ stage: 'exhausted', exhausted: { at: minute(360) } })
    expect(of.world.budgets.of('l1').status).toMatchObject({ state: 'exhausted' })
  })

  test.each([
    ['under way', {}],
    ['closed', { closesAt: 400 }],
  ])('stays exhausted on a node that begins anew, %s', async (_, how) => {
    const of = await dropped(how)
    await of.world.restart({ saves: false })
    await publishAll(of)
    expect(of.facts()).toEqual(['load.exhausted'])
    expect(of.record().stage).toBe('exhausted')
    expect(of.world.budgets.of('l1').status).toMatchObject({
      state: 'exhausted',
      exhausted: { at: minute(360), used: 365, allowed: 360 },
    })
    const reckoned = (await of.world.budgets.reckoned(of.record())) as BudgetState
    expect(budgetStatusOf(reckoned)).toMatchObject({ state: 'exhausted', exhausted: { at: minute(360) } })
  })

  test.each([
    ['under way', {}],
    ['closed', { closesAt: 400 }],
  ])('is what was saved of it where batches after that are gone, %s', async (_, how) => {
    const { world } = await dropped({ ...how, warmTo: 180 })
    const known = world.budgets.of('l1').status?.percent
    expect(known).toBeGreaterThan(45)
    const { telemetry, log } = world.store
    telemetry.batchesFrom = () => log.head() + 1
    await world.restart()
    await world.budgets.reckonLate()
    expect(world.budgets.of('l1').status?.percent).toBe(known)
  })

  test('is exhausted in a report of its first day, also where that is made now', async () => {
    const { world } = await dropped({ closesAt: 400 })
    const report = await reportOf(world, { from: START, to: minute(DAY), requestedAt: world.clock.at })
    expect(report('Loads')).toMatchObject({
      ...{ State: 'Exhausted', Exhausted: minute(360), 'Used at most (%)': null },
      'By the rule': 'Above 5 °C for less than 4 h in all, or 6 h if never above 21 °C',
    })
    const before = await reportOf(world, { from: START, to: minute(300), requestedAt: world.clock.at })
    expect(before('Loads')).toMatchObject({ State: 'Within budget', Exhausted: null })
  })

  test('is exhausted by late readings that are kept', async () => {
    const of = await dropped()
    await of.world.load('load.closed', 10 * DAY)
    await of.world.load('load.opened', 10 * DAY, 'l2')
    await of.world.receive(20 * DAY, [[20 * DAY, 4]])
    await of.world.receive(20 * DAY + 1, warm(19 * DAY, 19 * DAY + 365))
    await publishAll(of)
    expect(of.world.readModels.directory.loads.byId.get('l2')?.exhausted?.at).toBe(minute(19 * DAY + 360))
    expect(of.facts()).toEqual(['load.exhausted', 'load.exhausted'])
  })

  test('is not known again where more days are kept from now on', async () => {
    const of = await dropped()
    await of.world.store.log.append('c', [
      {
        ...{ at: minute(10 * DAY), companyId: 'c', type: 'company.settings-changed' },
        data: { companyId: 'c', retentionDays: null },
      },
    ])
    await of.world.receive(10 * DAY + 1, [[9 * DAY, 4]])
    await publishAll(of)
    expect(of.facts()).toEqual(['load.exhausted'])
  })

  test('is not evaluated by what is left of the time its mean kinetic temperature is taken of', async () => {
    const world = await setUp()
    await world.load('load.opened', 0, 'l1', 'medicines')
    await world.store.log.append('c', [
      { ...at, type: 'company.settings-changed', data: { companyId: 'c', retentionDays: 1 } },
    ])
    // cold for days, then warm for the first hour that is kept
    await world.receive(
      3 * DAY,
      Array.from(
        { length: (3 * DAY) / 5 },
        (_, i): Reading => [i * 5, i * 5 < 2 * DAY ? 3 : 3 + Number(i * 5 < 2 * DAY + 60) * 9],
      ),
    )
    await world.restart({ saves: false })
    await world.budgets.reckonLate()
    expect(world.budgets.of('l1').status).toMatchObject({ exhausted: undefined })
  })
})

test('a reading that is dated years back has none of the loads that are over reckoned anew', async () => {
  const world = await setUp()
  await world.load('load.opened', 0)
  await world.receive(100, [
    [0, 4],
    [95, 4],
  ])
  await world.load('load.closed', 100)
  await world.budgets.reckonLate()
  const { history } = world.store.telemetry
  const read: number[] = []
  world.store.telemetry.history = (device, from, to) => {
    read.push(from)
    return history(device, from, to)
  }
  await world.receive(200, [[-3000 * 1440, 30]])
  await world.budgets.reckonLate()
  expect(read).toEqual([])
  await world.receive(201, [[50, 4]])
  await world.budgets.reckonLate()
  expect(read).toEqual([START])
})

test('what cannot be read of one device is told once, and has no other one wait, until more comes', async () => {
  const { store, clock, settled, budgets, warned } = await setUp()
  const open = (no: number): NewFact => ({
    ...{ type: 'load.opened', at: START, companyId: 'c' },
    data: { ...LOT, loadId: `l${no}`, imei: imeiOf(no) },
  })
  await store.log.append('loads', [open(1), open(2)])
  const receive = async (atMinute: number, ofMinute: number) => {
    clock.at = minute(atMinute)
    const rows = [1, 2].map((no) => ({ device: no, at: minute(ofMinute), temperature: 4 }))
    await store.telemetry.append(columnsOf(rows), clock.at)
    await settled()
  }
  const counts = () => ['l1', 'l2'].map((loadId) => budgets.of(loadId).budget?.sums[SUM.count])
  await receive(100, 100)
  const { history } = store.telemetry
  store.telemetry.history = (no, from, to) =>
    no === 1 ? Promise.reject(new RangeError('Offset is outside the bounds')) : history(no, from, to)
  await receive(101, 50)
  for (let look = 0; look < 2; look++) await budgets.reckonLate()
  expect(counts()).toEqual([1, 2])
  expect(warned).toEqual([
    `loads of device ${imeiOf(1)} are not reckoned anew until more comes or the next start: RangeError: Offset is outside the bounds`,
  ])
  // what is not reckoned is not taken for what is sure
  expect(Object.fromEntries(budgets.takeNews(true).map((one) => [one.loadId, one.isSettled]))).toEqual({
    l1: false,
    l2: true,
  })
  store.telemetry.history = history
  await receive(102, 60)
  await budgets.reckonLate()
  expect(counts()).toEqual([3, 3])
})

test('a reading that cannot be taken has its loads reckoned anew, and holds up no other', async () => {
  const { store, readModels, clock, settled } = await setUp()
  const loads = [0, 1].map(
    (no): NewFact => ({
      ...{ type: 'load.opened', at: START, companyId: 'c' },
      data: { ...LOT, loadId: `l${no}`, imei: imeiOf(no) },
    }),
  )
  await store.log.append('loads', loads)
  await settled()
  const read: typeof store.log.read = (...args) =>
    store.log.read(...args).map((record) => {
      if (record.kind !== 'readings') return record
      const { readings } = record
      const get = (column: typeof readings.temperature, row: string | symbol) => {
        if (readings.device[Number(String(row))] === 0) throw new RangeError('no such row')
        return Reflect.get(column, row)
      }
      return { ...record, readings: { ...readings, temperature: new Proxy(readings.temperature, { get }) } }
    })
  const warned: string[] = []
  const wrong = { ...store, log: { ...store.log, read } }
  const budgets = startBudgets({
    ...{ store: wrong, readModels, clock, lookMs: 1e8 },
    warn: (message) => warned.push(message),
  })
  open.push(budgets.stop)
  await budgets.reckonLate()
  const rows = [0, 1].map((no) => ({ device: no, at: minute(5), temperature: 4 }))
  clock.at += 5 * MINUTE
  await store.telemetry.append(columnsOf(rows), clock.at)
  await settled()
  const counts = () => [0, 1].map((no) => budgets.of(`l${no}`).budget?.sums[SUM.count])
  expect(counts()).toEqual([0, 1])
  expect(warned).toEqual([
    `a reading of device ${imeiOf(0)} is not taken, its loads are reckoned anew: RangeError: no such row`,
  ])
  await budgets.reckonLate()
  expect(counts()).toEqual([1, 1])
})

test('while the store is away it is asked no further, and goes on where it was', async () => {
  const { store, clock, settled, budgets, warned } = await setUp()
  const open = [0, 1, 2].map(
    (no): NewFact => ({
      ...{ type: 'load.opened', at: START, companyId: 'c' },
      data: { ...LOT, loadId: `l${no}`, imei: imeiOf(no) },
    }),
  )
  await store.log.append('loads', open)
  const { history } = store.telemetry
  const read: number[] = []
  const failing: number[] = []
  store.telemetry.history = (no, from, to) => {
    read.push(no)
    const fails = failing.indexOf(no)
    if (fails < 0) return history(no, from, to)
    failing.splice(fails, 1)
    return Promise.reject(new StoreUnavailable('the connection was lost'))
  }
  const reckon = async (ofMinute: number, ...fails: number[]) => {
    failing.push(...fails)
    clock.at += 200 * MINUTE
    const rows = [0, 1, 2].map((no) => ({ device: no, at: minute(ofMinute), temperature: 4 }))
    await store.telemetry.append(columnsOf(rows), clock.at)
    await settled()
    await budgets.reckonLate()
    return read.splice(0)
  }
  await reckon(100)
  expect(await reckon(10, 0, 0)).toEqual([0, 0, 0, 1, 2])
  expect(await reckon(20, 1)).toEqual([0, 1, 1, 2])
  expect(warned).toHaveLength(3)
})

test('of a load that is reckoned there are news, also where the next one of its device cannot be', async () => {
  const { store, budgets, load, receive } = await setUp()
  await load('load.opened', 0)
  await load('load.closed', 100)
  await load('load.opened', 100, 'l2')
  await receive(200, [[200, 4]])
  await budgets.reckonLate()
  budgets.takeNews(true)
  const { history } = store.telemetry
  store.telemetry.history = (no, from, to) =>
    from === minute(100)
      ? Promise.reject(new RangeError('Offset is outside the bounds'))
      : history(no, from, to)
  await receive(300, [
    [50, 4],
    [150, 4],
  ])
  await budgets.reckonLate()
  expect(budgets.takeNews(false).map(({ loadId, isSettled }) => [loadId, isSettled])).toEqual([['l1', false]])
})

/** Readings of a day at different minutes, °C, in order. */
const days = fc
  .uniqueArray(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 40 })
  .chain((minutes) =>
    fc.tuple(
      ...minutes
        .toSorted((a, b) => a - b)
        .map((m) => fc.tuple(fc.constant(m), fc.integer({ min: -5, max: 160 }))),
    ),
  )
  .map((rows) => rows.map(([m, tenths]): Reading => [m, tenths / 10]))

test('a log that cannot be read is told once, however much is committed meanwhile', async () => {
  const { store, readModels, clock, receive } = await setUp()
  const warned: string[] = []
  let isWrong = true
  const read: typeof store.log.read = (...args) => {
    if (isWrong) throw new Error('disk I/O error')
    return store.log.read(...args)
  }
  const budgets = startBudgets({
    ...{ store: { ...store, log: { ...store.log, read } }, readModels, clock, lookMs: 1e8 },
    warn: (message) => warned.push(message),
  })
  open.push(budgets.stop)
  for (const n of [1, 2]) await receive(n, [[n, 4]])
  expect(warned).toEqual(['budgets do not follow the log now, retrying: Error: disk I/O error'])
  isWrong = false
  await receive(3, [[3, 4]])
  await budgets.settled(store.log.head())
})
