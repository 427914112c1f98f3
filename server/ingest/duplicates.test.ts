import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { emptyLimitsTable, evolveLimits } from '../evaluation/limits.ts'
import { emptyRuleState, evaluateReadings } from '../evaluation/rule-state.ts'
import { restoreRuleState, saveRuleState } from '../evaluation/saved-rule-state.ts'
import { columnsOf, START, smallFleet } from '../evaluation/testing/small-fleet.ts'

type Batch = { recordedAt: number; rows: Reading[] }

/** @param isSaved whether the evaluator is replaced after each batch by one that begins with what it saved */
function factsOf(batches: Batch[], isSaved = false) {
  const table = emptyLimitsTable()
  for (const [i, fact] of smallFleet(3).entries()) evolveLimits(table, { ...fact, seq: i } as Fact)
  let ruleState = emptyRuleState(3)
  return batches.flatMap(({ recordedAt, rows }) => {
    const facts = evaluateReadings(
      ruleState,
      table,
      columnsOf(rows),
      { seq: 1, recordedAt },
      new Map(),
      (_, error) => expect.unreachable(String(error)),
    )
    if (isSaved) ruleState = restoreRuleState(saveRuleState(ruleState, 3)) ?? ruleState
    return facts
  })
}

const reading = fc.record({
  device: fc.nat(2),
  /** seconds before the batch is stored; below 0 the device's clock is ahead */
  age: fc.constantFrom(0, 1, 30, 90, 400, -1, -2, -60, -3600),
  temperature: fc.option(fc.constantFrom(1, 5, 9), { nil: undefined }),
  humidity: fc.option(fc.constantFrom(20, 50), { nil: undefined }),
  unplug: fc.constantFrom(undefined, 0, 0, 1),
})
const step = fc.record({
  seconds: fc.constantFrom(1, 5, 60, 60, 180, 900),
  readings: fc.array(reading, { minLength: 1, maxLength: 5 }),
  /** how many batches before this one are stored again with it, as another node was sent them too */
  again: fc.constantFrom(0, 0, 1, 2),
  /** ms until they are */
  after: fc.constantFrom(0, 1, 400, 1500),
})

test('readings that two nodes took are evaluated as if one had', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), fc.boolean(), (steps, isSaved) => {
      let now = START
      const once: Batch[] = []
      const twice: Batch[] = []
      for (const { seconds, readings, again, after } of steps) {
        now += seconds * 1000
        const rows = readings.map(({ age, ...rest }) => ({ ...rest, at: now - age * 1000 }))
        // of one node: it takes a device's time once
        const isNew = ({ device, at }: Reading, i: number) =>
          rows.findIndex((row) => row.device === device && row.at === at) === i &&
          !once.some((batch) => batch.rows.some((row) => row.device === device && row.at === at))
        once.push({ recordedAt: now, rows: rows.filter(isNew) })
        twice.push(once.at(-1) as Batch)
        const others = once.slice(once.length - again).flatMap(({ recordedAt, rows }) =>
          // who hears of them so much later has heard of the first, and takes none that were ahead
          rows.filter(({ at }) => at <= recordedAt || recordedAt > now - 30_000),
        )
        twice.push({ recordedAt: now + after, rows: others })
      }
      expect(factsOf(twice, isSaved)).toEqual(factsOf(once))
    }),
    { numRuns: 500 },
  )
})
