import { afterEach, expect, test } from 'vitest'
import { columnsOf } from '../../evaluation/testing/small-fleet.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { createPace, estimateOf } from './estimate.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 15)
/** of the third day, at which it is noon */
const NOW = START + 60 * HOUR

let store: Store
afterEach(() => store.close())

test('an estimate counts what was measured of the devices in the time, and is longer with each candidate', async () => {
  store = openSqliteStore({ dir: ':memory:', clock: { now: () => NOW } })
  const hourly = [0, 1, 2].flatMap((device) =>
    Array.from({ length: 60 }, (_, i) => ({ device, at: START + i * HOUR, temperature: 5 })),
  )
  await store.telemetry.append(columnsOf(hourly), NOW)
  const pace = createPace()
  const of = async (from: number, to: number, devices = [0, 1], candidates = 1) =>
    estimateOf(store.telemetry, pace, { devices, from, to, candidates })
  const { readings, seconds } = await of(START, NOW)
  expect(readings).toBe(120)
  expect((await of(START, NOW, [])).readings).toBe(0)
  // half of the first day, the second, and half of what there is of the third
  expect((await of(START + 12 * HOUR, START + 54 * HOUR, [0])).readings).toBe(12 + 24 + 12)
  expect((await of(START, NOW, [0, 1], 3)).seconds).toBeCloseTo(2 * seconds)
})

test('once some were tried it goes by how long that took, unless that was too short to tell', () => {
  const pace = createPace()
  const work = { readings: 1000, span: 24 * HOUR, candidates: 1 }
  const before = pace.secondsFor(work)
  pace.note({ ...work, seconds: 0.2 })
  expect(pace.secondsFor(work)).toBe(before)
  pace.note({ ...work, seconds: 40 })
  expect(pace.secondsFor(work)).toBe(40)
  expect(pace.secondsFor({ ...work, candidates: 3 })).toBe(80)
})
