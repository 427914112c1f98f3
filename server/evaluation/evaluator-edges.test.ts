import { afterEach, describe, expect, test } from 'vitest'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { group } from '../testing/facts.ts'
import { type Evaluator, startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'

const minute = (n: number): number => START + n * 60_000

const open: { store: Store; evaluator: Evaluator }[] = []
afterEach(async () => {
  for (const { store, evaluator } of open.splice(0)) {
    await evaluator.stop()
    await store.close()
  }
})

/**
 * A evaluator over a store: 2 to 8 °C in group `g`, -25 to -15 °C in group `f`, two minutes of delay, back by
 * 0.5 °C, ten minutes of patience.
 */
async function given(...steps: Step[]) {
  const world = { now: START }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const frozen = group('f', 'c', 'g', { lowTemperatureThreshold: -25, highTemperatureThreshold: -15 })
  const same = group('s', 'c', 'g', { lowHumidityThreshold: 30 })
  await store.log.append('registry', [...smallFleet(1), frozen, same])
  const evaluator = await startEvaluator({
    store,
    clock,
    isQuiet: () => true,
    tickMs: 1e8,
    checkpointMs: 1e8,
  })
  open.push({ store, evaluator })
  for (const step of steps) {
    if ('fact' in step) await store.log.append('changes', [step.fact])
    else {
      world.now = Math.max(world.now, minute(step.stored))
      await store.telemetry.append(columnsOf(step.rows), world.now)
    }
  }
  await evaluator.settled(store.log.head())
  const facts = store.log.readFacts(0, { types: ['violation.opened', 'violation.cleared'], limit: 1000 })
  return { facts: facts as Change[], changes: facts.map((fact) => inShort(fact as Change)) }
}
type Change = FactOf<'violation.opened'> | FactOf<'violation.cleared'>
type Step = { stored: number; rows: Reading[] } | { fact: NewFact }

/** What is told, in minutes: `opened since 0 at 2`, `cleared since 0 at 4 back-inside`. */
function inShort({ type, at, data }: Change): string {
  const since = (Number(data.violationId.split('-').at(-1)) - START) / 60_000
  const why = 'reason' in data ? ` ${data.reason}` : ''
  return `${type.split('.')[1]} since ${since} at ${(at - START) / 60_000}${why}`
}

const row = (n: number, temperature: number | undefined): Reading => ({
  device: 0,
  at: minute(n),
  ...(temperature !== undefined && { temperature }),
})
/** a reading a minute, each stored at once */
const reads = (from: number, ...values: (number | undefined)[]): Step[] =>
  values.map((value, i) => ({ stored: from + i, rows: [row(from + i, value)] }))
/** measured at some minutes, stored together at another */
const late = (stored: number, ...measured: [number, number][]): Step => ({
  stored,
  rows: measured.map(([n, value]) => row(n, value)),
})
const thresholds = (n: number, highTemperatureThreshold: number): Step => ({
  fact: {
    type: 'group.updated',
    at: minute(n),
    companyId: 'c',
    data: { groupId: 'g', highTemperatureThreshold },
  },
})
const movesTo = (n: number, groupId: string): Step => ({
  fact: { type: 'device.updated', at: minute(n), companyId: 'c', data: { imei: imeiOf(0), groupId } },
})

describe('a violation, from readings stored to facts told', () => {
  test('takes the whole delay, and not one reading less', async () => {
    expect((await given(...reads(0, 9, 9, 5, 9, 9, 5))).changes).toEqual([])
    expect((await given(...reads(0, 9, 9, 9))).changes).toEqual(['opened since 0 at 2'])
  })

  test('that flaps inside the clear margin is one', async () => {
    const { changes, facts } = await given(...reads(0, 9, 9, 9, 7.6, 8.2, 7.6, 9, 7.9, 7.5))
    expect(changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 8 back-inside'])
    expect(new Set(facts.map(({ data }) => data.violationId)).size).toBe(1)
  })

  test('that was over and comes again is another', async () => {
    const { changes } = await given(...reads(0, 9, 9, 9, 5, 9, 9, 9))
    expect(changes).toEqual([
      'opened since 0 at 2',
      'cleared since 0 at 3 back-inside',
      'opened since 4 at 6',
    ])
  })

  test('is neither opened nor cleared by readings that come after newer ones', async () => {
    const { changes } = await given(...reads(0, 5, 5, 5, 5, 5), late(5, [0.5, 9], [1.5, 9], [3.5, 9]))
    expect(changes).toEqual([])
    const open = await given(...reads(0, 9, 9, 9, 9), late(4, [2.5, 5], [3, 5]), ...reads(5, 9, 5))
    expect(open.changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 6 back-inside'])
  })

  test('is told of what a device kept while it was cut off, at the time it happened', async () => {
    const kept: [number, number][] = [1, 2, 3, 4, 5, 6].map((n) => [n, n < 5 ? 9 : 5])
    const { changes, facts } = await given(...reads(0, 5), late(60, ...kept))
    expect(changes).toEqual(['opened since 1 at 3', 'cleared since 1 at 5 back-inside'])
    expect(facts[0]?.recordedAt).toBe(minute(60))
  })

  test('does not open by time in which nothing was heard', async () => {
    expect((await given(...reads(0, 9), ...reads(11, 9))).changes).toEqual([])
    expect((await given(...reads(0, 9), ...reads(11, 9, 9, 9))).changes).toEqual(['opened since 11 at 13'])
    expect((await given(...reads(0, 9), ...reads(10, 9))).changes).toEqual(['opened since 0 at 10'])
  })

  test('stays open through a silence, and is over when the device comes back cold', async () => {
    const { changes } = await given(...reads(0, 9, 9, 9), ...reads(300, 9, 5))
    expect(changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 301 back-inside'])
  })

  test('is over at the next reading inside the new limits when the threshold is changed', async () => {
    const { changes } = await given(...reads(0, 9, 9, 9), thresholds(3, 12), ...reads(3, 11.9, 11.9))
    expect(changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 3 threshold-changed'])
  })

  test('stays the same while the value is beyond the new threshold too', async () => {
    const changed = [...reads(0, 9, 9, 9), thresholds(3, 8.5)]
    expect((await given(...changed, ...reads(3, 9, 9, 9, 9))).changes).toEqual(['opened since 0 at 2'])
    const { facts, changes } = await given(...changed, ...reads(3, 9, 8.2, 8))
    expect(changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 5 back-inside'])
    expect(new Set(facts.map(({ data }) => data.violationId)).size).toBe(1)
  })

  test('that had not lasted long enough begins anew when the threshold is changed', async () => {
    const { changes } = await given(...reads(0, 9, 9), thresholds(2, 7), ...reads(2, 9, 9, 9))
    expect(changes).toEqual(['opened since 2 at 4'])
  })

  test('is over when the sensor is unplugged, and takes its time anew when it is back', async () => {
    const nothing = [undefined, undefined, undefined]
    const { changes } = await given(...reads(0, 9, 9, 9, ...nothing, 9, 9, 9))
    expect(changes).toEqual([
      'opened since 0 at 2',
      'cleared since 0 at 5 sensor-unplugged',
      'opened since 6 at 8',
    ])
    const missed = await given(...reads(0, 9, 9, 9, undefined, undefined, 9))
    expect(missed.changes).toEqual(['opened since 0 at 2'])
  })

  test('is measured by the limits of another group from the next reading after a move', async () => {
    const frozen = await given(...reads(0, -20, -20), movesTo(2, 'f'), ...reads(2, -20, -20, -20))
    expect(frozen.changes).toEqual([])
    const moved = await given(...reads(0, 5, 5, 5), movesTo(3, 'f'), ...reads(3, 5, 5, 5))
    expect(moved.changes).toEqual(['opened since 3 at 5'])
    expect(moved.facts[0]?.data).toMatchObject({ threshold: -15, type: 'HIGH_TEMPERATURE_DETECTED' })
  })

  test('that is open when its device moves is over if it is none there, and the same if it is one there too', async () => {
    const cold = await given(...reads(0, -20, -20, -20), movesTo(3, 'f'), ...reads(3, -20))
    expect(cold.changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 3 threshold-changed'])
    const worse = await given(...reads(0, 9, 9, 9), movesTo(3, 'f'), ...reads(3, 9, -16))
    expect(worse.changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 4 back-inside'])
  })

  test('goes on undisturbed where the other group has the same limits', async () => {
    const { changes } = await given(...reads(0, 9, 9), movesTo(2, 's'), ...reads(2, 9, 5))
    expect(changes).toEqual(['opened since 0 at 2', 'cleared since 0 at 3 back-inside'])
  })
})
