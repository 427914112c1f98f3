import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reading } from '#machines/contracts/readings.ts'
import { unpackReadings } from './packed-readings.ts'
import type { DayReadings, DeviceDay, Store, TelemetryStore } from './store.ts'
import type { WithStores } from './testing/stores.ts'
import { columnsOf, rowsOf, TelemetryModel } from './testing/telemetry-model.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
/** the store's first hour, 06:00 UTC of some day */
const START = 20_000 * DAY + 6 * HOUR
/** ms for many runs of one property, on a busy machine too */
const PROPERTY_WITHIN = 120_000
const EVER = [0, Number.POSITIVE_INFINITY] as const

const clockAt = (start: number) => {
  let now = start
  return { now: () => now, set: (time: number) => (now = time) }
}

async function settle(telemetry: TelemetryStore, now: number): Promise<void> {
  while (await telemetry.maintain(now));
}

function pastReadings(device: number): Reading[] {
  const readings: Reading[] = []
  for (let at = START - 3 * DAY; at < START; at += 1.5 * HOUR)
    readings.push({ device, at, temperature: device - 20, humidity: (at / HOUR) % 100 })
  return readings
}

/** The three days before START, of which the first begins and the last ends within. */
const PUT_DAYS = [-4, -3, -2, -1, 0].map((n) => 20_000 + n)

/** What is put of a device and day: readings every 90 minutes. */
const dayOf = (device: number, day: number): DayReadings => ({
  device,
  day,
  readings: columnsOf(pastReadings(device).filter(({ at }) => Math.floor(at / DAY) === day)),
})

/** What every telemetry store promises. */
export function telemetryStoreContract(name: string, withStores: WithStores): void {
  const clock = clockAt(START)
  const withStore = (run: (store: Store) => Promise<void>) =>
    withStores(async ({ open }) => {
      const store = await open({ clock })
      try {
        await run(store)
      } finally {
        await store.close()
      }
    })

  describe(`telemetry store: ${name}`, () => {
    test('readings are answered for their own device and time, ascending, within the bounds asked for', () =>
      withStore(async ({ telemetry }) => {
        const late = { device: 7, at: START - 5000, temperature: -18.25, humidity: 40.5 }
        const first = { device: 7, at: START, temperature: -18, lat: 31.5, lng: 74.25, ignition: 1 }
        const last = { device: 7, at: START + 10_000, speed: 88.8, heading: 359 }
        await telemetry.append(columnsOf([first, { device: 8, at: START }, last]), START)
        await telemetry.append(columnsOf([late]), START)
        expect(rowsOf(await telemetry.history(7, ...EVER))).toEqual([late, first, last])
        expect(rowsOf(await telemetry.history(7, START, START + 10_000))).toEqual([first])
        expect(rowsOf(await telemetry.history(9, ...EVER))).toEqual([])
        await settle(telemetry, START + HOUR)
        expect(rowsOf(await telemetry.history(7, ...EVER))).toEqual([late, first, last])
        expect(rowsOf(await telemetry.history(7, START, START + 10_000))).toEqual([first])
      }))

    test('of two readings of one device and time the first counts, before and after compaction', () =>
      withStore(async ({ telemetry }) => {
        const twice = (temperature: number) => columnsOf([{ device: 1, at: START, temperature }])
        await telemetry.append(twice(4), START)
        expect(await telemetry.has(1, START)).toBe(true)
        expect(await telemetry.has(1, START + 1)).toBe(false)
        expect(await telemetry.has(2, START)).toBe(false)
        await telemetry.append(twice(5), START)
        await settle(telemetry, START + HOUR)
        await telemetry.append(twice(6), START + HOUR)
        const answer = [{ device: 1, at: START, temperature: 4 }]
        expect(await telemetry.has(1, START)).toBe(true)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual(answer)
        await settle(telemetry, START + 2 * HOUR)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual(answer)
        expect(await telemetry.daySummaries(Uint32Array.of(1), 20_000, 20_001)).toMatchObject([
          { count: 1, meanTemperature: 4 },
        ])
      }))

    test('what is handed out packed is the history, up to a number of the log, before and after compaction and a restart', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        await store.telemetry.putDays(PUT_DAYS.map((day) => dayOf(1, day)))
        const at = (n: number, temperature: number) => columnsOf([{ device: 1, at: START + n, temperature }])
        const { seq } = await store.telemetry.append(at(20_000, 4), START)
        store.telemetry.hold(seq)
        await store.telemetry.append(at(10_000, 5), START)
        const upTo = async () =>
          rowsOf(
            unpackReadings(
              await store.telemetry.packed(1, START - DAY, START + DAY, seq),
              START - DAY,
              START + DAY,
            ),
          )
        const before = await upTo()
        expect(before).toHaveLength(17)
        expect(before.at(-1)).toEqual({ device: 1, at: START + 20_000, temperature: 4 })
        await settle(store.telemetry, START + HOUR)
        expect(await upTo()).toEqual(before)
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
          store.telemetry.hold(seq)
        }
        await settle(store.telemetry, START + 2 * HOUR)
        expect(await upTo()).toEqual(before)
        store.telemetry.hold(undefined)
        await settle(store.telemetry, START + 3 * HOUR)
        const all = await store.telemetry.packed(1, ...EVER, seq + 1)
        expect(rowsOf(unpackReadings(all, ...EVER))).toEqual(
          rowsOf(await store.telemetry.history(1, ...EVER)),
        )
        await store.close()
      }))

    test('how late each reading was received is kept, after compaction, merging and a restart too', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        const MINUTE = 60_000
        // each hour one on time, one of two hours before and one whose clock is a minute ahead
        for (let hour = 0; hour < 40; hour++) {
          const now = START + hour * HOUR
          const rows = [0, -2 * HOUR - 30 * MINUTE, MINUTE].map((off) => ({ device: 1, at: now + off }))
          await store.telemetry.append(columnsOf(rows), now)
          await settle(store.telemetry, now + HOUR)
          if (reopen && hour === 20) {
            await store.close()
            store = await reopen({ clock })
          }
        }
        const { at, lateBy } = await store.telemetry.history(1, ...EVER)
        expect(at).toHaveLength(120)
        for (const [i, time] of at.entries())
          expect(lateBy[i]).toBe([0, -60, 9_000][[0, MINUTE, 30 * MINUTE].indexOf(time % HOUR)])
        await store.close()
      }))

    test('of two readings of one device and time the one received nearer to it counts, whichever came first', () =>
      withStore(async ({ telemetry }) => {
        const at = START + 300_000
        const one = (temperature: number) => columnsOf([{ device: 1, at, temperature }])
        const answer = [{ device: 1, at, temperature: 30 }]
        await telemetry.append(one(4), START)
        await settle(telemetry, START + HOUR)
        await telemetry.append(one(30), at + 1000)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual(answer)
        await telemetry.append(one(5), at + 3 * HOUR)
        for (const later of [2, 5, 6]) {
          await settle(telemetry, START + later * HOUR)
          expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual(answer)
          expect(await telemetry.daySummaries(Uint32Array.of(1), 20_000, 20_001)).toMatchObject([
            { count: 1, meanTemperature: 30 },
          ])
        }
      }))

    test("the caller's columns may be used again at once", () =>
      withStore(async ({ telemetry }) => {
        const columns = columnsOf([{ device: 1, at: START, temperature: 4 }])
        const appended = telemetry.append(columns, START)
        columns.at[0] = START + 1
        await appended
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([
          { device: 1, at: START, temperature: 4 },
        ])
      }))

    test('times and devices that it can not hold are refused, and the batch with them', () =>
      withStore(async ({ telemetry }) => {
        for (const wrong of [
          { device: 1, at: -1 },
          { device: 1, at: Number.NaN },
          { device: 1, at: 1e15 },
          { device: 2 ** 22, at: START },
        ])
          await expect(telemetry.append(columnsOf([{ device: 1, at: START }, wrong]), START)).rejects.toThrow(
            RangeError,
          )
        expect(await telemetry.has(1, START)).toBe(false)
      }))

    test('an empty batch takes a number and changes nothing', () =>
      withStore(async ({ telemetry, log }) => {
        expect(await telemetry.append(columnsOf([]), START)).toEqual({ seq: 1 })
        await settle(telemetry, START + HOUR)
        expect(log.head()).toBe(1)
      }))

    test('compacted batches leave the record once every checkpoint is past them', () =>
      withStore(async ({ telemetry, log, checkpoints }) => {
        checkpoints.save('judge', 1, () => new Uint8Array(0))
        for (const i of [0, 1, 2]) await telemetry.append(columnsOf([{ device: 1, at: START + i }]), START)
        await settle(telemetry, START + HOUR)
        expect(telemetry.batchesFrom()).toBe(1)
        expect(log.read(1, 10).map(({ seq }) => seq)).toEqual([2, 3])
        checkpoints.save('judge', 3, () => new Uint8Array(0))
        await settle(telemetry, START + HOUR)
        expect(telemetry.batchesFrom()).toBe(3)
        expect(log.read(0, 10)).toEqual([])
        expect(log.head()).toBe(3)
      }))

    test('a follower that never catches up holds batches back for two hours, not for ever', () =>
      withStore(async ({ telemetry, checkpoints }) => {
        checkpoints.save('gone', 0, () => new Uint8Array(0))
        await telemetry.append(columnsOf([{ device: 1, at: START }]), START)
        await settle(telemetry, START + 2 * HOUR)
        expect(telemetry.batchesFrom()).toBe(0)
        await settle(telemetry, START + 2 * HOUR + 1)
        expect(telemetry.batchesFrom()).toBe(1)
      }))

    test('a day is dropped when it and what was last written to it are out of retention', () =>
      withStores(async ({ open }) => {
        const { telemetry, close } = await open({ clock, retentionDays: 10 })
        const old = { device: 1, at: START - 900 * DAY, temperature: 1 }
        const recent = { device: 1, at: START, temperature: 2 }
        await telemetry.append(columnsOf([old, recent]), START)
        await settle(telemetry, START + HOUR)
        await settle(telemetry, START + 10 * DAY)
        // a reading that is years old was delivered today: it is kept as long as one of today
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([old, recent])
        await settle(telemetry, START + 10 * DAY + 2 * HOUR)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([recent])
        expect(await telemetry.has(1, old.at)).toBe(false)
        await settle(telemetry, START + 11 * DAY)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([])
        expect(await telemetry.daySummaries(Uint32Array.of(1), 0, 30_000)).toEqual([])
        await close()
      }))

    test('a day goes when it leaves retention, whoever wrote to it late, and what comes after that stays as long', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock, retentionDays: 10 })
        const own = { device: 1, at: START, temperature: 1 }
        const late = { device: 2, at: START + 60_000, temperature: 2 }
        const later = { device: 2, at: START + 120_000, temperature: 3 }
        const both = async () =>
          (await Promise.all([1, 2].map((device) => store.telemetry.history(device, ...EVER)))).flatMap(
            rowsOf,
          )
        await store.telemetry.append(columnsOf([own]), START)
        await settle(store.telemetry, START + HOUR)
        await store.telemetry.append(columnsOf([late]), START + 8 * DAY)
        await settle(store.telemetry, START + 8 * DAY + HOUR)
        expect(await both()).toEqual([own, late])
        await settle(store.telemetry, START + 11 * DAY)
        expect(await both()).toEqual([])
        await store.telemetry.append(columnsOf([later]), START + 11 * DAY)
        await settle(store.telemetry, START + 11 * DAY + HOUR)
        if (reopen) {
          await store.close()
          store = await reopen({ clock, retentionDays: 10 })
        }
        await settle(store.telemetry, START + 20 * DAY)
        expect(await both()).toEqual([later])
        await settle(store.telemetry, START + 22 * DAY)
        expect(await both()).toEqual([])
        await store.close()
      }))

    test('readings of some devices and a day are dropped, of batches and of days that were put, and no others', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        const day = 20_000
        const read = (device: number, at: number) => ({ device, at, temperature: device })
        const [before, after] = [read(1, START - DAY), read(1, START + DAY)]
        const other = read(2, START)
        await store.telemetry.append(columnsOf([before, read(1, START), after, other]), START)
        await store.telemetry.putDays([dayOf(1, day), dayOf(3, day)])
        await settle(store.telemetry, START + 2 * HOUR)
        const bytes = await store.telemetry.storedBytes([1, 2, 3])
        expect(await store.telemetry.storedDays()).toEqual([day - 1, day, day + 1])
        await store.telemetry.dropReadings([1, 3, 9], day)
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        const { telemetry } = store
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([before, after])
        expect(rowsOf(await telemetry.history(2, ...EVER))).toEqual([other])
        expect(rowsOf(await telemetry.history(3, ...EVER))).toEqual([])
        expect(await telemetry.has(1, START)).toBe(false)
        const summaries = await telemetry.daySummaries(Uint32Array.of(1, 2, 3), 0, 30_000)
        expect(summaries.map(({ device, day }) => [device, day])).toEqual([
          [1, day - 1],
          [1, day + 1],
          [2, day],
        ])
        expect(
          await telemetry.missingDays([
            [1, day],
            [2, day],
            [3, day],
          ]),
        ).toEqual([[2, day]])
        expect(await telemetry.storedBytes([1, 2, 3])).toBeLessThan(bytes)
        await settle(telemetry, START + 4 * HOUR)
        expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([before, after])
        await store.close()
      }))

    describe('days that are put', () => {
      const days = PUT_DAYS.map((day): DeviceDay => [1, day])

      test('are answered in their place, an empty one too, and missing no more, after a restart too', () =>
        withStores(async ({ open, reopen }) => {
          let store = await open({ clock })
          const live = { device: 1, at: START + 1000, temperature: 3 }
          await store.telemetry.append(columnsOf([live]), START)
          expect(await store.telemetry.missingDays(days)).toEqual(days)
          await store.telemetry.putDays(PUT_DAYS.slice(1).map((day) => dayOf(1, day)))
          expect(await store.telemetry.missingDays(days)).toEqual(days.slice(0, 1))
          await store.telemetry.putDays([dayOf(1, PUT_DAYS[0] as number)])
          if (reopen) {
            await store.close()
            store = await reopen({ clock })
          }
          const { telemetry } = store
          expect(await telemetry.missingDays([...days, [2, 20_000]])).toEqual([[2, 20_000]])
          expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([...pastReadings(1), live])
          expect(await telemetry.has(1, START - 3 * DAY)).toBe(true)
          expect(await telemetry.has(1, START - 3 * DAY + 1)).toBe(false)
          await store.close()
        }))

      test('stay as they were put first, and count before what came in batches', () =>
        withStore(async ({ telemetry }) => {
          const at = START + 1000
          const put = (temperature: number) => ({
            device: 1,
            day: 20_000,
            readings: columnsOf([{ device: 1, at, temperature }]),
          })
          await telemetry.append(columnsOf([{ device: 1, at, temperature: 3 }]), START)
          await telemetry.putDays([put(4), put(5)])
          await telemetry.putDays([put(6)])
          for (const hours of [0, 1]) {
            await settle(telemetry, START + hours * HOUR)
            expect(rowsOf(await telemetry.history(1, ...EVER))).toEqual([{ device: 1, at, temperature: 4 }])
            expect(await telemetry.daySummaries(Uint32Array.of(1), 20_000, 20_001)).toMatchObject([
              { count: 1, meanTemperature: 4 },
            ])
          }
        }))

      test('of readings of another device or day are refused', () =>
        withStore(async ({ telemetry }) => {
          const { readings } = dayOf(1, 19_999)
          for (const wrong of [
            { device: 1, day: 19_998, readings },
            { device: 2, day: 19_999, readings },
          ])
            await expect(telemetry.putDays([dayOf(3, 19_999), wrong])).rejects.toThrow(RangeError)
          expect(await telemetry.missingDays([[3, 19_999]])).toEqual([[3, 19_999]])
        }))

      test('are not missing when they are out of retention', () =>
        withStores(async ({ open }) => {
          const { telemetry, close } = await open({ clock, retentionDays: 1 })
          expect(await telemetry.missingDays(days)).toEqual(days.slice(-2))
          await close()
        }))
    })

    test(
      'whatever comes in which order, whatever is compacted or restarted when: it answers as a plain list does',
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 14 }), (steps) =>
            withStores(async ({ open, reopen }) => {
              const time = clockAt(START)
              const model = new TelemetryModel()
              const isPut = new Set<string>()
              let store = await open({ clock: time })
              for (const action of steps) {
                if (action.kind === 'append') {
                  await store.telemetry.append(columnsOf(action.readings), time.now())
                  model.append(action.readings, time.now())
                } else if (action.kind === 'maintain') {
                  time.set(time.now() + action.later)
                  for (let i = 0; i < action.calls; i++) await store.telemetry.maintain(time.now())
                } else if (action.kind === 'put') {
                  const days = action.days.filter((one) => !isPut.has(String(one)))
                  expect(await store.telemetry.missingDays(action.days)).toEqual(days)
                  await store.telemetry.putDays(action.days.map((one) => dayOf(...one)))
                  for (const one of days) {
                    isPut.add(String(one))
                    model.put(rowsOf(dayOf(...one).readings))
                  }
                } else if (action.kind === 'ask') {
                  const { device, from, to } = action
                  expect(rowsOf(await store.telemetry.history(device, from, to))).toEqual(
                    model.history(device, from, to),
                  )
                  expect(await store.telemetry.has(device, from)).toBe(model.has(device, from))
                } else if (reopen) {
                  await store.close()
                  store = await reopen({ clock: time })
                }
              }
              expect(await store.telemetry.daySummaries(Uint32Array.of(2, 0, 1, 3), 19_990, 20_010)).toEqual(
                model.daySummaries([2, 0, 1, 3], 19_990, 20_010),
              )
              for (const device of [0, 1, 2, 3])
                expect(rowsOf(await store.telemetry.history(device, ...EVER))).toEqual(
                  model.history(device, ...EVER),
                )
              await store.close()
            }),
          ),
          { numRuns: 120 },
        ),
      PROPERTY_WITHIN,
    )
  })
}

/** What it promises besides where several nodes have stores over one record. */
export function telemetryOfNodesContract(name: string, withStores: WithStores): void {
  describe(`telemetry store of several nodes: ${name}`, () => {
    test('what one node compacts others answer as before, at every moment of it, and what one put all hold', () =>
      withStores(async ({ open }) => {
        const clock = clockAt(START)
        const nodes = await Promise.all([open({ clock }), open({ clock })])
        const [one, other] = nodes
        const model = new TelemetryModel()
        for (const device of [0, 1, 2]) {
          const node = device === 1 ? other : one
          await node.telemetry.putDays(PUT_DAYS.map((day) => dayOf(device, day)))
          model.put(pastReadings(device))
        }
        const days = [0, 1, 2].flatMap((device) => PUT_DAYS.map((day): DeviceDay => [device, day]))
        for (const { telemetry } of nodes) expect(await telemetry.missingDays(days)).toEqual([])
        const agree = async ({ telemetry }: Store) => {
          for (const device of [0, 1, 2, 3])
            expect(rowsOf(await telemetry.history(device, ...EVER))).toEqual(model.history(device, ...EVER))
          expect(await telemetry.daySummaries(Uint32Array.of(3, 1), 19_990, 20_010)).toEqual(
            model.daySummaries([3, 1], 19_990, 20_010),
          )
          expect(await telemetry.has(3, START + 10_000)).toBe(model.has(3, START + 10_000))
          expect(await telemetry.has(3, START + 10_001)).toBe(false)
        }
        // so many that chunks are merged meanwhile, more than once
        for (let hour = 0; hour < 36; hour++) {
          const readings = [0, 1, 2, 3].map((device) => ({
            device,
            // every third hour one that is late
            at: START + (hour - (hour % 3 === 2 ? 2 : 0)) * HOUR + 10_000 * (device - 2 + (hour % 3)),
            temperature: hour,
          }))
          clock.set(START + hour * HOUR)
          await nodes[hour % 2]?.telemetry.append(columnsOf(readings), clock.now())
          model.append(readings, clock.now())
          await Promise.all(nodes.map(({ log }) => log.caughtUp()))
          if (hour % 4 === 0) await agree(other)
          while (await one.telemetry.maintain(clock.now() + HOUR)) if (hour % 4 === 0) await agree(other)
          if (hour % 4 === 0) await agree(one)
        }
        for (const node of nodes) await agree(node)
        await Promise.all(nodes.map((node) => node.close()))
      }))

    test(
      'several that compact at once, die and come back lose nothing and count nothing twice',
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), step), { maxLength: 14 }), (steps) =>
            withStores(async ({ open }) => {
              const time = clockAt(START)
              const model = new TelemetryModel()
              const nodes = await Promise.all([0, 1, 2].map(() => open({ clock: time })))
              for (const [i, action] of steps) {
                const node = nodes[i] as Store
                if (action.kind === 'append') {
                  await node.telemetry.append(columnsOf(action.readings), time.now())
                  model.append(action.readings, time.now())
                  await Promise.all(nodes.map(({ log }) => log.caughtUp()))
                } else if (action.kind === 'put') {
                  const days = await node.telemetry.missingDays(action.days)
                  await Promise.all(
                    nodes
                      .slice(i)
                      .map(({ telemetry }) => telemetry.putDays(days.map((one) => dayOf(...one)))),
                  )
                  for (const one of days) model.put(rowsOf(dayOf(...one).readings))
                  for (const { telemetry } of nodes) expect(await telemetry.missingDays(days)).toEqual([])
                } else if (action.kind === 'maintain') {
                  time.set(time.now() + action.later)
                  await Promise.all(
                    nodes.slice(i).map(async ({ telemetry }) => {
                      for (let call = 0; call < action.calls; call++) await telemetry.maintain(time.now())
                    }),
                  )
                } else if (action.kind === 'ask') {
                  const { device, from, to } = action
                  expect(rowsOf(await node.telemetry.history(device, from, to))).toEqual(
                    model.history(device, from, to),
                  )
                  expect(await node.telemetry.has(device, from)).toBe(model.has(device, from))
                } else {
                  await node.close()
                  nodes[i] = await open({ clock: time })
                }
              }
              for (const { telemetry } of nodes) {
                expect(await telemetry.daySummaries(Uint32Array.of(2, 0, 1, 3), 19_990, 20_010)).toEqual(
                  model.daySummaries([2, 0, 1, 3], 19_990, 20_010),
                )
                for (const device of [0, 1, 2, 3])
                  expect(rowsOf(await telemetry.history(device, ...EVER))).toEqual(
                    model.history(device, ...EVER),
                  )
              }
              await Promise.all(nodes.map((node) => node.close()))
            }),
          ),
          { numRuns: 25 },
        ),
      PROPERTY_WITHIN,
    )
  })
}

const time = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }).map((n) => START + n * 10_000) },
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 4 }).map((n) => START + n * DAY) },
  { weight: 2, arbitrary: fc.integer({ min: -60, max: 20 }).map((n) => START + n * 1.5 * HOUR) },
  { weight: 1, arbitrary: fc.double({ min: START - DAY, max: START + DAY, noNaN: true }) },
)
const device = fc.nat(3)
const celsius = fc.integer({ min: -3000, max: 3000 }).map((n) => n / 100)
const percent = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100)
const reading = fc
  .tuple(
    device,
    time,
    fc.option(celsius, { nil: undefined, freq: 3 }),
    fc.option(percent, { nil: undefined, freq: 3 }),
  )
  .map(([no, at, temperature, humidity]): Reading => ({ device: no, at, temperature, humidity }))
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      readings: fc.array(reading, { maxLength: 25 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('maintain' as const),
      later: fc.constantFrom(0, HOUR, HOUR, 5 * HOUR),
      calls: fc.constantFrom(1, 2, 3, 20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      days: fc.uniqueArray(fc.tuple(fc.nat(2), fc.constantFrom(...PUT_DAYS)), {
        maxLength: 4,
        selector: String,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), device, from: time, to: time }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)
