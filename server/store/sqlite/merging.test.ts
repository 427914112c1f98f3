import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Store } from '../store.ts'
import { columnsOf, rowsOf, TelemetryModel } from '../testing/telemetry-model.ts'
import { openSqliteStore } from './open.ts'

const HOUR = 3_600_000
const DAY_OF_START = 20_000
const START = DAY_OF_START * 24 * HOUR
const DEVICES = [0, 1, 2, 3]
/** that device 3 says nothing: it has nothing in the first windows of a group */
const SILENT_HOURS = [1, 2, 3]

const readingsOfHour = (hour: number) =>
  DEVICES.filter((device) => device !== 3 || !SILENT_HOURS.includes(hour)).flatMap((device) =>
    [0, 10, 20, 30].map((minute) => ({
      device,
      // device 2 is late and repeats itself: an hour of it holds some of the hour before again
      at: START + (hour - (device === 2 && minute < 20 ? 1 : 0)) * HOUR + (minute % 20) * 60_000,
      temperature: hour + minute / 100,
    })),
  )

async function expectAll({ telemetry }: Store, model: TelemetryModel): Promise<void> {
  for (const device of DEVICES)
    expect(rowsOf(await telemetry.history(device, 0, 1e15))).toEqual(model.history(device, 0, 1e15))
}

test('chunks of neighbouring windows become one, cut off and begun anew or not, and answers stay the same', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-merging-'))
  const open = () => openSqliteStore({ dir, clock: { now: () => START }, sliceMs: 0 })
  const model = new TelemetryModel()
  let store = open()
  for (let hour = 1; hour <= 18; hour++) {
    const readings = readingsOfHour(hour)
    await store.telemetry.append(columnsOf(readings), START + hour * HOUR)
    model.append(readings, START + hour * HOUR)
    expect(store.telemetry.uncompacted()).toBeGreaterThanOrEqual(readings.length)
    // one compaction a window, then the merging by single devices: a restart finds it at every stage
    for (let call = 0; call < 5 + (hour % 4); call++) {
      await store.telemetry.maintain(START + (hour + 1) * HOUR)
      await expectAll(store, model)
    }
    await store.close()
    store = open()
    await expectAll(store, model)
  }
  while (await store.telemetry.maintain(START + 19 * HOUR));
  expect(store.telemetry.uncompacted()).toBe(0)
  await expectAll(store, model)
  expect(
    await store.telemetry.daySummaries(Uint32Array.from(DEVICES), DAY_OF_START, DAY_OF_START + 1),
  ).toEqual(model.daySummaries(DEVICES, DAY_OF_START, DAY_OF_START + 1))
  await store.close()

  expect(windowsIn(dir)).toEqual([1, 9, 17, 18])
  await rm(dir, { recursive: true })
})

function windowsIn(dir: string): unknown[] {
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  const windows = db.prepare('SELECT DISTINCT (id >> 22) & 65535 AS window FROM chunks ORDER BY 1').all()
  db.close()
  return windows.map(({ window }) => window)
}

test('nothing is left of readings that are dropped, of a device that was silent in the first windows of a group either', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-merging-'))
  const store = openSqliteStore({ dir, clock: { now: () => START }, sliceMs: 0 })
  for (let hour = 1; hour <= 9; hour++) {
    await store.telemetry.append(columnsOf(readingsOfHour(hour)), START + hour * HOUR)
    while (await store.telemetry.maintain(START + (hour + 1) * HOUR));
  }
  await store.telemetry.dropReadings(DEVICES, DAY_OF_START)
  await store.close()
  // none was put before: no empty one stands for the day either
  expect(windowsIn(dir)).toEqual([])
  await rm(dir, { recursive: true })
})

test('what an earlier release left behind when it merged is gone after a start, and what it alone still has is answered', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-merging-'))
  const open = () => openSqliteStore({ dir, clock: { now: () => START }, sliceMs: 0 })
  const model = new TelemetryModel()
  let store = open()
  for (let hour = 1; hour <= 9; hour++) {
    await store.telemetry.append(columnsOf(readingsOfHour(hour)), START + hour * HOUR)
    model.append(readingsOfHour(hour), START + hour * HOUR)
    while (await store.telemetry.maintain(START + (hour + 1) * HOUR));
  }
  await store.close()
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  // each device's chunk of the group also in a window behind: of device 1 only there, as its page was lost
  const idOf = (device: number, window: number) => (DAY_OF_START * 2 ** 16 + window) * 2 ** 22 + device
  for (const device of DEVICES)
    db.prepare('INSERT INTO chunks SELECT ?, bytes, sum FROM chunks WHERE id = ?').run(
      idOf(device, 4 + device),
      idOf(device, 1),
    )
  db.prepare('DELETE FROM chunks WHERE id = ?').run(idOf(1, 1))
  db.close()
  expect(windowsIn(dir)).toEqual([1, 4, 5, 6, 7, 9])
  store = open()
  while (await store.telemetry.maintain(START + 10 * HOUR));
  await expectAll(store, model)
  await store.close()
  expect(windowsIn(dir)).toEqual([1, 9])
  await rm(dir, { recursive: true })
})

test('a damaged chunk of a group is noted once and is gone with the merging', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-merging-'))
  const open = () => openSqliteStore({ dir, clock: { now: () => START }, sliceMs: 0 })
  const idOf = (device: number, window: number) => (DAY_OF_START * 2 ** 16 + window) * 2 ** 22 + device
  let store = open()
  for (let hour = 1; hour <= 9; hour++) {
    if (hour === 5) {
      await store.close()
      const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
      db.prepare('UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE id = ?').run(idOf(0, 3))
      db.close()
      store = open()
    }
    await store.telemetry.append(columnsOf(readingsOfHour(hour)), START + hour * HOUR)
    while (await store.telemetry.maintain(START + (hour + 1) * HOUR));
  }
  expect(store.damage.list().map(({ key }) => key)).toEqual([`0 ${DAY_OF_START} 3 before merging`])
  await store.close()
  expect(windowsIn(dir)).toEqual([1, 9])
  store = open()
  while (await store.telemetry.maintain(START + 10 * HOUR));
  expect(store.damage.list()).toEqual([])
  await store.close()
  await rm(dir, { recursive: true })
})

test('a day that was compacted into as often as it has windows takes more all the same', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-merging-'))
  const open = () => openSqliteStore({ dir, clock: { now: () => START }, sliceMs: 0 })
  const model = new TelemetryModel()
  let store = open()
  const takeHour = async (hour: number) => {
    await store.telemetry.append(columnsOf(readingsOfHour(hour)), START + hour * HOUR)
    model.append(readingsOfHour(hour), START + hour * HOUR)
    while (await store.telemetry.maintain(START + (hour + 1) * HOUR));
    await expectAll(store, model)
  }
  await takeHour(1)
  await store.close()
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  db.exec('UPDATE days SET windows = 65534, merged = 8191')
  db.close()
  store = open()
  for (const hour of [2, 3, 4]) await takeHour(hour)
  expect(
    await store.telemetry.daySummaries(Uint32Array.from(DEVICES), DAY_OF_START, DAY_OF_START + 1),
  ).toEqual(model.daySummaries(DEVICES, DAY_OF_START, DAY_OF_START + 1))
  await store.close()
  await rm(dir, { recursive: true })
})
