import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { AS_COMPANY } from '#machines/contracts/entities/evaluation.ts'
import type { Candidate } from '#machines/contracts/entities/limits-trials.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import type { Limits } from '#machines/rules/limits.ts'
import { startEvaluator } from '../../evaluation/evaluator.ts'
import { columnsOf, imeiOf } from '../../evaluation/testing/small-fleet.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { company, device, group } from '../../testing/facts.ts'
import { limitsInForce } from '../reports/contents/limits-in-force.ts'
import { createDataProvider } from '../reports/data-provider.ts'
import { createSources } from '../reports/source.ts'
import type { RequestedOrder } from '../reports/worker-messages.ts'
import { exhaustedBudgets } from './exhausted-budgets.ts'
import { episodesUnder, type TrialOrder, tryLimits } from './try-limits.ts'

const START = Date.UTC(2026, 0, 15)
const minute = (n: number): number => START + n * 60_000
const inMinutes = (at: number | null): number | null => (at === null ? null : (at - START) / 60_000)
const limits = (high: number, delay: number, margin: number): Limits => ({
  low: 2,
  high,
  delay: delay * 60_000,
  margin,
  gap: 1800_000,
})

/** Each five minutes from 0. */
const ORACLE = [7, 8.4, 8.6, 7.9, 8.3, 8.5, 8.7, 9.1, 7.4, 7.2].map((temperature, i) => ({
  device: 0,
  at: minute(i * 5),
  temperature,
}))

describe('the same ten readings', () => {
  test.each([
    [8, 10, 0.5, [[20, 30, 40]]],
    [8, 5, 0.5, [[5, 10, 40]]],
    [
      8,
      5,
      0,
      [
        [5, 10, 15],
        [20, 25, 40],
      ],
    ],
    [9, 0, 0.5, [[35, 35, 40]]],
  ])('above %d °C for %d min, back by %d °C', (high, delay, margin, expected) => {
    const periods = { temperature: [{ from: 0, limits: limits(high, delay, margin) }], humidity: [] }
    const episodes = episodesUnder('temperature', columnsOf(ORACLE), periods, { from: START })
    expect(
      episodes.map(({ since, openedAt, clearedAt }) => [since, openedAt, clearedAt].map(inMinutes)),
    ).toEqual(expected)
  })
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A store with one group of a device, 2 to 8 °C, ten minutes of delay and half a degree of margin, thirty minutes of patience. */
async function setUp() {
  const world = { now: START }
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => world.now } })
  const facts: NewFact[] = [
    company('c', { name: 'Indus', patienceSeconds: 1800, violationDelaySeconds: 600, hmin: 0 }),
    group('g', 'c', null, { name: 'Top' }),
    device(0, imeiOf(0), 'c', 'g', { name: 'Truck 0', type: 'vehicle' }),
  ].map((fact) => ({ ...fact, at: START }))
  await store.log.append('registry', facts)
  closing.push(() => store.close())
  async function sourceOf(from: number, to: number) {
    const directory = emptyDirectory()
    for (const fact of store.log.readFacts(0, { limit: 1000 })) evolve(directory, fact)
    const give = createDataProvider({ store, directory, clock: { now: () => world.now } })
    const order: RequestedOrder = {
      ...{ reportId: 't', kind: 'temperature', title: '', companyId: 'c', groupId: 'g', groups: [] },
      ...{ from, to, devices: [0], types: null, minDistance: null, speed: null, partOfDay: null },
      ...{ requestedBy: '', requestedAt: world.now, upTo: store.log.head() },
    }
    return createSources(give)(order)
  }
  return { store, world, sourceOf }
}

test('figures of candidates beside what was in force, and the device they make a difference to', async () => {
  const { store, world, sourceOf } = await setUp()
  world.now = minute(60)
  await store.telemetry.append(columnsOf(ORACLE), world.now)
  const candidates: Candidate[] = [
    { low: 2, high: 8, delaySeconds: 300, margin: 0.5 },
    { low: 2, high: 8, delaySeconds: 300, margin: 0 },
    { low: 2, high: 9, delaySeconds: 0, margin: 0.5 },
  ]
  const { order, source } = await sourceOf(START, minute(50))
  const trial: TrialOrder = { ...order, trial: { quantity: 'temperature', candidates, exhausted: [] } }
  const progress: number[] = []
  const result = await tryLimits(trial, source, (done) => progress.push(done), new AbortController().signal)
  expect(result).toMatchObject({
    readings: 10,
    inForce: { episodes: 1, devices: 1, minutesOut: 20, told: 1, floods: 0 },
    candidates: [
      { episodes: 1, minutesOut: 35, missed: 0, added: 0, medianLeadMinutes: 20 },
      { episodes: 2, minutesOut: 30, missed: 0, added: 1, medianLeadMinutes: 5 },
      { episodes: 1, minutesOut: 5, missed: 0, added: 0, medianLeadMinutes: -5 },
    ],
    devices: [{ imei: imeiOf(0), name: 'Truck 0', missed: 0 }],
  })
  expect(result.devices[0]?.episodes.map((episodes) => episodes.length)).toEqual([1, 1, 2, 1])
  expect(progress.at(-1)).toBe(1)
  const stopped = AbortSignal.abort(new Error('cancelled'))
  await expect(tryLimits(trial, source, () => {}, stopped)).rejects.toThrow('cancelled')
})

/** Twenty minutes of warmth, each five minutes. */
const warm = (from: number, temperature: number): Reading[] =>
  [0, 5, 10, 15, 20].map((n) => ({
    device: 0,
    at: minute(from + n),
    temperature: n < 20 ? temperature : 5,
  }))

test('what is missed is serious where it was two degrees out', async () => {
  const { store, world, sourceOf } = await setUp()
  world.now = minute(200)
  await store.telemetry.append(columnsOf([...warm(0, 9), ...warm(60, 10)]), world.now)
  const { order, source } = await sourceOf(START, minute(200))
  const candidates = [{ low: 2, high: 11, delaySeconds: 600, margin: 0.5 }]
  const trial: TrialOrder = { ...order, trial: { quantity: 'temperature', candidates, exhausted: [] } }
  const result = await tryLimits(trial, source, () => {}, new AbortController().signal)
  expect(result.candidates[0]).toMatchObject({
    ...{ missed: 2, missedSerious: 1, missedExhausting: 0, medianLeadMinutes: null },
  })
})

test('what is missed is serious where a budget was exhausted in it, however little beyond the limit, unless late readings say otherwise', async () => {
  const { store, world, sourceOf } = await setUp()
  world.now = minute(200)
  await store.telemetry.append(columnsOf([...warm(0, 9), ...warm(60, 9), ...warm(120, 9)]), world.now)
  const { order, source } = await sourceOf(START, minute(200))
  const candidates = [
    { low: 2, high: 11, delaySeconds: 600, margin: 0.5 },
    { low: 2, high: 8, delaySeconds: 0, margin: 0.5 },
  ]
  const triedWith = async (facts: NewFact[]) => {
    await store.log.append('loads', facts)
    const directory = emptyDirectory()
    for (const fact of store.log.readFacts(0, { limit: 1000 })) evolve(directory, fact)
    const exhausted = exhaustedBudgets(directory, 'temperature', [imeiOf(0)])
    const trial: TrialOrder = { ...order, trial: { quantity: 'temperature', candidates, exhausted } }
    return (await tryLimits(trial, source, () => {}, new AbortController().signal)).candidates
  }
  const about = { loadId: 'l1', imei: imeiOf(0) }
  const opened = { ...about, profileId: 'food', version: 1, reference: 'Lot 7', userName: 'Ayesha' }
  const exhausted = { rule: 0, used: 60, allowed: 60 }
  const [one, other] = await triedWith([
    { type: 'load.opened', at: START, companyId: 'c', data: opened },
    { type: 'load.exhausted', at: minute(75), companyId: 'c', data: { ...about, ...exhausted } },
  ])
  expect(one).toMatchObject({ missed: 3, missedSerious: 1, missedExhausting: 1 })
  expect(other).toMatchObject({ missed: 0, missedSerious: 0, missedExhausting: 0 })
  const after = { exhaustedAt: minute(50), ...exhausted }
  const [revised] = await triedWith([
    {
      ...{ type: 'load.revised', at: minute(190), companyId: 'c' },
      data: { ...about, before: minute(75), after },
    },
  ])
  expect(revised).toMatchObject({ missed: 3, missedSerious: 0, missedExhausting: 0 })
})

test('under what was in force it finds what live evaluation told, once settled, whatever was measured and however limits and delay changed', async () => {
  const spell = fc.record({
    count: fc.integer({ min: 1, max: 6 }),
    temperature: fc.constantFrom(5, 5, 7.8, 9, 8.3, 12, 1, 0.5, undefined),
    later: fc.constantFrom(5, 5, 5, 45),
  })
  const change = fc.record({
    before: fc.nat(40),
    high: fc.constantFrom(8, 9, 7.5),
    violationDelaySeconds: fc.constantFrom(0, 300, 900, null),
    clearMarginTemperature: fc.constantFrom(0, 1, null),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(spell, { minLength: 1, maxLength: 10 }),
      fc.array(change, { maxLength: 3 }),
      fc.boolean(),
      async (spells, changes, isLate) => {
        const { store, world, sourceOf } = await setUp()
        let at = 600
        const rows = spells.flatMap(({ count, temperature, later }) =>
          Array.from({ length: count }, (_, i): Reading => {
            at += i === 0 ? later : 5
            return { device: 0, at: minute(at), temperature }
          }),
        )
        const evaluator = await startEvaluator({
          store,
          clock: { now: () => world.now },
          isQuiet: () => true,
          tickMs: 1e8,
          checkpointMs: 1e8,
        })
        const settle = async (): Promise<void> => {
          await evaluator.settled(store.log.head())
          await evaluator.tick()
        }
        for (const [i, row] of rows.entries()) {
          world.now = row.at
          for (const { before, high, ...evaluation } of changes) {
            if (before !== i) continue
            const origin = { at: row.at - 60_000, companyId: 'c' }
            await store.log.append('group-g', [
              { ...origin, type: 'group.updated', data: { groupId: 'g', highTemperatureThreshold: high } },
              {
                ...origin,
                type: 'group.evaluation-set',
                data: { groupId: 'g', ...AS_COMPANY, ...evaluation },
              },
            ])
          }
          if (!isLate) await store.telemetry.append(columnsOf([row]), world.now)
          await settle()
        }
        if (isLate) {
          world.now += 3_600_000
          await store.telemetry.append(columnsOf(rows.toReversed()), world.now)
          await settle()
        }
        world.now += 16 * 60_000
        await settle()
        await settle()
        const live: PublishedOfDevices = new Map()
        for (const fact of store.log.readFacts(0, { limit: 1000 })) foldPublished(live, fact)
        const published = [...(live.get(imeiOf(0))?.episodes.values() ?? [])]
          .map(({ since, openedAt, clearedAt }) => [since, openedAt, clearedAt])
          .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
        const to = world.now + 1
        const { source } = await sourceOf(START, to)
        const inForce = await limitsInForce(source, START, to)
        const readings = await source.readings(0, START, to)
        const tried = episodesUnder('temperature', readings, inForce.ofDevice(0), { from: START })
        expect(tried.map(({ since, openedAt, clearedAt }) => [since, openedAt, clearedAt])).toEqual(published)
        await evaluator.stop()
        for (const close of closing.splice(0)) await close()
      },
    ),
    { numRuns: 100 },
  )
})
