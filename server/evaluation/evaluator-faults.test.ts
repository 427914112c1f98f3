import postgres from 'postgres'
import { afterEach, expect, test } from 'vitest'
import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { type LogRecord, type Store, StoreUnavailable } from '../store/store.ts'
import { EVALUATOR_CHECKPOINT, startEvaluator } from './evaluator.ts'
import { emptyLimitsTable } from './limits.ts'
import { changeLimits } from './past-limits.ts'
import { emptyRuleState, evaluateReadings, evaluateSilence } from './rule-state.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'

const minute = (n: number): number => START + n * 60_000
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Log = Store['log']
const OPENED: FactType[] = ['violation.opened', 'violation.found-late']

/**
 * An evaluator of three devices, 2 to 8 °C, two minutes of delay, over a log of which a test has something go wrong. All three are too
 * warm from the first minute on; `published`: what is published of each, in the order it was stored.
 */
async function given(wrong: (log: Log) => Partial<Log>, retryMs = 1e8) {
  const world = { now: START, isQuiet: true }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', smallFleet(3))
  const warned: string[] = []
  const evaluator = await startEvaluator({
    store: { ...store, log: { ...store.log, ...wrong(store.log) } },
    clock,
    isQuiet: () => world.isQuiet,
    tickMs: 1e8,
    checkpointMs: retryMs,
    warn: (message) => warned.push(message),
  })
  closing.push(evaluator.stop, store.close)
  const measure = async (n: number, temperature?: number) => {
    world.now = minute(n)
    const rows = [0, 1, 2].map((device) => ({
      ...{ device, at: minute(n) },
      ...(temperature !== undefined && { temperature }),
    }))
    await store.telemetry.append(columnsOf(rows), world.now)
  }
  for (const n of [0, 1, 2]) await measure(n, 9)
  await evaluator.tick()
  return {
    evaluator,
    store,
    warned,
    world,
    /** all three measure so much in this minute */
    measure,
    /** so much later it is looked for what is due */
    async later(minutes: number) {
      world.now += minutes * 60_000
      await evaluator.tick()
    },
    published: (...types: FactType[]) =>
      store.log
        .readFacts(0, { types: types.length > 0 ? types : OPENED, limit: 100 })
        .map(({ type, data }) => `${type} ${Number((data as { imei: string }).imei) - Number(imeiOf(0))}`),
  }
}

/** The batches of a log, in which one column of a device, its temperature, cannot be looked at. */
const readingWrongly =
  (device: number, isWrong: () => boolean, name: 'temperature' | 'lat' = 'temperature') =>
  (log: Log): Partial<Log> => ({
    read: (...args) =>
      log.read(...args).map((record): LogRecord => {
        if (record.kind !== 'readings' || !isWrong()) return record
        const column = new Proxy(record.readings[name], {
          get(values, row) {
            if (record.readings.device[Number(String(row))] === device) throw new RangeError('no such row')
            return Reflect.get(values, row)
          },
        })
        return { ...record, readings: { ...record.readings, [name]: column } }
      }),
  })

test('a record that does not answer is asked by one look at a time, and holds up neither what is told nor stopping', async () => {
  const answer = Promise.withResolvers<number>()
  let requests = 0
  let isAway = false
  const { evaluator, world, measure, store, published } = await given((log) => ({
    caughtUp() {
      if (!isAway) return log.caughtUp()
      requests++
      return answer.promise
    },
  }))
  closing.unshift(async () => answer.resolve(0))
  isAway = true
  world.isQuiet = false
  void evaluator.tick()
  await measure(3, 9)
  expect(requests).toBe(0)

  world.isQuiet = true
  void evaluator.tick()
  void evaluator.tick()
  await measure(4, 4)
  await evaluator.settled(store.log.head())
  expect(published('violation.cleared')).toHaveLength(3)
  await evaluator.stop()
  expect(requests).toBe(1)
})

test('a reading that cannot be evaluated holds up no other device, and its own is told of late', async () => {
  const { evaluator, warned, published, later } = await given(readingWrongly(1, () => true))
  expect(published()).toEqual(['violation.opened 0', 'violation.opened 2'])
  expect(evaluator.failing).toBe(1)
  expect(warned).toEqual([
    expect.stringMatching(`^device ${imeiOf(1)} cannot be evaluated, .*: RangeError: no such row$`),
  ])
  // it is read from where readings are kept
  await later(3)
  expect(published()).toEqual(['violation.opened 0', 'violation.opened 2', 'violation.found-late 1'])
  expect(evaluator.failing).toBe(0)
})

test('a fact that the log refuses takes no other with it, and is told of late', async () => {
  let isRefused = true
  const isOfIt = (fact: NewFact) =>
    fact.type.startsWith('violation.') && JSON.stringify(fact).includes(imeiOf(1))
  const refusing = ({ append }: Log): Partial<Log> => ({
    append: async (stream, facts, options) => {
      if (isRefused && facts.some(isOfIt)) throw new TypeError('no such fact')
      return append(stream, facts, options)
    },
  })
  const { evaluator, warned, published, later } = await given(refusing, 5)
  expect(published()).toEqual(['violation.opened 0', 'violation.opened 2'])
  expect([evaluator.failing, warned]).toEqual([
    1,
    [
      expect.stringMatching(
        `^device ${imeiOf(1)} .*violation.opened is not stored: TypeError: no such fact$`,
      ),
    ],
  ])
  await later(3)
  // it is refused still, which ends nothing
  expect([evaluator.failing, published().length]).toEqual([1, 2])
  isRefused = false
  await expect.poll(() => later(0).then(() => published())).toContain('violation.found-late 1')
  expect(evaluator.failing).toBe(0)
})

test('a log that cannot be read is told once, and what was missed is evaluated when it can', async () => {
  let isWrong = true
  const { warned, published, later } = await given(({ read }) => ({
    read(...args) {
      if (isWrong && args[0] > 5) throw new Error('disk I/O error')
      return read(...args)
    },
  }))
  expect(published()).toEqual([])
  await later(1)
  expect(warned).toEqual(['evaluation cannot go on, retrying: Error: disk I/O error'])
  isWrong = false
  await later(1)
  expect(published()).toHaveLength(3)
})

const isOfOne = (fact: NewFact) => JSON.stringify(fact).includes(imeiOf(1))

/** A log that refuses facts of these types about the second device. */
const refusing =
  (types: FactType[], isRefused: () => boolean) =>
  ({ append }: Log): Partial<Log> => ({
    append: async (stream, facts, options) => {
      if (isRefused() && facts.some((fact) => types.includes(fact.type) && isOfOne(fact)))
        throw new TypeError('no such fact')
      return append(stream, facts, options)
    },
  })

test.each<FactType>(['device-status.changed', 'sensor.unplugged', 'violation.cleared'])(
  '%s that the log refuses is stored when it can be, and comes up again until then',
  async (type) => {
    let isRefused = true
    const { evaluator, store, warned, published, measure, later } = await given(
      refusing([type], () => isRefused),
      5,
    )
    if (type === 'violation.cleared') {
      const retired = { no: 1, imei: imeiOf(1) }
      await store.log.append('registry', [
        { type: 'device.retired', at: minute(3), companyId: 'c', data: retired },
      ])
    } else for (const n of [3, 4, 5]) await measure(n)
    await later(0)
    expect(published(type)).not.toContain(`${type} 1`)
    expect(warned).toHaveLength(1)
    evaluator.checkpoint()
    const seq = store.checkpoints.load(EVALUATOR_CHECKPOINT)?.seq ?? 0
    expect(seq).toBeLessThan(evaluator.seq)
    isRefused = false
    await expect.poll(() => published(type)).toContain(`${type} 1`)
    await later(3)
    expect(evaluator.failing).toBe(0)
  },
)

test('what a device is now is stored after what it was before, where that was refused', async () => {
  let isRefused = true
  const { published, measure, later } = await given(
    refusing(['sensor.unplugged'], () => isRefused),
    5,
  )
  for (const n of [3, 4, 5]) await measure(n)
  await measure(6, 5)
  await later(0)
  const types: FactType[] = ['sensor.unplugged', 'sensor.plugged-in']
  expect(published(...types).filter((one) => one.endsWith(' 1'))).toEqual([])
  isRefused = false
  await expect.poll(() => published(...types).filter((one) => one.endsWith(' 1'))).toHaveLength(2)
  expect(published(...types).filter((one) => one.endsWith(' 1'))).toEqual(types.map((type) => `${type} 1`))
})

test('a sensor that late readings show unplugged is told of, also where the log refused that once', async () => {
  let [isWrong, isRefused] = [false, true]
  const { published, measure, later } = await given((log) => {
    const { append } = log
    return {
      ...readingWrongly(1, () => isWrong)(log),
      async append(stream, facts, options) {
        if (isRefused && options?.idempotencyKey?.includes(' late-')) throw new TypeError('no such fact')
        return append(stream, facts, options)
      },
    }
  }, 5)
  isWrong = true
  for (const n of [3, 4, 5]) await measure(n)
  await later(3)
  isRefused = false
  await expect.poll(() => later(0).then(() => published('sensor.unplugged'))).toContain('sensor.unplugged 1')
})

test.each([
  ['cannot be reached', () => new StoreUnavailable('away')],
  ['refuses it', () => new TypeError('no such fact')],
])('a violation ends after it was found late, also where the store %s for a while', async (_, error) => {
  let [isWrong, isAway] = [true, true]
  const tried = Promise.withResolvers<void>()
  const { evaluator, store, published, measure, later } = await given((log) => {
    const { append } = log
    return {
      ...readingWrongly(1, () => isWrong)(log),
      async append(stream, facts, options) {
        if (!isAway || !options?.idempotencyKey?.includes(' late-')) return append(stream, facts, options)
        // the store is back for whoever comes next
        isAway = !(error() instanceof StoreUnavailable)
        tried.resolve()
        throw error()
      },
    }
  }, 5)
  const found = later(3)
  await tried.promise
  isWrong = false
  await measure(6, 5)
  await evaluator.settled(store.log.head())
  isAway = false
  await found
  const ofOne = () =>
    published('violation.found-late', 'violation.cleared').filter((one) => one.endsWith(' 1'))
  await expect.poll(ofOne).toHaveLength(2)
  expect(ofOne()).toEqual(['violation.found-late 1', 'violation.cleared 1'])
})

test('a damaged page that an append meets is waited for', async () => {
  let wrong = 1
  const { evaluator, warned, published } = await given(({ append }) => ({
    async append(stream, facts, options) {
      if (wrong-- <= 0 || stream !== 'judge') return append(stream, facts, options)
      const damage = { message: 'tuple concurrently updated', code: 'XX000' }
      // as the client library makes it of an answer, which its types do not know
      throw Reflect.construct(postgres.PostgresError, [damage])
    },
  }))
  expect(published('device-status.changed')).toHaveLength(3)
  expect(evaluator.failing).toBe(0)
  expect(warned).toEqual([
    expect.stringMatching(/^evaluation cannot go on, retrying: .*concurrently updated$/),
  ])
})

test('a device that reports is not silent, though it cannot be evaluated', async () => {
  let isWrong = false
  const { evaluator, published, measure } = await given(readingWrongly(1, () => isWrong, 'lat'))
  isWrong = true
  for (let n = 3; n <= 15; n++) await measure(n, 9)
  await evaluator.settled(16)
  await evaluator.tick()
  expect(evaluator.failing).toBe(1)
  expect(published('device-status.changed')).toHaveLength(3)
})

test('a device of which its silence cannot be said is marked, and said silent when it can', () => {
  const [ruleState, table, past] = [emptyRuleState(), emptyLimitsTable(), new Map()]
  for (const fact of smallFleet(1)) changeLimits(table, past, fact as Fact)
  const batch = { seq: 1, recordedAt: START }
  const failed: number[] = []
  const onFailure = (no: number) => failed.push(no)
  evaluateReadings(ruleState, table, columnsOf([{ device: 0, at: START }]), batch, past, onFailure)
  const silence = () => evaluateSilence(ruleState, table, minute(20), 1, onFailure)
  const { imeis } = table
  table.imeis = new Proxy(imeis, {
    get() {
      throw new RangeError('no such row')
    },
  })
  expect([silence(), failed, [...ruleState.late.keys()]]).toEqual([[], [0], [0]])
  table.imeis = imeis
  expect(silence()).toMatchObject([{ type: 'device-status.changed', data: { to: 'offline' } }])
})

test('what fails with each look is told once, though other steps are taken between', async () => {
  const { warned, later } = await given((log) => ({
    ...readingWrongly(1, () => true)(log),
    readFacts(after, options) {
      if (options?.types?.includes('violation.found')) throw new Error('disk I/O error')
      return log.readFacts(after, options)
    },
  }))
  for (const _ of [1, 2, 3]) await later(3)
  expect(warned.filter((one) => one.includes('disk'))).toHaveLength(1)
})
