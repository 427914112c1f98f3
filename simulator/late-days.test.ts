import fc from 'fast-check'
import { afterEach, expect, inject, test } from 'vitest'
import { type Reading, readingAt } from '#machines/contracts/readings.ts'
import { closeAll, FLEET, START, setUp } from '../server/evaluation/testing/late-readings.ts'
import { group } from '../server/testing/facts.ts'
import { HOUR, smallWorld } from './world/testing/demo.ts'

/** How long what is tried of a day takes: each of its readings is evaluated by itself in the run that is on time. */
const SPAN = 12 * HOUR
const world = smallWorld(60)
const lastDay = Math.floor((world.start - world.historyStart) / (24 * HOUR)) - 1

afterEach(closeAll)

/** What a device of the world measured in half a day, with times as if it had been the day of the test. */
function dayOf(device: number, day: number): Omit<Reading, 'device'>[] {
  const from = world.historyStart + day * 24 * HOUR
  const columns = world.history(device, from, from + SPAN)
  return Array.from({ length: columns.length }, (_, i) => {
    const { device: _device, ...reading } = readingAt(columns, i)
    return { ...reading, at: reading.at - from + START + 600 * 60_000 }
  })
}

/** A fleet whose limits leave 8 % of the day's readings below and 15 % above. */
function fleetFor(rows: readonly Omit<Reading, 'device'>[]): typeof FLEET {
  const measured = rows.flatMap(({ temperature }) => temperature ?? []).sort((a, b) => a - b)
  const [low = 2, high = 8] = [0.08, 0.85].map((share) => measured[Math.floor(measured.length * share)])
  const limits = { lowTemperatureThreshold: low, highTemperatureThreshold: high, lowHumidityThreshold: 30 }
  return FLEET.map((fact) =>
    fact.type === 'group.created'
      ? { ...group('g', 'c', null, { name: 'Top', ...limits }), at: START }
      : fact,
  )
}

test('a day of the world is the same excursions in whatever order and batches it comes', async () => {
  let excursions = 0
  const scene = fc.record({
    device: fc.nat(world.size - 1),
    day: fc.nat(lastDay),
    seed: fc.integer(),
    isNewestFirst: fc.boolean(),
    batches: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 60 }),
        later: fc.constantFrom(0, 1, 3, 20),
        restarts: fc.boolean(),
      }),
      { minLength: 1, maxLength: 10 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ device, day, seed, isNewestFirst, batches }) => {
      const rows = dayOf(device, day)
      const onTime = await setUp(fleetFor(rows))
      for (const row of rows) await onTime.receive((row.at - START) / 60_000, [row])
      await onTime.settle()

      const late = await setUp(fleetFor(rows))
      const left = isNewestFirst
        ? rows.toReversed()
        : fc.sample(fc.shuffledSubarray(rows, { minLength: rows.length }), { numRuns: 1, seed }).flat()
      let now = ((rows.at(-1)?.at ?? START) - START) / 60_000 + 200
      for (let i = 0; left.length > 0; i++) {
        const { size, later, restarts } = batches[i % batches.length] as (typeof batches)[number]
        now += later
        await late.receive(now, left.splice(0, size))
        if (restarts) await late.restart()
      }
      await late.settle()
      expect(late.remaining()).toEqual(onTime.remaining())
      excursions += onTime.remaining().length
      await closeAll()
    }),
    { numRuns: inject('isNightly') ? 150 : 12 },
  )
  expect(excursions).toBeGreaterThan(0)
})
