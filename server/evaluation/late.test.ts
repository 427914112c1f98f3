import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AS_COMPANY, type Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import type { Published } from '#machines/projections/episodes.ts'
import { ownKey } from '../store/append-keys.ts'
import { company, device, group } from '../testing/facts.ts'
import { evaluateLate } from './evaluate-late.ts'
import { emptyLimitsTable } from './limits.ts'
import { changeLimits } from './past-limits.ts'
import { emptyRuleState, evaluateReadings } from './rule-state.ts'
import { closeAll, FLEET, inMinutes, minute, START, setUp, trackerReplaced } from './testing/late-readings.ts'
import { columnsOf, imeiOf } from './testing/small-fleet.ts'

const DAY = 86_400_000
afterEach(closeAll)

const evaluationSet = (at: number, evaluation: Partial<Evaluation>): NewFact => ({
  type: 'group.evaluation-set',
  at,
  companyId: 'c',
  data: { groupId: 'g', ...AS_COMPANY, ...evaluation },
})

/** Each five minutes from 600 to 660, 9 °C from 610 to 640 and else 5 °C. */
const ORACLE = Array.from({ length: 13 }, (_, i) => {
  const n = 600 + i * 5
  return { at: minute(n), temperature: n >= 610 && n <= 640 ? 9 : 5 }
})
/** Another company, as the first is. */
const BESIDE = [
  company('d', { name: 'Karakoram', patienceSeconds: 1800, violationDelaySeconds: 600 }),
  group('h', 'd', null),
]
const EXPECTED = [['HIGH_TEMPERATURE_DETECTED', 610, 645, 9]]

describe('late readings', () => {
  test('in their order and on time make an ordinary violation', async () => {
    const { receive, settle, published, remaining } = await setUp()
    for (const row of ORACLE) await receive((row.at - START) / 60_000, [row])
    await settle()
    expect(remaining()).toEqual(EXPECTED)
    expect(inMinutes(published('violation.opened')[0]?.at ?? null)).toBe(620)
    expect(published('violation.cleared')[0]?.data.durationSeconds).toBe(2_100)
    expect(published('violation.found-late', 'violation.revised')).toEqual([])
  })

  test.each(['on time', 'newest first'])(
    'of a thermometer whose values come between locations, as of GT06, are one violation until it is silent: %s',
    async (order) => {
      const { receive, settle, published, remaining } = await setUp()
      const place = { lat: 31.5, lng: 74.3 }
      const ofMinute = (n: number) => [
        ...(n < 620 ? [{ at: minute(n), temperature: n < 602 ? 5 : 12 }] : []),
        ...[5, 15, 25, 35, 45, 55].map((s) => ({ at: minute(n) + s * 1000, ...place })),
      ]
      const minutes = Array.from({ length: 24 }, (_, i) => 600 + i)
      if (order === 'on time') for (const n of minutes) await receive(n + 1, ofMinute(n))
      else await receive(700, minutes.flatMap(ofMinute).toReversed())
      await settle()
      const found = published('violation.opened', 'violation.found-late')
      expect(found.map(({ at, data }) => [inMinutes(data.since), inMinutes(at)])).toEqual([[602, 612]])
      expect(published('sensor.plugged-in')).toEqual([])
      expect(remaining().map(([, , to]) => Math.floor((to ?? 0) * 60))).toEqual([621 * 60 + 35])
    },
  )

  test('newest first are found late, with all there is to say of it', async () => {
    const { receive, settle, published, remaining } = await setUp()
    await receive(782, ORACLE.toReversed())
    await settle()
    expect(remaining()).toEqual(EXPECTED)
    expect(published('violation.opened')).toEqual([])
    const [found, ...others] = published('violation.found-late')
    expect(others).toEqual([])
    expect(inMinutes(found?.at ?? null)).toBe(620)
    expect(found?.data).toMatchObject({
      imei: imeiOf(0),
      type: 'HIGH_TEMPERATURE_DETECTED',
      threshold: 8,
      delaySeconds: 600,
      since: minute(610),
      clearedAt: minute(645),
      value: 9,
      worst: 9,
      receivedFrom: minute(782),
      receivedTo: minute(782),
      readingsLate: 8,
    })
  })

  test('of a device that is retired meanwhile tell nothing, and others are evaluated all the same, after a restart too', async () => {
    const { receive, settle, restart, save, store, published } = await setUp()
    await receive(660, ORACLE.slice(-1))
    await receive(661, ORACLE.slice(0, -1))
    save()
    const data = { no: 0, imei: imeiOf(0) }
    await store.log.append('registry', [{ type: 'device.retired', at: minute(662), companyId: 'c', data }])
    await settle()
    await restart()
    const other = ORACLE.map(({ at, temperature }) => ({ device: 1, at: at + 70 * 60_000, temperature }))
    for (const row of other) await receive((row.at - START) / 60_000, [row])
    await settle()
    expect(published('violation.found-late')).toEqual([])
    expect(published('violation.opened').map(({ data: { imei } }) => imei)).toEqual([imeiOf(1)])
  })

  test.each([
    ['oldest first', ORACLE, ['violation.opened', 'violation.cleared']],
    ['newest first', ORACLE.toReversed(), ['violation.found-late']],
  ])(
    'that a tracker sends once more for another device are of a violation of that one, %s',
    async (_, sent, types) => {
      const { receive, settle, restart, save, store, published } = await setUp([...FLEET, ...BESIDE])
      for (const row of ORACLE) await receive((row.at - START) / 60_000, [row])
      const [opened] = published('violation.opened')
      const retired = { no: 0, imei: imeiOf(0) }
      await store.log.append('registry', [
        { type: 'device.retired', at: minute(662), companyId: 'c', data: retired },
        device(2, imeiOf(0), 'd', 'h'),
      ])
      const moved = sent.map((row) => ({ device: 2, ...row }))
      await receive(782, moved.slice(0, 8))
      save()
      await restart()
      await receive(783, moved.slice(8))
      await settle()
      expect(published('violation.revised')).toEqual([])
      const theirs = store.log
        .readFacts(0, { limit: 1000 })
        .filter(({ companyId, type }) => companyId === 'd' && type.startsWith('violation.'))
      expect(theirs.map(({ type }) => type)).toEqual(types)
      const names = new Set(theirs.map(({ data }) => 'violationId' in data && data.violationId))
      expect(names.size).toBe(1)
      expect([...names]).not.toContain(opened?.data.violationId)
    },
  )

  test('of a time before the tracker was replaced tell nothing twice of a violation that lasted meanwhile', async () => {
    const { receive, settle, store, published, remaining } = await setUp()
    for (const row of ORACLE.slice(0, 7)) await receive((row.at - START) / 60_000, [row])
    await store.log.append('registry', [trackerReplaced(631)])
    for (const row of ORACLE.slice(7)) await receive((row.at - START) / 60_000, [row])
    await receive(670, [{ at: minute(626), temperature: 9 }])
    await settle()
    const [opened] = published('violation.opened')
    expect(published('violation.cleared').map(({ data }) => [data.imei, data.violationId])).toEqual([
      [imeiOf(7), opened?.data.violationId],
    ])
    expect(published('violation.found-late', 'violation.revised')).toEqual([])
    expect(remaining()).toEqual(EXPECTED)
  })

  test('behind one live reading are found late', async () => {
    const { receive, settle, published, remaining } = await setUp()
    await receive(660, ORACLE.slice(-1))
    await receive(661, ORACLE.slice(0, -1))
    await settle()
    expect(remaining()).toEqual(EXPECTED)
    expect(published('violation.found-late')).toHaveLength(1)
  })

  test('that reach the present open a violation, which ends when it is over', async () => {
    const { receive, settle, published, remaining } = await setUp()
    await receive(640, [ORACLE[8] as Reading])
    await receive(641, ORACLE.slice(0, 8).toReversed())
    await settle()
    expect(
      published('violation.found-late').map(({ data }) => [inMinutes(data.since), data.clearedAt]),
    ).toEqual([[610, null]])
    await receive(660, [{ at: minute(660), temperature: 9.5 }])
    await receive(665, [{ at: minute(665), temperature: 5 }])
    expect(remaining()).toEqual([['HIGH_TEMPERATURE_DETECTED', 610, 665, 9.5]])
    expect(published('violation.cleared')[0]?.data.violationId).toBe(
      published('violation.found-late')[0]?.data.violationId,
    )
  })

  test('that say otherwise revise what was published, and what never was', async () => {
    const { receive, settle, published, remaining } = await setUp()
    // every second reading: 9 °C from 610 to 640 looks as if it lasted
    const hot = ORACLE.map((row) => ({ ...row, temperature: 9 }))
    for (const row of hot.filter((_, i) => i % 2 === 0)) await receive((row.at - START) / 60_000, [row])
    expect(published('violation.opened')).toHaveLength(1)
    // in between it was cold each time
    await receive(
      662,
      ORACLE.filter((_, i) => i % 2 === 1).map((row) => ({ ...row, temperature: 5 })),
    )
    await settle()
    expect(remaining()).toEqual([])
    expect(published('violation.revised').map(({ data }) => data.after)).toEqual([null])
  })

  test('that show an earlier beginning keep the violation its name, to the end', async () => {
    const { receive, settle, published, remaining } = await setUp()
    for (const row of ORACLE.slice(4, 8)) await receive((row.at - START) / 60_000, [row])
    const [opened] = published('violation.opened')
    await receive(636, ORACLE.slice(0, 4))
    await settle()
    for (const row of ORACLE.slice(8))
      await receive((row.at - START) / 60_000 + 60, [{ ...row, at: row.at + 3_600_000 }])
    const [revised] = published('violation.revised')
    expect(revised?.data).toMatchObject({
      violationId: opened?.data.violationId,
      after: { since: minute(610), clearedAt: null },
    })
    expect(published('violation.cleared')[0]?.data.violationId).toBe(opened?.data.violationId)
    expect(remaining()).toEqual([['HIGH_TEMPERATURE_DETECTED', 610, 705, 9]])
  })

  test('are evaluated by the limits that were in force at their time', async () => {
    const { receive, settle, store, remaining } = await setUp()
    await receive(660, ORACLE.slice(-1))
    const at = minute(665)
    const data = { groupId: 'g', highTemperatureThreshold: 12 }
    await store.log.append('group-g', [{ type: 'group.updated', at, companyId: 'c', data }])
    await receive(670, ORACLE.slice(0, -1))
    await settle()
    expect(remaining()).toEqual(EXPECTED)
  })

  test('are evaluated by the delay and the margin that were in force at their time, and what comes later by those of now', async () => {
    const { receive, settle, store, remaining, published } = await setUp()
    await receive(660, ORACLE.slice(-1))
    const evaluation = { violationDelaySeconds: 0, clearMarginTemperature: 2 }
    await store.log.append('group-g', [evaluationSet(minute(665), evaluation)])
    await receive(670, ORACLE.slice(0, -1))
    await settle()
    expect(remaining()).toEqual(EXPECTED)
    for (const [n, temperature] of [
      [700, 9],
      [705, 7],
      [710, 5],
    ] as const)
      await receive(n, [{ at: minute(n), temperature }])
    expect(remaining()).toEqual([...EXPECTED, ['HIGH_TEMPERATURE_DETECTED', 700, 710, 9]])
    expect(published('violation.opened')[0]?.data).toMatchObject({ delaySeconds: 0, clearMargin: 2 })
  })

  test('are none where the clock was set back and devices follow it: those are evaluated as they come, and silence too', async () => {
    const { receive, settle, published } = await setUp()
    for (let n = 600; n <= 700; n += 5) await receive(n, [{ at: minute(n), temperature: n > 690 ? 9 : 5 }])
    for (let n = 580; n <= 595; n += 5) await receive(n, [{ at: minute(n), temperature: 9 }])
    expect(
      published('violation.opened').map(({ at, data }) => [inMinutes(data.since), inMinutes(at)]),
    ).toEqual([[580, 590]])
    await receive(600, [{ at: minute(600) + 1, temperature: 5 }])
    expect(published('violation.cleared').map(({ at }) => Math.round(inMinutes(at) ?? 0))).toEqual([600])
    await settle()
    await settle()
    expect(published('device-status.changed').map(({ data }) => data.to)).toEqual(['online', 'offline'])
  })

  test.each([
    ['the server', 93, undefined],
    ['the company', 8, (_: string, now: number) => now - 7 * DAY],
  ] as const)(
    'older than all that %s keeps say nothing, least of all that what is known of meanwhile never was',
    async (_, days, keptSince) => {
      const { receive, settle, restart, store, published, remaining } = await setUp(FLEET, { keptSince })
      for (const row of ORACLE) await receive((row.at - START) / 60_000, [row])
      await settle()
      const now = days * 1440
      await receive(now, [{ at: minute(now), temperature: 5 }])
      await store.telemetry.dropReadings([0], START / DAY)
      const long = [-9_000_000, -9_000_000 + 20].map((n) => ({ at: minute(n), temperature: 12 }))
      await receive(now + 1, long.slice(0, 1))
      await settle()
      await receive(now + 20, [...long, { at: minute(now + 15), temperature: 5 }])
      await settle()
      await restart()
      await settle()
      expect(published('violation.revised', 'violation.found-late', 'device-status.revised')).toEqual([])
      expect(published('violation.opened')).toHaveLength(1)
      expect(remaining()).toEqual(EXPECTED)
    },
  )

  test('show that a device was not silent', async () => {
    const { receive, settle, published } = await setUp()
    await receive(600, ORACLE.slice(0, 1))
    await receive(660, ORACLE.slice(-1))
    expect(published('device-status.changed').map(({ at, data }) => [inMinutes(at), data.to])).toEqual([
      [600, 'online'],
      [630, 'offline'],
      [660, 'online'],
    ])
    await receive(661, ORACLE.slice(1, -1))
    await settle()
    expect(published('device-status.revised').map(({ data }) => data)).toEqual([
      { imei: imeiOf(0), from: minute(630), to: minute(660), before: 'offline', after: 'online' },
    ])
  })

  test('show that a device was online after the last of them for as long as it is waited for', async () => {
    const { receive, settle, published } = await setUp()
    await receive(600, ORACLE.slice(0, 1))
    await receive(700, [{ at: minute(640), temperature: 5 }])
    await settle()
    expect(published('device-status.changed').map(({ at, data }) => [inMinutes(at), data.to])).toEqual([
      [600, 'online'],
      [630, 'offline'],
    ])
    expect(published('device-status.revised').map(({ data }) => data)).toEqual([
      { imei: imeiOf(0), from: minute(640), to: minute(670), before: 'offline', after: 'online' },
    ])
  })

  test('that cannot be read have those of no other device wait, until more come', async () => {
    const { store, world, receive, settle, published } = await setUp()
    const { packed } = store.telemetry
    store.telemetry.packed = (no, ...span) =>
      no === 0 ? Promise.reject(new RangeError('Offset is outside the bounds')) : packed(no, ...span)
    await receive(782, ORACLE.toReversed())
    await store.telemetry.append(
      columnsOf(ORACLE.toReversed().map((row) => ({ device: 1, ...row }))),
      world.now,
    )
    for (let look = 0; look < 2; look++) await settle()
    const foundOf = () => published('violation.found-late').map(({ data }) => data.imei)
    expect(foundOf()).toEqual([imeiOf(1)])
    store.telemetry.packed = packed
    await settle()
    expect(foundOf()).toEqual([imeiOf(1)])
    await receive(900, [{ at: minute(665), temperature: 5 }])
    await settle()
    expect(foundOf()).toEqual([imeiOf(1), imeiOf(0)])
  })

  test('stay marked where evaluating them fails, and the live evaluation is as it was', async () => {
    const { store } = await setUp()
    const [table, past, ruleState] = [emptyLimitsTable(), new Map(), emptyRuleState(16)]
    for (const fact of store.log.readFacts(0, { limit: 1000 })) changeLimits(table, past, fact)
    for (const rows of [ORACLE.slice(8, 9), ORACLE.slice(0, 8)]) {
      const readings = columnsOf(rows.map((row) => ({ device: 0, ...row })))
      const batch = await store.telemetry.append(readings, minute(782))
      evaluateReadings(ruleState, table, readings, { ...batch, recordedAt: minute(782) }, past, (_, error) =>
        expect.unreachable(String(error)),
      )
    }
    const before = structuredClone(ruleState)
    expect([...before.late.keys()]).toEqual([0])
    const of: Published = { episodes: new Map(), gone: new Map(), since: 0, status: [] }
    const published = new Map([[imeiOf(0), of]])
    const evaluation = { ruleState, table, past, published, telemetry: store.telemetry, recordFrom: 0 }
    // what comes last of all that can fail
    const failing: Published = {
      ...of,
      get status(): Published['status'] {
        throw new RangeError('Invalid array length')
      },
    }
    published.set(imeiOf(0), failing)
    await expect(evaluateLate(evaluation, 0, store.log.head())).rejects.toThrow(RangeError)
    expect(ruleState).toEqual(before)
    published.set(imeiOf(0), of)
    const facts = await evaluateLate(evaluation, 0, store.log.head())
    expect(facts.map(({ type }) => type)).toContain('violation.found-late')
    expect(ruleState.late.size).toBe(0)
    expect(ruleState).not.toEqual({ ...before, late: new Map() })
  })

  test('are evaluated once, wherever the evaluator is struck down', async () => {
    for (const point of ['before', 'after'] as const) {
      const { receive, settle, save, restart, published, remaining } = await setUp()
      await receive(640, [ORACLE[8] as Reading])
      save()
      await receive(641, ORACLE.slice(0, 8).toReversed())
      if (point === 'before') await restart()
      await settle()
      if (point === 'after') await restart()
      await receive(660, [{ at: minute(660), temperature: 9.5 }])
      await restart()
      await receive(665, [{ at: minute(665), temperature: 5 }])
      await settle()
      expect(remaining()).toEqual([['HIGH_TEMPERATURE_DETECTED', 610, 665, 9.5]])
      expect(published('violation.opened', 'violation.found-late', 'violation.revised')).toHaveLength(1)
      await closeAll()
    }
  })

  test('that go on with a violation which began before all readings there are leave it its beginning, and say its end', async () => {
    const { store, receive, settle, published, remaining } = await setUp()
    const violationId = 'before-all-readings'
    const opening = { violationId, imei: imeiOf(0), type: 'HIGH_TEMPERATURE_DETECTED' as const, threshold: 8 }
    const shared = { delaySeconds: 600, clearMargin: 0.5, since: minute(100), value: 9, lat: null, lng: null }
    const data = { ...opening, ...shared, readings: [] }
    await store.log.append('judge', [{ type: 'violation.opened', at: minute(110), companyId: 'c', data }])
    // the present, then what was measured up to it, warm from the first reading on
    await receive(700, [{ at: minute(700), temperature: 5 }])
    const warm = [600, 605, 610, 615, 620].map((n) => ({ at: minute(n), temperature: n < 620 ? 9 : 5 }))
    await receive(701, warm.toReversed())
    await settle()
    expect(remaining()).toEqual([['HIGH_TEMPERATURE_DETECTED', 100, 620, 9]])
    expect(published('violation.found-late')).toEqual([])
  })

  test('whatever the order and the batches in which a day of readings comes, and whenever the delay became another: what remains is the same', async () => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(5, 5, 7.8) },
      { weight: 3, arbitrary: fc.constantFrom(9, 8.3, 12) },
      { weight: 1, arbitrary: fc.constantFrom(1, 0.5) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    const spell = fc.record({
      count: fc.integer({ min: 1, max: 6 }),
      temperature: value,
      humidity: fc.constantFrom(50, 50, 90, undefined),
    })
    const day = fc
      .record({
        spells: fc.array(spell, { minLength: 1, maxLength: 10 }),
        silences: fc.array(fc.nat(30), { maxLength: 3 }),
      })
      .map(({ spells, silences }) => {
        const times: number[] = []
        for (let i = 0; i < 60; i++) times.push((times.at(-1) ?? 600) + (silences.includes(i) ? 45 : 5))
        return spells
          .flatMap(({ count, ...fields }) => Array.from({ length: count }, () => fields))
          .map((fields, i) => ({ at: minute(times[i] as number), ...fields }))
      })
    const orders = day.chain((rows) =>
      fc.record({
        rows: fc.constant(rows),
        order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
        change: fc.option(
          fc.record({
            before: fc.nat(59),
            violationDelaySeconds: fc.constantFrom(0, 300, 900, null),
            clearMarginTemperature: fc.constantFrom(0, 1, null),
          }),
        ),
        replaced: fc.option(fc.nat(59)),
        batches: fc.array(
          fc.record({
            size: fc.integer({ min: 1, max: 12 }),
            later: fc.constantFrom(0, 1, 3, 20),
            restarts: fc.boolean(),
            saves: fc.boolean(),
          }),
          { minLength: 1, maxLength: 20 },
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(orders, async ({ rows, order, change, replaced, batches }) => {
        const changed = rows[change?.before ?? rows.length]
        const evaluationOf = async ({ store }: Awaited<ReturnType<typeof setUp>>) => {
          if (change === null || changed === undefined) return
          const { before: _, ...evaluation } = change
          await store.log.append('group-g', [evaluationSet(changed.at - 60_000, evaluation)])
        }
        const replace = async ({ store }: Awaited<ReturnType<typeof setUp>>) =>
          void (await store.log.append('registry', [trackerReplaced(0)]))
        const onTime = await setUp()
        for (const [i, row] of rows.entries()) {
          if (row === changed) await evaluationOf(onTime)
          if (i === replaced) await replace(onTime)
          await onTime.receive((row.at - START) / 60_000, [row])
        }
        await onTime.settle()
        const late = await setUp()
        await evaluationOf(late)
        let now = 600 + rows.length * 5 + 200
        const left = order.map((i) => rows[i] as Reading)
        for (let i = 0; left.length > 0; i++) {
          const { size, later, restarts, saves } = batches[i % batches.length] as (typeof batches)[number]
          now += later
          if (i === replaced) await replace(late)
          await late.receive(now, left.splice(0, size))
          if (saves) late.save()
          if (restarts) await late.restart()
        }
        await late.settle()
        expect(late.remaining()).toEqual(onTime.remaining())
        await closeAll()
      }),
      { numRuns: 150 },
    )
  })
})

test.each([
  ['at the first late reading after a start', 'a start'],
  ['while the server runs, for the first late reading after the next start', 'no start'],
])(
  'what was told before readings were kept is read once, %s, and what lasted then is known from there on',
  async (_, since) => {
    const { receive, settle, restart, save, store, published, world } = await setUp()
    const NOW = 100 * 1440
    await receive(600, [{ at: minute(600), temperature: 9 }])
    await receive(615, [{ at: minute(615), temperature: 9 }])
    world.now = minute(NOW)
    if (since === 'a start') await restart()
    await receive(NOW, [{ at: minute(NOW), temperature: 9 }])
    save()
    const [opened] = published('violation.opened')
    const { readFacts } = store.log
    const readAfter: number[] = []
    store.log.readFacts = (after, options) => {
      if (options?.types?.includes('violation.found-late')) readAfter.push(after)
      return readFacts(after, options)
    }
    const restartedAt = async (n: number, late: Omit<Reading, 'device'>) => {
      readAfter.length = 0
      await restart()
      await receive(n, [late])
      await settle()
      return readAfter[0]
    }
    const first = await restartedAt(NOW + 5, { at: minute(NOW - 60), temperature: 9 })
    if (since === 'a start') expect(first).toBe(0)
    else expect(first).toBeGreaterThanOrEqual(opened?.seq ?? Number.POSITIVE_INFINITY)
    const from = await restartedAt(NOW + 30, { at: minute(NOW - 30), temperature: 5 })
    expect(from).toBeGreaterThanOrEqual(opened?.seq ?? Number.POSITIVE_INFINITY)
    const told = published('violation.opened', 'violation.found-late', 'violation.revised')
    expect(told.map(({ type, data: { violationId } }) => [type, violationId])).toEqual([
      ['violation.opened', opened?.data.violationId],
      ['violation.revised', opened?.data.violationId],
    ])
  },
)

test('what is told, on time and late, is known by keys of its time, so that they can be forgotten', async () => {
  const { receive, settle, store } = await setUp()
  const append = vi.spyOn(store.log, 'append')
  await receive(600, [{ at: minute(600), temperature: 9 }])
  await receive(615, [{ at: minute(615), temperature: 9 }])
  await receive(620, [{ at: minute(612), temperature: 5 }])
  await settle()
  const keys = append.mock.calls.map(([, , options]) => options?.idempotencyKey?.replace(/-.*/, ''))
  expect(keys).toContain(ownKey(minute(615), 'judge'))
  expect(keys.at(-1)).toBe(ownKey(minute(620), 'late'))
})
