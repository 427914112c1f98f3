import { expect, onTestFinished, test } from 'vitest'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { createPast } from '../../read-models/fleet-at.ts'
import { createNotificationIndex } from '../../read-models/notification-index.ts'
import { type ReadModels, startProjecting } from '../../read-models/read-models.ts'
import type { FrameStore } from '../../store/frames.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { startKeepingFrames } from './keep-frames.ts'

const MINUTE = 60_000

/** A record with one reading after the other, and nodes that keep its frames. */
function record() {
  const clock = { at: 0, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const readModels: ReadModels & { stop(): void } = startProjecting(store)
  onTestFinished(async () => {
    readModels.stop()
    await store.close()
  })
  const past = createPast({
    store,
    readModels,
    notifications: createNotificationIndex(store.log, readModels),
  })
  const warned: string[] = []
  return {
    warned,
    frames: store.frames,
    async measured(temperature: number, device = 0, at = clock.at) {
      const columns = createReadings(1)
      pushReading(columns, { device, at, temperature })
      await readModels.settled((await store.telemetry.append(columns, clock.at)).seq)
    },
    at(minute: number) {
      clock.at = minute * MINUTE
    },
    node(frames: FrameStore = store.frames) {
      const keeping = startKeepingFrames({
        ...{ store: { frames, log: store.log }, readModels, clock, retentionDays: 2, lookMs: 1e9 },
        warn: (message) => warned.push(message),
      })
      onTestFinished(keeping.stop)
      return keeping
    },
    shown: (minute: number) =>
      past.at(minute, 'then', ({ latest: { readings, size } }) => [
        ...readings.temperature.subarray(0, size),
      ]),
    kept: async () => (await store.frames.upTo(1e6)).map(({ minute, base }) => [minute, base === null]),
  }
}

test('a minute is kept once, upon the one before', async () => {
  const { at, node, measured, kept, shown } = record()
  const { look } = node()
  for (const minute of [10, 11, 13]) {
    at(minute)
    await measured(minute)
    await look()
    await measured(-minute)
    await look()
  }
  expect(await kept()).toEqual([
    [10, true],
    [11, false],
    [13, false],
  ])
  expect([await shown(9), await shown(10), await shown(12), await shown(13)]).toEqual([
    undefined,
    [1000],
    [1100],
    [1300],
  ])
})

test('who leads after another begins whole, and who led before writes nothing between', async () => {
  const { at, node, measured, kept, shown } = record()
  const [first, second] = [node(), node()]
  const keeps = async (minute: number, { look }: typeof first) => {
    at(minute)
    await measured(minute)
    await look()
  }
  await keeps(10, first)
  await keeps(11, second)
  await keeps(12, first)
  await keeps(13, second)
  await keeps(14, first)
  expect(await kept()).toEqual([[14, true]])
  expect([await shown(10), await shown(11), await shown(12), await shown(13)]).toEqual([
    [1000],
    [1100],
    [1100],
    [1300],
  ])
})

test('while the store cannot write no minute is kept, and the next one is whole', async () => {
  const { at, node, measured, frames, kept, warned } = record()
  let isFull = false
  const { look } = node({
    ...frames,
    put: (frame) => (isFull ? Promise.reject(new StoreUnavailable('disk full')) : frames.put(frame)),
  })
  for (const minute of [10, 11, 12, 13]) {
    isFull = minute === 11
    at(minute)
    await measured(minute)
    await look()
  }
  expect(await kept()).toEqual([
    [12, true],
    [13, false],
  ])
  expect(warned).toEqual([])
})

test('what came late while nobody led is noted with the first frame, also where the store cannot tell at first', async () => {
  const { at, node, measured, frames, kept, warned } = record()
  at(10)
  await measured(10)
  const first = node()
  await first.look()
  await first.stop()
  at(200)
  await measured(20, 0, 20 * MINUTE)
  const away = awayFrom(frames)
  const { look } = node(away.frames)
  at(201)
  await look()
  away.isBack()
  await look()
  expect(await kept()).toEqual([[201, true]])
  expect(await frames.lateDevices(0, 0)).toEqual([0])
  expect(warned).toEqual([])
})

test('who is stopped while it reads what came late keeps nothing', async () => {
  const { at, node, measured, frames, kept } = record()
  at(10)
  await measured(10)
  const requested = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const keeping = node({
    ...frames,
    span: async () => {
      requested.resolve()
      await held.promise
      return frames.span()
    },
  })
  const looked = keeping.look()
  await requested.promise
  const stopped = keeping.stop()
  held.resolve()
  await Promise.all([looked, stopped])
  expect(await kept()).toEqual([])
})

test('a minute that began while what came late was read is not kept', async () => {
  const { at, node, measured, frames, kept } = record()
  at(200.5)
  await measured(10)
  const away = awayFrom(frames)
  const { look } = node(away.frames)
  at(201)
  await look()
  away.isBack()
  at(201.7)
  await look()
  expect(await kept()).toEqual([])
  at(202)
  await look()
  expect(await kept()).toEqual([[202, true]])
})

test('a minute that began before anybody looked is not kept', async () => {
  const { at, node, measured, kept } = record()
  at(10.5)
  await measured(10)
  const { look } = node()
  await look()
  expect(await kept()).toEqual([])
  at(11.1)
  await look()
  expect(await kept()).toEqual([[11, true]])
})

test('it is whole again when the differences have grown, and what is out of retention is dropped', async () => {
  const { at, node, measured, frames } = record()
  const { look } = node()
  const day = 1440
  let wholes = 0
  for (let minute = day; minute < day + 300; minute++) {
    at(minute)
    for (let device = 0; device < 20; device++) await measured(minute % 7, device)
    await look()
    wholes += (await frames.upTo(minute)).length === 1 ? 1 : 0
  }
  expect(wholes).toBeGreaterThan(1)
  // midnight passed while nobody kept frames
  at(4 * day + 500)
  await measured(1)
  await node().look()
  expect((await frames.span())?.first).toBeGreaterThan(day + 100)
})

/** A store that says nothing of what it has until it is back. */
function awayFrom(frames: FrameStore) {
  let isBack = false
  const span: FrameStore['span'] = () =>
    isBack ? frames.span() : Promise.reject(new StoreUnavailable('the database is away'))
  return {
    frames: { ...frames, span },
    isBack() {
      isBack = true
    },
  }
}
