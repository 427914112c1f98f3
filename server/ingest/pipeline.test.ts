import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createReadings,
  pushReading,
  type Reading,
  type ReadingColumns,
} from '#machines/contracts/readings.ts'
import { createIngest, type Ingest, type IngestOptions, QueueFull } from './pipeline.ts'
import { telemetryDouble } from './testing/telemetry-double.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const WEEK = 7 * 24 * 3600_000
const columns = (...rows: Reading[]): ReadingColumns => {
  const all = createReadings(Math.max(1, rows.length))
  for (const row of rows) pushReading(all, row)
  return all
}
const DEVICE = { imei: '350000000000001', companyId: 'c' }
const running: Ingest[] = []
function start(double: ReturnType<typeof telemetryDouble>, options: Partial<IngestOptions> = {}): Ingest {
  const ingest = createIngest({
    store: double.store,
    clock: { now: () => NOW },
    device: (no) => (no < 10 ? { imei: `35000000000000${no}`, companyId: 'c' } : undefined),
    newestAt: () => 0,
    batchMs: 0,
    ...options,
  })
  running.push(ingest)
  return ingest
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(running.splice(0).map((ingest) => ingest.stop()))
})

describe('a device that sends without end', () => {
  const TOO_MANY = 'more than 1,000,000 readings of its device today (UTC)'
  const rows = (device: number, from: number, count: number): ReadingColumns =>
    columns(
      ...Array.from({ length: count }, (_, i) => ({ device, at: NOW - 1000 + from + i, temperature: 5 })),
    )

  test('is refused what is beyond its day, by row and in a fact; others are not, and it has another day', async () => {
    const double = telemetryDouble()
    let now = NOW
    const ingest = start(double, { clock: { now: () => now }, mostADay: 3 })
    expect(await ingest.submit(rows(1, 0, 2), 'api')).toMatchObject({ accepted: 2, refused: [] })
    // what is known already takes nothing of its day
    expect(await ingest.submit(rows(1, 0, 3), 'api')).toMatchObject({ accepted: 1, duplicates: 2 })
    const refused = [0, 1].map((index) => ({ index, reason: TOO_MANY }))
    expect(await ingest.submit(rows(1, 3, 2), 'tracker')).toMatchObject({ accepted: 0, refused })
    expect(await ingest.submit(rows(2000, 0, 1), 'api')).toMatchObject({
      refused: [{ reason: 'unknown device' }],
    })
    expect(await ingest.submit(rows(2, 0, 3), 'api')).toMatchObject({ accepted: 3 })
    expect(ingest.stats().refused.get(TOO_MANY)).toBe(2)
    expect(double.facts).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ imei: DEVICE.imei, reason: TOO_MANY }) }),
    )
    now = Date.UTC(2026, 0, 16)
    expect(await ingest.submit(rows(1, 3, 2), 'api')).toMatchObject({ accepted: 2, refused: [] })
  })

  test('is refused them too where each is of another time to come, or measures otherwise at one instant', async () => {
    const double = telemetryDouble()
    const ingest = start(double, { mostADay: 3 })
    const otherwise = (temperature: number) => columns({ device: 1, at: NOW, temperature })
    for (const temperature of [1, 2]) await ingest.submit(otherwise(temperature), 'api')
    await ingest.submit(columns({ device: 1, at: NOW + 3600_000 }), 'api')
    const refused = [{ index: 0, reason: TOO_MANY }]
    expect(await ingest.submit(otherwise(3), 'api')).toMatchObject({ accepted: 0, refused })
    expect(await ingest.submit(columns({ device: 1, at: NOW + 3600_001 }), 'api')).toMatchObject({
      held: 0,
      refused,
    })
    expect([double.readings.length, double.aside.length]).toEqual([1, 2])
  })
})

describe('storing', () => {
  test('is acknowledged only once it is done', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double)
    let answer: unknown
    const submitted = ingest
      .submit(columns({ device: 1, at: NOW, temperature: 4.5 }), 'api')
      .then((it) => (answer = it))
    await vi.waitUntil(() => double.held.length === 1)
    expect(answer).toBeUndefined()
    expect(ingest.isQuiet()).toBe(false)
    double.release()
    await submitted
    expect(answer).toEqual({ accepted: 1, duplicates: 0, held: 0, refused: [], dropped: [] })
    expect(double.readings).toEqual([{ device: 1, at: NOW, temperature: 4.5 }])
    expect(ingest.isQuiet()).toBe(true)
  })

  test('happens in batches of 2,000 or after 100 ms', async () => {
    vi.useFakeTimers()
    const double = telemetryDouble()
    const ingest = start(double, { batchMs: 100 })
    const many = columns(
      ...Array.from({ length: 2300 }, (_, i) => ({ device: i % 10, at: NOW - 10_000 + i })),
    )
    const submitted = ingest.submit(many, 'world')
    await vi.advanceTimersByTimeAsync(99)
    expect(double.batches).toEqual([2000])
    await vi.advanceTimersByTimeAsync(1)
    expect(double.batches).toEqual([2000, 300])
    expect(await submitted).toMatchObject({ accepted: 2300 })
  })

  const often = (ms: number): number[] => Array.from({ length: 30 }, () => ms)

  /** Ms each batch waited for company, with a store that takes so long for each. */
  async function waitsWith(takes: readonly number[]): Promise<number[]> {
    vi.useFakeTimers()
    const double = telemetryDouble()
    const { telemetry } = double.store
    let taken = 0
    const append: typeof telemetry.append = async (readings, at) => {
      vi.advanceTimersByTime(taken)
      return telemetry.append(readings, at)
    }
    const store = { ...double.store, telemetry: { ...telemetry, append } }
    const ingest = start(double, { store, batchMs: 100 })
    const waits: number[] = []
    for (const [i, next] of takes.entries()) {
      taken = next
      const sent = performance.now()
      const submitted = ingest.submit(columns({ device: 1, at: NOW + i }), 'api')
      while (double.batches.length === i) await vi.advanceTimersByTimeAsync(1)
      waits.push(Math.round(performance.now() - sent - next))
      await submitted
    }
    return waits
  }

  test('waits for company ten times as long as the store takes on the whole, from 10 ms up to 100', async () => {
    const waits = await waitsWith([4, 20, ...often(0.5), ...often(30), 0])
    // of nothing known, of 4 ms, and of a single slow one after it, which says little
    expect(waits.slice(0, 3)).toEqual([100, 40, 45])
    expect([waits[32], waits.at(-1)]).toEqual([10, 100])
  })

  test('waits longer for a store that becomes slow, however quick it was', async () => {
    const waits = await waitsWith([...often(0), ...often(30), 0])
    expect([waits[29], waits.at(-1)]).toEqual([10, 100])
  })

  test('one batch serves many senders', async () => {
    const double = telemetryDouble()
    const ingest = start(double, { batchMs: 5 })
    await Promise.all([1, 2, 3].map((device) => ingest.submit(columns({ device, at: NOW }), 'tracker')))
    expect(double.batches).toEqual([3])
  })

  test('that fails is told to those it concerns, and the same readings can come again', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double)
    const reading = columns({ device: 1, at: NOW })
    const submitted = ingest.submit(reading, 'api')
    await vi.waitUntil(() => double.held.length === 1)
    double.fail(new Error('disk full'))
    await expect(submitted).rejects.toThrow('disk full')
    double.release()
    expect(await ingest.submit(reading, 'api')).toMatchObject({ accepted: 1, duplicates: 0 })
  })
})

test('strangers that say another name each time are counted, and do not fill the log', async () => {
  const double = telemetryDouble()
  const ingest = start(double)
  const stranger = { companyId: null, source: 'tracker' as const, reason: 'unknown device', detail: '' }
  for (let n = 0; n < 5000; n++) ingest.quarantine({ ...stranger, imei: String(350_000_000_000_000 + n) })
  await ingest.stop()
  expect(double.facts.length).toBeLessThanOrEqual(1002)
  const counts = double.facts.map((fact) => (fact.type === 'reading.quarantined' ? fact.data.count : 0))
  expect(counts.reduce((sum, count) => sum + count)).toBe(5000)
})

test('a company of which much is refused takes no names from what is refused of another', async () => {
  const double = telemetryDouble()
  const ingest = start(double)
  const refuse = (companyId: string, n: number) =>
    ingest.quarantine({
      ...{ companyId, imei: String(350_000_000_000_000 + n), detail: '' },
      ...{ source: 'tracker', reason: 'the clock is ahead' },
    })
  for (let n = 0; n < 2000; n++) refuse('a', n)
  for (let n = 5000; n < 5010; n++) refuse('b', n)
  await ingest.stop()
  const quarantined = (company: string | null) =>
    double.facts.flatMap((fact) =>
      fact.type === 'reading.quarantined' && fact.companyId === company ? [fact.data] : [],
    )
  expect(
    quarantined('b')
      .map(({ imei }) => imei?.at(-1))
      .join(''),
  ).toBe('0123456789')
  expect(quarantined('a').filter(({ imei }) => imei !== null)).toHaveLength(1000)
  expect(quarantined('a').reduce((sum, { count }) => sum + count, 0)).toBe(2000)
  expect(quarantined(null)).toEqual([])
})

test('a reading ahead of time that comes again after a start is known', async () => {
  const double = telemetryDouble()
  const ahead = columns({ device: 1, at: NOW + 60_000, temperature: 4 })
  await start(double).submit(ahead, 'tracker')
  expect(await start(double).submit(ahead, 'tracker')).toMatchObject({ accepted: 0, duplicates: 1 })
})

describe('a full queue', () => {
  test('takes nothing of a submission, and lets others wait for room', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double, { capacity: 4, batchSize: 2 })
    const rows = (from: number, n: number) =>
      columns(...Array.from({ length: n }, (_, i) => ({ device: from + i, at: NOW })))
    const first = ingest.submit(rows(0, 3), 'world')
    await expect(ingest.submit(rows(3, 2), 'api')).rejects.toThrow(QueueFull)
    const patient = ingest.submitWhenRoom(rows(3, 2), 'world')
    expect(ingest.stats().waiting).toBe(3)
    await vi.waitUntil(() => double.held.length === 1)
    double.release()
    expect(await first).toMatchObject({ accepted: 3 })
    expect(await patient).toMatchObject({ accepted: 2 })
    await expect(ingest.submit(rows(0, 5), 'api')).rejects.toThrow(RangeError)
  })
})

describe('duplicates', () => {
  test('of what is not yet stored are acknowledged with it, not before', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double)
    const first = ingest.submit(columns({ device: 1, at: NOW }), 'api')
    await vi.waitUntil(() => double.held.length === 1)
    let isAnswered = false
    const second = ingest.submit(columns({ device: 1, at: NOW }), 'api').finally(() => (isAnswered = true))
    // all that could be answered without the store has been answered by the next turn
    await nextTurn()
    expect(isAnswered).toBe(false)
    double.release()
    await first
    expect(await second).toEqual({ accepted: 0, duplicates: 1, held: 0, refused: [], dropped: [] })
  })

  test('of one the store was asked about are acknowledged once that one is stored', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double, { newestAt: () => NOW })
    const late = columns({ device: 1, at: NOW - 5 })
    let isAnswered = false
    const first = ingest.submit(late, 'api')
    const second = ingest.submit(late, 'tracker').finally(() => (isAnswered = true))
    await vi.waitUntil(() => double.held.length === 1)
    await nextTurn()
    expect(isAnswered).toBe(false)
    double.release()
    expect([await first, await second]).toMatchObject([{ accepted: 1 }, { duplicates: 1 }])
  })

  test('of one that another of its instant came between are acknowledged once it is stored', async () => {
    const double = telemetryDouble({ holds: true })
    const ingest = start(double, { newestAt: () => NOW })
    const first = columns({ device: 1, at: NOW - 5, temperature: 4 })
    const another = columns({ device: 1, at: NOW - 5, temperature: 5 })
    let answered = 0
    const answers = [first, another, first].map((row) => ingest.submit(row, 'api').finally(() => answered++))
    await vi.waitUntil(() => double.held.length === 1)
    await nextTurn()
    const tooEarly = answered
    double.release()
    expect(tooEarly).toBe(0)
    expect(await Promise.all(answers)).toMatchObject([{ accepted: 1 }, { accepted: 1 }, { duplicates: 1 }])
  })

  test('of one that takes the place of what is stored are acknowledged once it has', async () => {
    const double = telemetryDouble()
    let now = NOW
    const ingest = start(double, { clock: { now: () => now } })
    const ahead = { device: 1, at: NOW + 60_000 }
    await ingest.submit(columns({ ...ahead, temperature: 5 }), 'api')
    double.hold()
    now = ahead.at
    const onTime = columns({ ...ahead, temperature: 30 })
    let answered = 0
    const answers = [onTime, onTime].map((row) => ingest.submit(row, 'api').finally(() => answered++))
    await vi.waitUntil(() => double.held.length === 1)
    await nextTurn()
    const tooEarly = answered
    double.release()
    expect(tooEarly).toBe(0)
    expect(await Promise.all(answers)).toMatchObject([{ accepted: 1 }, { duplicates: 1 }])
  })

  test('of an earlier run are found in the store', async () => {
    const double = telemetryDouble()
    await start(double).submit(columns({ device: 1, at: NOW - 5 }, { device: 1, at: NOW }), 'api')
    const later = start(double, { newestAt: () => NOW })
    const again = columns({ device: 1, at: NOW - 5 }, { device: 1, at: NOW }, { device: 1, at: NOW - 3 })
    expect(await later.submit(again, 'api')).toMatchObject({ accepted: 1, duplicates: 2 })
  })

  test('of what another node took are found in the store, also when their clock was ahead there', async () => {
    const double = telemetryDouble()
    let now = NOW
    const [here, there] = [0, 1].map(() =>
      // as the newest state has it: what is ahead counts as now
      start(double, { clock: { now: () => now }, newestAt: () => NOW, device: () => DEVICE }),
    ) as [Ingest, Ingest]
    const readings = columns({ device: 1, at: NOW + 3_000 }, { device: 5000, at: NOW + 1 })
    await there.submit(readings, 'tracker')
    here.noteStored(readings)
    now = NOW + 5_000
    expect(await here.submit(readings, 'tracker')).toMatchObject({ accepted: 0, duplicates: 2 })
    expect(await here.submit(columns({ device: 1, at: NOW + 3_001 }), 'tracker')).toMatchObject({
      accepted: 1,
    })
  })

  test('of one the store is still asked about share its outcome, and are acknowledged with it', async () => {
    const looks: PromiseWithResolvers<void>[] = []
    const double = telemetryDouble({
      looksFor: () => {
        const look = Promise.withResolvers<void>()
        looks.push(look)
        return look.promise
      },
    })
    const ingest = start(double, { newestAt: () => NOW })
    const late = columns({ device: 1, at: NOW - 5 }, { device: 1, at: NOW }, { device: 2, at: NOW - 5 })
    const tallies = Promise.all([ingest.submit(late, 'api'), ingest.submit(late, 'tracker')])
    await vi.waitUntil(() => looks.length === 3)
    expect(ingest.isQuiet()).toBe(false)
    for (const look of looks) look.resolve()
    expect(await tallies).toMatchObject([
      { accepted: 3, duplicates: 0 },
      { accepted: 0, duplicates: 3 },
    ])
    expect(double.readings).toHaveLength(3)
  })

  test('are not told from a store that does not answer: sent again they are as new as before', async () => {
    let isDown = true
    const double = telemetryDouble({
      looksFor: async () => {
        if (isDown) throw new Error('no answer')
      },
    })
    const ingest = start(double, { newestAt: () => NOW })
    const late = columns({ device: 1, at: NOW - 5 })
    const results = await Promise.allSettled([ingest.submit(late, 'api'), ingest.submit(late, 'api')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ingest.isQuiet()).toBe(true)
    isDown = false
    expect(await ingest.submit(late, 'api')).toMatchObject({ accepted: 1, duplicates: 0 })
  })

  test('a reading does not overtake one before it of the same device that the store is asked about', async () => {
    const double = telemetryDouble()
    const ingest = start(double, { newestAt: () => NOW - 4 })
    const rows = [-5, 0, -3].map((ms) => ({ device: 1, at: NOW + ms }))
    await ingest.submit(columns(...rows), 'tracker')
    expect(double.readings).toEqual(rows)
  })

  test('are dropped, and all else is stored once, whatever comes in whatever order', async () => {
    const reading = fc.record({ device: fc.nat(11), at: fc.nat(20).map((n) => NOW - n * 1000) })
    const submissions = fc.array(fc.array(reading, { maxLength: 12 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(submissions, fc.boolean(), fc.array(fc.nat(3)), async (all, isTogether, looks) => {
        const double = telemetryDouble({
          async looksFor() {
            for (let turns = looks.shift() ?? 0; turns > 0; turns--) await nextTurn()
          },
        })
        const ingest = start(double, { batchSize: 5 })
        const seen = new Set<string>()
        const expected = all.map((rows) => {
          const tally = { accepted: 0, duplicates: 0, held: 0, refused: 0 }
          for (const { device, at } of rows) {
            const key = `${device} ${at}`
            const outcome = device >= 10 ? 'refused' : seen.has(key) ? 'duplicates' : 'accepted'
            if (outcome === 'accepted') seen.add(key)
            tally[outcome]++
          }
          return tally
        })
        const answers = []
        for (const rows of all) {
          const answer = ingest.submit(columns(...rows), 'api')
          answers.push(answer)
          if (!isTogether) await Promise.all([answer, ingest.flush()])
        }
        const tallies = (await Promise.all([...answers, ingest.flush()])).slice(0, all.length)
        expect(tallies).toMatchObject(
          expected.map((tally) => ({ ...tally, refused: { length: tally.refused } })),
        )
        expect(new Set(double.readings.map(({ device, at }) => `${device} ${at}`))).toEqual(seen)
        expect(double.readings).toHaveLength(seen.size)
        await ingest.stop()
      }),
      { numRuns: 150 },
    )
  })
})

describe('what cannot be true', () => {
  test.for<[string, Reading]>([
    ['unknown device', { device: 77, at: NOW }],
    ['its time is before 2000', { device: 1, at: Date.UTC(1999, 11, 31) }],
    ['its time is before 2000', { device: 1, at: Number.NaN }],
    ['its time is 1,024 weeks behind (GPS week rollover)', { device: 1, at: NOW - 1024 * WEEK }],
    ['its time is 1,024 weeks behind (GPS week rollover)', { device: 1, at: NOW - 1024 * WEEK + 3600_000 }],
    ['its time is 1,024 weeks behind (GPS week rollover)', { device: 1, at: NOW - 1034 * WEEK }],
    ['its time is 2,048 weeks behind (GPS week rollover)', { device: 1, at: NOW - 2048 * WEEK - 60_000 }],
    ['its time is 1,024 weeks ahead (GPS week rollover)', { device: 1, at: NOW + 1024 * WEEK - 3600_000 }],
    ['its time is no whole millisecond', { device: 1, at: NOW - 0.5 }],
    ['its time is more than 24 h ahead', { device: 1, at: NOW + 24 * 3600_000 + 1 }],
    ['half a position', { device: 1, at: NOW, lng: 74 }],
  ])('is refused: %s', async ([reason, reading]) => {
    const double = telemetryDouble()
    const ingest = start(double)
    const good = { device: 2, at: NOW, temperature: 4 }
    const answer = await ingest.submit(columns(reading, good), 'tracker')
    expect(answer).toEqual({
      accepted: 1,
      duplicates: 0,
      held: 0,
      refused: [{ index: 0, reason }],
      dropped: [],
    })
    expect(double.readings).toEqual([good])
    expect(ingest.stats().refused.get(reason)).toBe(1)
  })

  test('in one field is taken without it, and with half a position without the other; what was dropped is said', async () => {
    const double = telemetryDouble()
    const ingest = start(double)
    const rows = [
      { device: 1, at: NOW, lat: 91, lng: 0, temperature: 4 },
      { device: 2, at: NOW, humidity: 101, speed: 60 },
    ]
    expect(await ingest.submit(columns(...rows), 'world')).toMatchObject({
      accepted: 2,
      refused: [],
      dropped: [
        { index: 0, reason: 'lat is out of range' },
        { index: 1, reason: 'humidity is out of range' },
      ],
    })
    expect(double.readings).toEqual([
      { device: 1, at: NOW, temperature: 4 },
      { device: 2, at: NOW, speed: 60 },
    ])
    expect(ingest.stats().refused.get('lat is out of range')).toBe(1)
  })

  test('is told once a minute and device with how many there were', async () => {
    let now = NOW
    const double = telemetryDouble()
    const ingest = start(double, { clock: { now: () => now } })
    const bad = (device: number) => columns({ device, at: NOW, humidity: 200 })
    for (let i = 0; i < 50; i++) await ingest.submit(bad(1), 'api')
    await ingest.submit(bad(2), 'api')
    now += 60_000
    await ingest.submit(bad(1), 'api')
    const counts = double.facts.map(({ data }) => [
      (data as { imei: string }).imei.at(-1),
      (data as { count: number }).count,
    ])
    expect(counts).toEqual([
      ['1', 1],
      ['2', 1],
      ['1', 50],
    ])
    expect(double.facts[0]).toMatchObject({
      type: 'reading.quarantined',
      companyId: 'c',
      data: { source: 'api', reason: 'humidity is out of range' },
    })
    expect(ingest.stats().refused.get('humidity is out of range')).toBe(52)
  })
})

test('after the end nothing is taken, and what was taken is stored', async () => {
  const double = telemetryDouble()
  const ingest = start(double, { batchMs: 60_000 })
  const submitted = ingest.submit(columns({ device: 1, at: NOW }), 'world')
  await ingest.stop()
  expect(await submitted).toMatchObject({ accepted: 1 })
  await expect(ingest.submit(columns({ device: 1, at: NOW + 1 }), 'world')).rejects.toThrow(QueueFull)
})
