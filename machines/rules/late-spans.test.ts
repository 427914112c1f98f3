import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LATE_UNKNOWN, lateByOf } from '../contracts/readings.ts'
import { lateSpansOf } from './late-spans.ts'

const MINUTE = 60_000

/** Readings by the minute they were measured and the minute they came; undefined: nobody knows when. */
function readings(...rows: [at: number, received: number | undefined][]) {
  return {
    length: rows.length,
    at: Float64Array.from(rows, ([at]) => at * MINUTE),
    lateBy: Int32Array.from(rows, ([at, received]) =>
      received === undefined ? LATE_UNKNOWN : lateByOf(at * MINUTE, received * MINUTE),
    ),
  }
}

const inMinutes = (...rows: Parameters<typeof readings>) =>
  lateSpansOf(readings(...rows)).map(({ from, to, receivedFrom, receivedTo, readings, upTo }) => ({
    measured: [from / MINUTE, to / MINUTE],
    received: [receivedFrom / MINUTE, receivedTo / MINUTE],
    readings,
    upTo: upTo / 60,
  }))

test('a backlog is one span, however it was sent', () => {
  const oldestFirst = inMinutes([0, 0], [5, 90], [10, 91], [15, 92], [93, 93])
  const newestFirst = inMinutes([0, 0], [5, 92], [10, 91], [15, 90], [93, 93])
  expect(oldestFirst).toEqual([{ measured: [5, 15], received: [90, 92], readings: 3, upTo: 85 }])
  expect(newestFirst).toEqual([{ measured: [5, 15], received: [90, 92], readings: 3, upTo: 87 }])
})

test('one live reading among them does not part it, an hour on the air does', () => {
  expect(inMinutes([5, 60], [8, 8], [11, 61])).toMatchObject([{ measured: [5, 11], readings: 2 }])
  expect(inMinutes([5, 60], [30, 30], [59, 62])).toMatchObject([{ measured: [5, 5] }, { measured: [59, 59] }])
})

test('two deliveries are two spans', () => {
  expect(inMinutes([5, 60], [6, 60], [7, 120], [8, 120])).toMatchObject([
    { measured: [5, 6], received: [60, 60] },
    { measured: [7, 8], received: [120, 120] },
  ])
})

test('what was on time, ahead, or of which nobody knows is not late', () => {
  expect(inMinutes([0, 0], [1, 3], [2, undefined], [10, 5])).toEqual([])
})

test('every late reading is in one span, and spans ascend', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.option(fc.integer({ min: 0, max: 300 })))),
      (steps) => {
        let at = 0
        const rows = steps.map(([step, late]): [number, number | undefined] => {
          at += step
          return [at, late === null ? undefined : at + late]
        })
        const spans = lateSpansOf(readings(...rows))
        const lates = rows.filter(([at, received]) => received !== undefined && received - at > 2)
        expect(spans.reduce((sum, { readings }) => sum + readings, 0)).toBe(lates.length)
        for (const [at] of lates)
          expect(spans.filter(({ from, to }) => at * MINUTE >= from && at * MINUTE <= to)).toHaveLength(1)
        for (const [i, { from }] of spans.entries())
          if (i > 0) expect(from).toBeGreaterThan(spans[i - 1]?.to ?? 0)
      },
    ),
  )
})
