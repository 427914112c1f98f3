import { afterEach, describe, expect, test } from 'vitest'
import type { Reading } from '#machines/contracts/readings.ts'
import { startEvaluator } from '../evaluation/evaluator.ts'
import { columnsOf, imeiOf, START, smallFleet } from '../evaluation/testing/small-fleet.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { rowsOf } from '../store/testing/telemetry-model.ts'
import { createIngest } from './pipeline.ts'
import { startReleasing } from './release-held.ts'

const MINUTE = 60_000
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** One device with two minutes of delay and ten of patience, 2 to 8 °C. */
async function setUp(retryMs = 1e8, mostADay = 1e6) {
  const world = { now: START }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  ends.push(store.close)
  await store.log.append('registry', smallFleet(1))
  const device = () => ({ imei: imeiOf(0), companyId: 'c' })
  const ingest = createIngest({ store, clock, device, newestAt: () => 0, batchMs: 0, mostADay })
  ends.push(ingest.stop)
  const evaluator = await startEvaluator({
    store,
    clock,
    isQuiet: ingest.isQuiet,
    tickMs: 1e8,
    checkpointMs: 1e8,
  })
  ends.push(evaluator.stop)
  const patience = () => 10 * MINUTE
  const warned: string[] = []
  const releasing = startReleasing({
    ...{ store, ingest, clock, patience, everyMs: 1e8, retryMs },
    warn: (message) => warned.push(message),
  })
  ends.push(releasing.stop)
  return {
    ...{ store, ingest, warned },
    /** at a time after the start, ms, what was held is decided, and these readings come in; their times are counted alike */
    async receive(at: number, ...rows: Omit<Reading, 'device'>[]) {
      world.now = START + at
      await releasing.look()
      const readings = rows.map((row): Reading => ({ device: 0, ...row, at: START + row.at }))
      const answer = rows.length === 0 ? undefined : await ingest.submit(columnsOf(readings), 'api')
      await evaluator.settled(store.log.head())
      await evaluator.tick()
      return answer
    },
    published: () =>
      store.log
        .readFacts(0, { limit: 1000 })
        .filter(({ type }) => type.startsWith('violation.'))
        .map(({ type, at }) => [type, (at - START) / MINUTE]),
    stored: async () =>
      rowsOf(await store.telemetry.history(0, START, START + 24 * 60 * MINUTE)).map(({ at, temperature }) => [
        (at - START) / MINUTE,
        temperature,
      ]),
    aside: async () =>
      (await store.aside.of(0, START, START + 24 * 60 * MINUTE)).map(({ kind, reading }) => [
        kind,
        (reading.at - START) / MINUTE,
        reading.temperature,
      ]),
  }
}

describe('readings ahead of their time', () => {
  test('hide nothing that is measured when it has come', async () => {
    const { receive, published, stored, aside } = await setUp()
    const STEP = 10_000
    const false4 = Array.from({ length: 180 }, (_, i) => ({ at: (i + 1) * STEP, temperature: 4 }))
    expect(await receive(0, ...false4)).toMatchObject({ accepted: 30, held: 150, duplicates: 0, refused: [] })
    for (let i = 1; i <= 180; i++)
      expect(await receive(i * STEP, { at: i * STEP, temperature: 30 })).toMatchObject({
        accepted: 1,
        duplicates: 0,
      })
    await receive(60 * MINUTE)
    expect(published().filter(([type]) => type !== 'violation.revised')).toHaveLength(1)
    expect(published()[0]?.[0]).toBe('violation.opened')
    expect(published()[0]?.[1]).toBeLessThanOrEqual(3)
    expect((await stored()).every(([, temperature]) => temperature === 30)).toBe(true)
    const kept = await aside()
    expect(kept).toHaveLength(180)
    expect(
      Object.entries(Object.groupBy(kept, ([kind]) => String(kind))).map(([kind, some]) => [
        kind,
        some?.length,
      ]),
    ).toEqual([
      ['other', 30],
      ['contradicted', 150],
    ])
  })

  test('of a clock that was wrong and was set right are lost in nothing', async () => {
    const { receive, stored, aside } = await setUp()
    await receive(0, { at: 0, temperature: 5 })
    const hours = [0, 1, 2].map((i) => ({ at: 120 * MINUTE + i * MINUTE, temperature: 6 }))
    for (const [i, row] of hours.entries())
      expect(await receive((i + 1) * MINUTE, row)).toMatchObject({ held: 1 })
    await receive(4 * MINUTE, { at: 4 * MINUTE, temperature: 5 })
    expect(await aside()).toEqual([120, 121, 122].map((n) => ['held', n, 6]))
    for (const n of [119, 120, 121, 122]) await receive(n * MINUTE)
    expect(await stored()).toEqual([[0, 5], [4, 5], ...[120, 121, 122].map((n) => [n, 6])])
    expect((await aside()).map(([kind]) => kind)).toEqual(['released', 'released', 'released'])
  })

  test('of a clock that stays ahead are shown when their time has come, though heartbeats come in between', async () => {
    const { receive, aside } = await setUp()
    const lahore = { lat: 31.5, lng: 74.3 }
    for (let n = 0; n < 360; n += 3) {
      const heartbeat = { at: n * MINUTE, ignition: 1, gsmSignal: 3 }
      await receive(n * MINUTE, heartbeat, { at: (n + 300) * MINUTE + 1000, ignition: 1, ...lahore })
    }
    const decided = (await aside()).filter(([, n]) => Number(n) < 357).map(([kind]) => kind)
    expect(decided).toEqual(Array(19).fill('released'))
  })

  test('that say neither a place nor a measurement stay aside where others were received near their time', async () => {
    const { receive, aside } = await setUp()
    await receive(0, { at: 60 * MINUTE, unplug: 1, ignition: 1 })
    for (let n = 1; n <= 61; n++) await receive(n * MINUTE, { at: n * MINUTE, temperature: 6 })
    expect(await aside()).toEqual([['contradicted', 60, undefined]])
  })

  test('are released however many their device has that day: they were acknowledged', async () => {
    const { receive, stored } = await setUp(1e8, 2)
    expect(await receive(0, { at: 60 * MINUTE, temperature: 5 })).toMatchObject({ held: 1 })
    await receive(0, { at: 0, temperature: 5 })
    await receive(61 * MINUTE)
    expect(await stored()).toEqual([0, 60].map((n) => [n, 5]))
  })

  test('one that cannot be released stays aside and is told of once; those after it are released', async () => {
    const { receive, stored, aside, ingest, warned } = await setUp()
    await receive(0, ...[120, 121, 122].map((n) => ({ at: n * MINUTE, temperature: 6 })))
    const { release } = ingest
    ingest.release = (readings, source) =>
      readings.at[0] === START + 120 * MINUTE
        ? Promise.reject(new RangeError('Invalid typed array length'))
        : release(readings, source)
    for (const n of [122, 123]) await receive(n * MINUTE)
    expect(await stored()).toEqual([121, 122].map((n) => [n, 6]))
    expect((await aside()).map(([kind, n]) => [kind, n])).toEqual([
      ['held', 120],
      ['released', 121],
      ['released', 122],
    ])
    expect(warned).toEqual([
      `a reading of device 0 that came ahead of its time, ${START + 120 * MINUTE}, stays aside, retrying each minute: RangeError: Invalid typed array length`,
    ])
  })

  test('one that could not be decided on is tried again later, and told of once', async () => {
    const { receive, stored, store, warned } = await setUp(5)
    await receive(0, { at: 120 * MINUTE, temperature: 6 })
    const { history } = store.telemetry
    let wrong = 2
    store.telemetry.history = async (...args) => {
      if (wrong-- > 0) throw new Error('tuple concurrently updated')
      return history(...args)
    }
    await expect.poll(() => receive(123 * MINUTE).then(stored)).toEqual([[120, 6]])
    expect(warned).toHaveLength(1)
  })

  test('are held again as what they are, and no more than ten thousand of a device', async () => {
    const { receive } = await setUp()
    const many = Array.from({ length: 10_001 }, (_, i) => ({ at: 60 * MINUTE + i, temperature: 5 }))
    const answer = await receive(0, ...many)
    expect(answer).toMatchObject({ accepted: 0, held: 10_000 })
    expect(answer?.refused).toEqual([
      { index: 10_000, reason: 'more than 10,000 readings ahead of their time' },
    ])
  })
})

describe('two readings of one instant', () => {
  test('that are the same are one; another one is kept aside', async () => {
    const { receive, stored, aside } = await setUp()
    const one = { at: 0, temperature: 5 }
    expect(await receive(0, one, one, { at: 0, temperature: 6 })).toMatchObject({
      accepted: 2,
      duplicates: 1,
    })
    expect(await receive(MINUTE, one, { at: 0, temperature: 7 })).toMatchObject({
      accepted: 1,
      duplicates: 1,
    })
    expect(await stored()).toEqual([[0, 5]])
    expect(await aside()).toEqual(expect.arrayContaining([6, 7].map((value) => ['other', 0, value])))
  })

  test('the one received nearer to it counts, whichever came first', async () => {
    const { receive, stored, aside } = await setUp()
    await receive(0, { at: 4 * MINUTE, temperature: 5 })
    await receive(4 * MINUTE, { at: 4 * MINUTE, temperature: 30 })
    await receive(60 * MINUTE, { at: 4 * MINUTE, temperature: 7 })
    expect(await stored()).toEqual([[4, 30]])
    expect(await aside()).toEqual(expect.arrayContaining([5, 7].map((value) => ['other', 4, value])))
  })
})
