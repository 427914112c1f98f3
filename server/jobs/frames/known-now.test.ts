import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import { SENSOR_UNPLUGGED, statusOf, VIOLATION_MASK, violationsOf } from '#machines/contracts/device-state.ts'
import { READING_FIELDS, type Reading } from '#machines/contracts/readings.ts'
import { startEvaluator } from '../../evaluation/evaluator.ts'
import { columnsOf, imeiOf } from '../../evaluation/testing/small-fleet.ts'
import { createPast } from '../../read-models/fleet-at.ts'
import { createNotificationIndex } from '../../read-models/notification-index.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { FRAME_FIELDS } from '../../store/chunks/fleet-frame.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { TelemetryStore } from '../../store/store.ts'
import { company, device, group } from '../../testing/facts.ts'
import { lateMorning, receiveMornings } from '../../testing/late-mornings.ts'
import { startKeepingFrames } from './keep-frames.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** Midnight; minutes are counted from here. */
const START = Date.UTC(2026, 0, 15)
const DEVICES = 2

const ends: (() => unknown)[] = []
afterEach(endAll)
async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** A record whose readings are evaluated and whose frames are kept: 2 to 8 °C, ten minutes of delay, five of patience. */
async function record() {
  const world = { now: START }
  const clock = { now: () => world.now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  ends.push(store.close)
  const fleet = [
    company('c', { name: 'Indus', patienceSeconds: 300, violationDelaySeconds: 600, hmin: 0 }),
    group('g', 'c', null, { name: 'Top' }),
    ...Array.from({ length: DEVICES }, (_, no) => device(no, imeiOf(no), 'c', 'g', { type: 'vehicle' })),
  ]
  await store.log.append(
    'registry',
    fleet.map((fact) => ({ ...fact, at: START })),
  )
  const readModels = startProjecting(store)
  ends.push(readModels.stop)
  const evaluator = await startEvaluator({
    ...{ store, clock, isQuiet: () => true, tickMs: 1e8, checkpointMs: 1e8 },
  })
  ends.push(evaluator.stop)
  let rereads = 0
  const telemetry = {
    ...store.telemetry,
    history(...args: Parameters<TelemetryStore['history']>) {
      rereads++
      return store.telemetry.history(...args)
    },
  }
  const past = createPast({
    store: { ...store, telemetry },
    readModels,
    notifications: createNotificationIndex(store.log, readModels),
  })
  const keep = () =>
    startKeepingFrames({
      ...{ store, readModels, clock, retentionDays: 31, lookMs: 1e8 },
      warn(message) {
        throw new Error(message)
      },
    })
  let keeping = keep()
  ends.push(() => keeping.stop())
  return {
    /** of how many devices readings were looked up so far */
    rereads: () => rereads,
    /** these come in at a minute, and are evaluated; then the minute is kept */
    async receive(minute: number, readings: Reading[], isKept = true) {
      world.now = START + minute * MINUTE
      if (readings.length > 0) await store.telemetry.append(columnsOf(readings), world.now)
      await evaluator.settled(store.log.head())
      await evaluator.tick()
      await readModels.settled(store.log.head())
      if (isKept) await keeping.look()
    },
    /** nothing comes in for so long that all is evaluated in its place */
    async settle() {
      world.now += 16 * MINUTE
      await evaluator.tick()
      // that it fell silent meanwhile is taken in first
      await evaluator.settled(store.log.head())
      await evaluator.tick()
      await readModels.settled(store.log.head())
      await keeping.look()
    },
    /** a whole day that came in no batch, counted from the first */
    put: (day: number, readings: Reading[]) =>
      store.telemetry.putDays(
        Array.from({ length: DEVICES }, (_, no) => ({
          device: no,
          day: START / DAY + day,
          readings: columnsOf(readings.filter((one) => one.device === no)),
        })),
      ),
    /** another node leads */
    async takeOver() {
      await keeping.stop()
      keeping = keep()
    },
    /** what a frame has of each device, but for its violations */
    columns: (minute: number, view: AsOfView) =>
      past.at(START / MINUTE + minute, view, ({ latest: { readings, state } }) => ({
        ...Object.fromEntries((['at', ...FRAME_FIELDS] as const).map((name) => [name, [...readings[name]]])),
        state: Array.from(state, (one) => one & ~VIOLATION_MASK),
      })),
    shown: (minute: number, view: AsOfView) =>
      past.at(START / MINUTE + minute, view, ({ latest: { readings, state } }) =>
        Array.from({ length: DEVICES }, (_, no) => ({
          heard: readings.at[no] === 0 ? null : ((readings.at[no] as number) - START) / MINUTE,
          temperature:
            readings.temperature[no] === READING_FIELDS.temperature.missing
              ? null
              : (readings.temperature[no] as number) / 100,
          status: statusOf(state[no] as number),
          violations: violationsOf(state[no] as number),
        })),
      ),
  }
}

const reading = (no: number, minute: number, temperature: number | undefined): Reading => ({
  device: no,
  at: START + minute * MINUTE,
  ...(temperature !== undefined && { temperature }),
})

const HOT = 'HIGH_TEMPERATURE_DETECTED'

test('a device that was silent from three to half past four was offline then, and is known now to have been too warm', async () => {
  const { receive, settle, shown } = await record()
  for (let minute = 150; minute <= 180; minute += 5) await receive(minute, [reading(0, minute, 4.8)])
  for (let minute = 185; minute <= 270; minute += 5) await receive(minute, [])
  const backlog = Array.from({ length: 17 }, (_, i) => 185 + 5 * i)
  await receive(
    271,
    backlog.map((minute) => reading(0, minute, minute >= 190 ? 9.1 : 4.8)),
  )
  await settle()
  const [then] = (await shown(240, 'then')) ?? []
  expect(then).toEqual({ heard: 180, temperature: 4.8, status: 'offline', violations: [] })
  const [now] = (await shown(240, 'now')) ?? []
  expect(now).toEqual({ heard: 240, temperature: 9.1, status: 'online', violations: [HOT] })
  const [soon] = (await shown(199, 'now')) ?? []
  expect(soon, 'for nine minutes it does not count').toMatchObject({ heard: 195, violations: [] })
})

test('a violation that began earlier than it was told to lasts from then on', async () => {
  const { receive, settle, shown } = await record()
  for (const minute of [35, 40]) await receive(minute, [reading(0, minute, 5)])
  for (const minute of [60, 65, 70, 75]) await receive(minute, [reading(0, minute, 9)])
  await receive(
    80,
    [45, 50, 55].map((minute) => reading(0, minute, 9)),
  )
  await settle()
  const violations = async (minute: number) => (await shown(minute, 'now'))?.[0]?.violations
  expect([await violations(54), await violations(56), await violations(69)]).toEqual([[], [HOT], [HOT]])
})

test('at minutes that were not kept what came on time is known now', async () => {
  const { receive, shown } = await record()
  const measured = (minute: number) => (minute < 15 ? 5 : 9)
  for (let minute = 0; minute <= 40; minute++) {
    const heard = [0, 1].filter((no) => no === 0 || minute < 12)
    const readings = heard.map((no) => reading(no, minute, measured(minute)))
    await receive(minute, readings, minute <= 10)
  }
  const then = { heard: 10, temperature: 5, status: 'online', violations: [] }
  const known = [
    { heard: 30, temperature: 9, status: 'online', violations: [HOT] },
    { heard: 11, temperature: 5, status: 'offline', violations: [] },
  ]
  expect(await shown(30, 'then')).toEqual([then, then])
  expect(await shown(30, 'now'), 'none is kept since').toEqual(known)
  await receive(41, [reading(0, 41, 5)])
  expect(await shown(30, 'now'), 'the next is kept').toEqual(known)
  expect((await shown(24, 'now'))?.[0], 'for nine minutes it does not count').toMatchObject({
    heard: 24,
    violations: [],
  })
  expect(await shown(12, 'now'), 'for two minutes it shows the one before').toEqual([then, then])
})

test('what came late of before a device was heard is looked up for none of its minutes', async () => {
  const { receive, settle, shown, rereads } = await record()
  for (let minute = 0; minute <= 240; minute += 5)
    if (minute < 60 || minute > 90) await receive(minute, [reading(0, minute, 5)])
  const late = [60, 65, 70, 75, 80, 85, 90].map((minute) => reading(0, minute, 9))
  await receive(241, late)
  await settle()
  const before = rereads()
  expect((await shown(200, 'now'))?.[0]).toMatchObject({ heard: 200, violations: [] })
  expect(rereads()).toBe(before)
  expect((await shown(85, 'now'))?.[0]).toMatchObject({ heard: 85, temperature: 9, violations: [HOT] })
  expect(rereads()).toBe(before + 1)
})

test('before the first frame both views are what is known now; of before all that is stored there is nothing', async () => {
  const { receive, put, shown } = await record()
  await put(-1, [
    reading(0, -90, 5),
    reading(0, -60, 9),
    reading(0, -55, undefined),
    reading(1, -1439, 4),
    { ...reading(1, -1438, 3), unplug: 1 },
  ])
  await receive(3, [])
  const view = [
    { heard: -60, temperature: 9, status: 'online', violations: [] },
    { heard: -1438, temperature: 3, status: 'disconnected', violations: [] },
  ]
  expect([await shown(-58, 'then'), await shown(-58, 'now')]).toEqual([view, view])
  expect((await shown(-40, 'then'))?.[0], 'silent for longer than its company waits').toMatchObject({
    heard: -55,
    status: 'offline',
  })
  await receive(4, [reading(0, -57, 7)])
  expect((await shown(-56, 'then'))?.[0], 'it came late of a day that was looked at').toMatchObject({
    heard: -57,
    temperature: 7,
  })
  expect(await shown(-1441, 'now')).toBeUndefined()
  expect(await shown(1, 'then'), 'the first minute is kept later').toEqual(await shown(1, 'now'))
})

test('a device without a sensor misses none, whatever comes late of it', async () => {
  const { receive, settle, columns } = await record()
  for (const minute of [0, 5, 10, 20]) await receive(minute, [reading(0, minute, undefined)])
  await receive(
    21,
    [12, 14, 16].map((minute) => reading(0, minute, undefined)),
  )
  await settle()
  const { state } = (await columns(18, 'now')) ?? {}
  expect((state?.[0] as number) & SENSOR_UNPLUGGED).toBe(0)
})

const morning = lateMorning([5, 5, 9, 9, 9, undefined], 24)

test('what is known now of a time is what a record shows to which all came in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(morning, morning), fc.nat(200), fc.nat(60), async (mornings, change, gap) => {
      const kept = await record()
      const ordered = await record()
      // nobody keeps the minutes before another leads
      const isKept = (minute: number) => minute >= change || minute < change - gap
      const real = {
        ...kept,
        receive: (minute: number, readings: Reading[]) => kept.receive(minute, readings, isKept(minute)),
      }
      await receiveMornings(mornings, { start: START, minutes: 220 }, { real, ordered }, async (minute) => {
        if (minute === change) await real.takeOver()
      })
      await real.settle()
      // for two minutes it shows the one before
      const isExact = (minute: number) => isKept(minute) || !isKept(minute - 2)
      for (let look = 4; look < 130; look += 3)
        if (isExact(look))
          expect(await real.shown(look, 'now'), `minute ${look}`).toEqual(await ordered.shown(look, 'then'))
      await endAll()
    }),
    { numRuns: 60 },
  )
})

/** What a tracker sends that says places and what it measured apart, each 20 s; `late`: it came so many minutes later. */
const apart = fc.array(
  fc.record({
    reading: fc.constantFrom<Partial<Reading>>(
      ...[
        { lat: 31, lng: 74 },
        { lat: 32, lng: 75, heading: 90 },
        { lat: 33, lng: 75, speed: 40 },
      ],
      ...[{ temperature: 5 }, { temperature: 9, humidity: 60 }, { temperature2: -18, door: 1 }],
    ),
    isSilent: fc.boolean(),
    late: fc.constantFrom(0, 0, 0, 0, 1, 7, 33),
  }),
  { minLength: 30, maxLength: 150 },
)

test('a tracker that says places and what it measured apart is known now as where all came in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(apart, apart), fc.boolean(), async (sent, isNewestFirst) => {
      const real = await record()
      const ordered = await record()
      const rows = sent.flatMap((all, no) =>
        all.flatMap(({ reading, isSilent, late }, i) =>
          isSilent
            ? []
            : [{ late, minute: Math.ceil(i / 3), row: { device: no, at: START + i * 20_000, ...reading } }],
        ),
      )
      for (let minute = 0; minute <= 85; minute++) {
        const came = rows.filter((one) => one.minute + one.late === minute).map(({ row }) => row)
        await real.receive(minute, isNewestFirst ? came.toReversed() : came)
        await ordered.receive(
          minute,
          rows.filter((one) => one.minute === minute).map(({ row }) => row),
        )
      }
      for (let look = 1; look < 55; look += 3)
        expect(await real.columns(look, 'now'), `minute ${look}`).toEqual(await ordered.columns(look, 'then'))
      await endAll()
    }),
    { numRuns: 12 },
  )
})
