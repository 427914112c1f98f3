import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import { isPublicFact } from '#machines/contracts/public-facts.ts'
import type { Reading, ReadingColumns } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import { emptyLimitsTable, evolveLimits } from './limits.ts'
import { emptyRuleState, evaluateReadings } from './rule-state.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'
import { type EachDay, type WarmUpOptions, warmUp } from './warm-up.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const DEVICES = 3
const SPACING = 5 * MINUTE
const FROM = START - 4 * DAY
/** where the newest days begin, in readings */
const BORDER = (Math.floor(START / DAY) * DAY - 2 * DAY - FROM) / SPACING

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

const CALM = { temperature: 5, humidity: 50 }
const WARM = { temperature: 9, humidity: 50 }
type Sample = Pick<Reading, 'temperature' | 'humidity'> | 'silent'
/** What a device measured from FROM on: a sample each five minutes, so many times; calm after the last. */
type Past = [Sample, number][]
const samplesOf = (past: Past): Sample[] => past.flatMap(([one, count]) => Array<Sample>(count).fill(one))

function readingsOf(device: number, past: Past): Reading[] {
  const all = (START - FROM) / SPACING
  const samples = samplesOf(past)
  return Array.from({ length: all }, (_, i) => samples[i] ?? CALM).flatMap((sample, i) =>
    sample === 'silent' ? [] : [{ device, at: FROM + i * SPACING, lat: 31.5, ...sample }],
  )
}

function walkOf(pasts: Past[]): EachDay {
  return async (devices, { from, to, onDay }) => {
    for (const no of devices) {
      const all = readingsOf(no, pasts[no] as Past).filter(({ at }) => at >= from && at < to)
      for (const ofDay of Map.groupBy(all, ({ at }) => Math.floor(at / DAY)).values())
        onDay(no, columnsOf(ofDay))
    }
  }
}

async function setUp(pasts: Past[], more: NewFact[] = []) {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => START } })
  open.push(store)
  await store.log.append('registry', [...smallFleet(DEVICES), ...more])
  const options = {
    store,
    eachDay: walkOf(pasts),
    devices: Uint32Array.from(pasts.keys()),
    from: FROM,
    to: START,
    spacing: SPACING,
    retryMs: 1,
    signal: new AbortController().signal,
  }
  return {
    store,
    evaluator: (changes: Partial<WarmUpOptions> = {}) => warmUp({ ...options, ...changes }),
    found: () => store.log.readFacts(0, { types: ['violation.found'], limit: 1e4 }) as Found[],
  }
}
type Found = FactOf<'violation.found'>

/** What the evaluator of the living would have told of the same readings, had it been there: those that ended. */
function publishedLive(pasts: Past[]): Record<string, unknown>[] {
  const table = emptyLimitsTable()
  for (const fact of smallFleet(DEVICES))
    evolveLimits(table, { ...fact, seq: 1, id: 'f1', v: 1, recordedAt: 0 })
  const ruleState = emptyRuleState(DEVICES)
  const all: ReadingColumns[] = pasts.map((past, no) => columnsOf(readingsOf(no, past)))
  const facts = all.flatMap((readings) =>
    evaluateReadings(ruleState, table, readings, { seq: 1, recordedAt: START }, new Map(), (_, error) =>
      expect.unreachable(String(error)),
    ),
  )
  return facts.flatMap((fact) => {
    if (fact.type !== 'violation.cleared') return []
    const { violationId, worst, durationSeconds, reason } = fact.data
    const opened = facts.find(
      (one) => one.type === 'violation.opened' && one.data.violationId === violationId,
    ) as FactOf<'violation.opened'>
    // the past is not told as late
    const { readings: _, receivedAt: __, ...beginning } = opened.data
    return [{ at: opened.at, data: { ...beginning, worst, durationSeconds, reason, clearedAt: fact.at } }]
  })
}

const brief = (facts: { at: number; data: object }[]) => facts.map(({ at, data }) => ({ at, data }))
const inOrder = (facts: { at: number; data: object }[]) =>
  brief(facts).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
const nameOf = ({ data }: { data: object }) => (data as Found['data']).violationId

/** Hours of one kind of weather in the box, so that spells reach over the border and over whole days. */
const sample: fc.Arbitrary<Sample> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      temperature: fc.constantFrom(1, 1.8, 2.2, 5, 7.8, 8.5, 9),
      humidity: fc.constantFrom(20, 31, 50, 81, 90),
    }),
  },
  { weight: 1, arbitrary: fc.record({ humidity: fc.constantFrom(20, 50) }) },
  { weight: 1, arbitrary: fc.constant('silent' as const) },
)
const past: fc.Arbitrary<Past> = fc
  .tuple(
    fc.constantFrom(0, BORDER - 6, BORDER - 2, BORDER),
    fc.array(fc.tuple(sample, fc.constantFrom(1, 1, 2, 3, 7, 60, 300)), { maxLength: 12 }),
  )
  .map(([lead, spells]): Past => [[CALM, lead], ...spells])

describe('the evaluator of the past', () => {
  test('finds what the evaluator of the living would have told, wherever it is cut off, and tells it once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(past, { minLength: DEVICES, maxLength: DEVICES }),
        fc.array(fc.record({ after: fc.nat(3), saves: fc.boolean() }), { maxLength: 3 }),
        async (pasts, deaths) => {
          const { store, evaluator, found } = await setUp(pasts)
          for (const { after, saves } of deaths) {
            const death = new AbortController()
            let appends = 0
            await evaluator({
              signal: death.signal,
              store: {
                ...store,
                log: {
                  ...store.log,
                  append(...it) {
                    if (appends++ === after) death.abort()
                    return store.log.append(...it)
                  },
                },
                checkpoints: {
                  ...store.checkpoints,
                  save: (...it) => saves && store.checkpoints.save(...it),
                },
              },
            })
          }
          await evaluator()
          expect(inOrder(found())).toEqual(inOrder(publishedLive(pasts) as { at: number; data: object }[]))
          const { length } = found()
          await evaluator()
          expect(found()).toHaveLength(length)
          await store.close()
        },
      ),
      { numRuns: 25 },
    )
  })

  test('tells a whole violation as one fact, at the time it opened, which leaves the server for nobody', async () => {
    const { evaluator, found } = await setUp([
      [
        [CALM, 1],
        [WARM, 1],
        [{ temperature: 11, humidity: 50 }, 1],
        [WARM, 1],
      ],
      [],
      [],
    ])
    await evaluator()
    const since = FROM + SPACING
    expect(found()).toEqual([
      expect.objectContaining({
        type: 'violation.found',
        at: since + SPACING,
        companyId: 'c',
        data: {
          violationId: `${imeiOf(0)}-ht-${since}`,
          imei: imeiOf(0),
          type: 'HIGH_TEMPERATURE_DETECTED',
          threshold: 8,
          delaySeconds: 120,
          clearMargin: 0.5,
          since,
          value: 11,
          lat: 31.5,
          lng: null,
          worst: 11,
          clearedAt: FROM + 4 * SPACING,
          durationSeconds: 900,
          reason: 'back-inside',
        },
      }),
    ])
    expect(found().some(isPublicFact)).toBe(false)
  })

  test('tells nothing of what has not ended when the record begins: that is told when it opens there', async () => {
    const { evaluator, found } = await setUp([[[WARM, (START - FROM) / SPACING]], [], []])
    await evaluator()
    expect(found()).toEqual([])
  })

  test('tells the newest days of all before the rest of any', async () => {
    const twice: Past = [
      [WARM, 3],
      [CALM, BORDER],
      [WARM, 3],
    ]
    const { evaluator, found } = await setUp([twice, twice, twice])
    await evaluator()
    const days = found().map(({ at, data }) => [at >= FROM + BORDER * SPACING, data.imei])
    expect(days.map(([isNew]) => isNew)).toEqual([true, true, true, false, false, false])
    expect(new Set(days.slice(0, 3).map(([, imei]) => imei)).size).toBe(3)
  })

  test('measures by the limits the server began with, though they are others by now', async () => {
    const wider: NewFact = {
      type: 'group.updated',
      at: START + MINUTE,
      companyId: 'c',
      data: { groupId: 'g', highTemperatureThreshold: 12 },
    }
    const { evaluator, found } = await setUp([[[WARM, 3]], [], []], [wider])
    await evaluator()
    expect(found()).toHaveLength(1)
  })

  const interrupted = (silence: number): Past => [
    [WARM, 1],
    ['silent', silence],
    [WARM, 1],
  ]
  test('does not take readings that lie as far apart as patience for silence', async () => {
    const { evaluator, found } = await setUp([interrupted(1), [], []])
    await evaluator()
    expect(found()).toHaveLength(1)
    const impatient = await setUp([interrupted(2), [], []])
    await impatient.evaluator()
    expect(impatient.found()).toEqual([])
    await impatient.evaluator({ spacing: 3 * SPACING, from: FROM - 1 })
    expect(impatient.found()).toHaveLength(1)
  })

  test('waits for a store that cannot write', async () => {
    const pasts: Past[] = [[[WARM, 3]], [], []]
    const { store, evaluator, found } = await setUp(pasts)
    const isFull = new StoreUnavailable('disk full')
    const failing = vi.spyOn(store.log, 'append').mockRejectedValueOnce(isFull)
    vi.spyOn(store.checkpoints, 'save').mockImplementationOnce(() => false)
    await evaluator({ eachDay: vi.fn(walkOf(pasts)).mockRejectedValueOnce(isFull) })
    expect(failing.mock.calls.length).toBeGreaterThan(1)
    expect(found()).toHaveLength(1)
  })
})
