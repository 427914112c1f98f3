import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Reading } from '#machines/contracts/readings.ts'
import { unpackReadings } from '../../server/store/packed-readings.ts'
import { openPostgresStore } from '../../server/store/postgres/open.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../server/store/sqlite/open.ts'
import { migrate } from '../../server/store/sqlite/schema.ts'
import type { Store } from '../../server/store/store.ts'
import { columnsOf, rowsOf, TelemetryModel } from '../../server/store/testing/telemetry-model.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import type { PastSource } from './past-source.ts'
import { withPast } from './with-past.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 06:00 UTC of some day */
const START = 20_000 * DAY + 6 * HOUR
const EVER = [0, Number.POSITIVE_INFINITY] as const
const clock = { now: () => START }

type Requested = [device: number, from: number, to: number][]

/** Readings every 90 minutes for three days before START; devices 0 to 2 only. */
const everyNinetyMinutes = (requested: Requested): PastSource => ({
  span: (device) => (device <= 2 ? { from: START - 3 * DAY, to: START } : undefined),
  readings(device, from, to) {
    requested.push([device, from, to])
    return columnsOf(pastReadings(device).filter(({ at }) => at >= from && at < to))
  },
})

function pastReadings(device: number): Reading[] {
  const readings: Reading[] = []
  for (let at = START - 3 * DAY; at < START; at += 1.5 * HOUR)
    readings.push({ device, at, temperature: device - 20, humidity: (at / HOUR) % 100 })
  return readings
}

type Open = (retentionDays?: number) => Promise<Store>

async function inSqlite(run: (open: Open) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-past-'))
  await run(async (retentionDays) => openSqliteStore({ dir, clock, retentionDays }))
  await rm(dir, { recursive: true })
}

async function inPostgres(run: (open: Open) => Promise<void>): Promise<void> {
  const database = await emptyDatabase()
  await run((retentionDays) => openPostgresStore({ dir: ':memory:', database, clock, retentionDays }))
}

describe.each([
  ['SQLite', inSqlite],
  ['PostgreSQL', inPostgres],
])('a store with a past, in %s', (_, withPlace) => {
  const withStore = (run: (store: ReturnType<typeof withPast>, requested: Requested) => Promise<void>) =>
    withPlace(async (open) => {
      const requested: Requested = []
      const store = withPast(await open(), everyNinetyMinutes(requested))
      await run(store, requested)
      await store.close()
    })

  test('answers what was before the log in its place, and asks for it once a device and day', () =>
    withStore(async ({ telemetry }, requested) => {
      const live = { device: 1, at: START + 1000, temperature: 3 }
      await telemetry.append(columnsOf([live]), START)
      const all = [...pastReadings(1), live]
      const both = await Promise.all([telemetry.history(1, ...EVER), telemetry.history(1, ...EVER)])
      expect(both.map(rowsOf)).toEqual([all, all])
      expect(requested.map(([device, from, to]) => [device, from - START, to - START])).toEqual([
        [1, -72 * HOUR, -54 * HOUR],
        [1, -54 * HOUR, -30 * HOUR],
        [1, -30 * HOUR, -6 * HOUR],
        [1, -6 * HOUR, 0],
      ])
      const packed = await telemetry.packed(1, ...EVER, 1)
      expect(rowsOf(unpackReadings(packed, ...EVER))).toEqual(all)
      expect(await telemetry.history(3, ...EVER)).toMatchObject({ length: 0 })
      expect(requested).toHaveLength(4)
    }))

  test('asks the source for the days somebody asks for, and no others', () =>
    withStore(async ({ telemetry }, requested) => {
      await telemetry.history(1, START - DAY, START - DAY + 1)
      expect(requested).toHaveLength(1)
      expect(await telemetry.has(1, START - 3 * DAY)).toBe(true)
      expect(await telemetry.has(1, START - 3 * DAY + 1)).toBe(false)
      expect(await telemetry.has(1, START)).toBe(false)
      expect(requested).toHaveLength(2)
    }))

  test('works out a short time alone, with what came of it since, until its day is put', () =>
    withStore(async ({ telemetry }, requested) => {
      const late = { device: 1, at: START - 1.75 * HOUR, temperature: 3 }
      await telemetry.append(columnsOf([late]), START)
      const short = async () => rowsOf(await telemetry.history(1, START - 2 * HOUR, START - HOUR))
      const known = [late, ...pastReadings(1).filter(({ at }) => at === START - 1.5 * HOUR)]
      expect(await short()).toEqual(known)
      expect(requested).toEqual([[1, START - 2 * HOUR, START - HOUR]])
      await telemetry.history(1, START - 6 * HOUR, START)
      expect(requested).toHaveLength(2)
      expect(await short()).toEqual(known)
      expect(requested).toHaveLength(2)
    }))

  test('sums up days nobody asked for before, beside live readings of the last one', () =>
    withStore(async ({ telemetry }) => {
      const model = new TelemetryModel()
      const live = [0, 1.5 * HOUR, -1.5 * HOUR].map((n) => ({ device: 1, at: START + n, temperature: 30 }))
      await telemetry.append(columnsOf(live), START)
      for (const device of [0, 1, 2]) model.put(pastReadings(device))
      model.append(live, START)
      for (const _ of ['in the tail', 'compacted']) {
        const days = await telemetry.daySummaries(Uint32Array.of(2, 1, 3), 19_990, 20_010)
        expect(days).toEqual(model.daySummaries([2, 1, 3], 19_990, 20_010))
        while (await telemetry.maintain(START + HOUR));
      }
    }))

  test('a backfill can be stopped, and goes on where it was after a restart', () =>
    withPlace(async (open) => {
      const requested: Requested = []
      const stop = new AbortController()
      const source = everyNinetyMinutes(requested)
      const devices = Uint32Array.of(0, 1, 2, 3)
      let store = withPast(await open(), {
        ...source,
        readings(...it) {
          stop.abort()
          return source.readings(...it)
        },
      })
      await store.backfill(devices, { signal: stop.signal })
      expect(requested).toHaveLength(3)
      await store.close()
      store = withPast(await open(), source)
      await store.backfill(devices)
      expect(requested).toHaveLength(12)
      expect(new Set(requested.map(String)).size).toBe(12)
      for (const device of [0, 1, 2])
        expect(rowsOf(await store.telemetry.history(device, ...EVER))).toEqual(pastReadings(device))
      expect(requested).toHaveLength(12)
      await store.close()
    }))

  test('a backfill names what the source has, day by day, of stored days too, and only of those asked for', () =>
    withStore(async (store) => {
      await store.telemetry.history(1, START - DAY, START)
      const devices = Uint32Array.of(0, 1, 2, 3)
      for (const _ of ['first', 'again']) {
        const named = new Map<number, Reading[]>()
        await store.backfill(devices, {
          onDay: (device, readings) => named.set(device, [...(named.get(device) ?? []), ...rowsOf(readings)]),
        })
        for (const device of [0, 1, 2]) expect(named.get(device)).toEqual(pastReadings(device))
        expect(named.has(3)).toBe(false)
      }
      const days: number[] = []
      await store.backfill(Uint32Array.of(2), {
        from: START - DAY,
        to: START - DAY + 1,
        onDay: (_device, readings) => days.push(...rowsOf(readings).map(({ at }) => Math.floor(at / DAY))),
      })
      expect(new Set(days)).toEqual(new Set([19_999]))
    }))

  test('days out of retention are not asked for', () =>
    withPlace(async (open) => {
      const store = withPast(await open(1), everyNinetyMinutes([]))
      expect(rowsOf(await store.telemetry.history(1, ...EVER))).toEqual(
        pastReadings(1).filter(({ at }) => at >= START - 6 * HOUR - DAY),
      )
      await store.close()
    }))
})

test('while the disk is full it answers what was before the log all the same, and stores it when there is room', async () => {
  const db = openDatabase(':memory:')
  migrate(db)
  let requests = 0
  const source = {
    span: () => ({ from: 0, to: 30 * DAY }),
    readings: (device: number, from: number, to: number) => {
      requests++
      const hours = Array.from({ length: (to - from) / HOUR }, (_, i) => from + i * HOUR)
      return columnsOf(hours.map((at) => ({ device, at, temperature: (at * (device + 1)) % 40 })))
    },
  }
  const today = { now: () => 31 * DAY }
  const store = withPast(createSqliteStore(db, { dir: ':memory:', clock: today }), source)
  db.exec(`PRAGMA max_page_count = ${pagesOf(db)}`)
  const devices = Array.from({ length: 200 }, (_, device) => device)
  for (const device of devices) {
    const rows = rowsOf(await store.telemetry.history(device, 3 * DAY, 6 * DAY))
    expect(rows.map(({ at }) => at)).toEqual(Array.from({ length: 72 }, (_, i) => 3 * DAY + i * HOUR))
  }
  db.exec('PRAGMA max_page_count = 1000000')
  for (const device of devices) await store.telemetry.history(device, 3 * DAY, 6 * DAY)
  const before = requests
  expect(rowsOf(await store.telemetry.history(199, 3 * DAY, 6 * DAY))).toHaveLength(72)
  expect(requests).toBe(before)
  await store.close()
})

const pagesOf = (db: DatabaseSync) => Number(db.prepare('PRAGMA page_count').get()?.page_count)
