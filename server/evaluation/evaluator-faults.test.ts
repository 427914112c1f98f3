import { afterEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { LogRecord, Store } from '../store/store.ts'
import { startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'

const minute = (n: number): number => START + n * 60_000
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Log = Store['log']

/**
 * An evaluator of three devices, 2 to 8 °C, two minutes of delay, over a log of which a test has something go wrong. All three are too
 * warm from the first minute on; `told`: what is told of each, in the order it was stored.
 */
async function given(wrong: (log: Log) => Partial<Log>, retryMs = 1e8) {
  const world = { now: START }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', smallFleet(3))
  const warned: string[] = []
  const evaluator = await startEvaluator({
    store: { ...store, log: { ...store.log, ...wrong(store.log) } },
    clock,
    isQuiet: () => true,
    tickMs: 1e8,
    checkpointMs: retryMs,
    warn: (message) => warned.push(message),
  })
  closing.push(evaluator.stop, store.close)
  for (const n of [0, 1, 2]) {
    world.now = minute(n)
    await store.telemetry.append(
      columnsOf([0, 1, 2].map((device) => ({ device, at: minute(n), temperature: 9 }))),
      world.now,
    )
  }
  await evaluator.tick()
  return {
    evaluator,
    warned,
    /** so much later it is looked for what is due */
    async later(minutes: number) {
      world.now += minutes * 60_000
      await evaluator.tick()
    },
    told: () =>
      store.log
        .readFacts(0, { types: ['violation.opened', 'violation.found-late'], limit: 100 })
        .map(({ type, data }) => `${type} ${Number((data as { imei: string }).imei) - Number(imeiOf(0))}`),
  }
}

/** The batches of a log, in which the temperature of one device cannot be looked at. */
const readingWrongly =
  (device: number, isWrong: () => boolean) =>
  (log: Log): Partial<Log> => ({
    read: (...asked) =>
      log.read(...asked).map((record): LogRecord => {
        if (record.kind !== 'readings' || !isWrong()) return record
        const temperature = new Proxy(record.readings.temperature, {
          get(column, row) {
            if (record.readings.device[Number(String(row))] === device) throw new RangeError('no such row')
            return Reflect.get(column, row)
          },
        })
        return { ...record, readings: { ...record.readings, temperature } }
      }),
  })

test('a reading that cannot be evaluated holds up no other device, and its own is told of late', async () => {
  const { evaluator, warned, told, later } = await given(readingWrongly(1, () => true))
  expect(told()).toEqual(['violation.opened 0', 'violation.opened 2'])
  expect(evaluator.failing).toBe(1)
  expect(warned).toEqual([
    expect.stringMatching(`^device ${imeiOf(1)} cannot be evaluated, .*: RangeError: no such row$`),
  ])
  // it is read from where readings are kept
  await later(3)
  expect(told()).toEqual(['violation.opened 0', 'violation.opened 2', 'violation.found-late 1'])
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
  const { evaluator, warned, told, later } = await given(refusing, 5)
  expect(told()).toEqual(['violation.opened 0', 'violation.opened 2'])
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
  expect([evaluator.failing, told().length]).toEqual([1, 2])
  isRefused = false
  await expect.poll(() => later(0).then(told)).toContain('violation.found-late 1')
  expect(evaluator.failing).toBe(0)
})

test('a log that cannot be read is told once, and what was missed is evaluated when it can', async () => {
  let isWrong = true
  const { warned, told, later } = await given(({ read }) => ({
    read(...asked) {
      if (isWrong && asked[0] > 5) throw new Error('disk I/O error')
      return read(...asked)
    },
  }))
  expect(told()).toEqual([])
  await later(1)
  expect(warned).toEqual(['evaluation cannot go on, retrying: Error: disk I/O error'])
  isWrong = false
  await later(1)
  expect(told()).toHaveLength(3)
})
