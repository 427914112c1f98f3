import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Store } from '../store.ts'
import { columnsOf, rowsOf, TelemetryModel } from '../testing/telemetry-model.ts'
import { openSqliteStore } from './open.ts'

const HOUR = 3_600_000
const START = 20_000 * 24 * HOUR
const DEVICES = [0, 1, 2]

const readingsOfHour = (hour: number) =>
  DEVICES.flatMap((device) =>
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
  expect(await store.telemetry.daySummaries(Uint32Array.from(DEVICES), 20_000, 20_001)).toEqual(
    model.daySummaries(DEVICES, 20_000, 20_001),
  )
  await store.close()

  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  const windows = db.prepare('SELECT DISTINCT (id >> 22) & 65535 AS window FROM chunks ORDER BY 1').all()
  expect(windows.map(({ window }) => window)).toEqual([1, 9, 17, 18])
  db.close()
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
  expect(await store.telemetry.daySummaries(Uint32Array.from(DEVICES), 20_000, 20_001)).toEqual(
    model.daySummaries(DEVICES, 20_000, 20_001),
  )
  await store.close()
  await rm(dir, { recursive: true })
})
