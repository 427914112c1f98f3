import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fieldsOfVersion, type ReadingColumns } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { type Verified, verifyRecord } from '../store/verify-record.ts'
import { createNotificationIndex } from './notification-index.ts'
import { type ReadModels, startProjecting } from './read-models.ts'

/**
 * A data folder of each released shape and what that release read from it. 0.1: facts of a fleet of 22 devices for three hours,
 * readings that are compacted and some that are not, a day and a half of a simulated past.
 */
const RECORDS = join(import.meta.dirname, '../../fixtures/records')

const DAY = 86_400_000

type Expected = { now: number; firstDay: number; facts: number }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'frostline-folder-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe.each(readdirSync(RECORDS))('a data folder of version %s', (version) => {
  const kept = join(RECORDS, version)
  const expected: Expected = JSON.parse(inTodaysWords(readFileSync(join(kept, 'read-models.json'), 'utf8')))
  beforeEach(() =>
    writeFileSync(join(dir, 'frostline.sqlite'), gunzipSync(readFileSync(join(kept, 'frostline.sqlite.gz')))),
  )

  test('opens with the read models it had', async () => {
    // what later versions keep beside it is not compared
    expect(await describeFolder(expected, false)).toMatchObject(expected)
    // once more: what was migrated at the first opening opens again
    expect(await describeFolder(expected, false)).toMatchObject(expected)
  })

  test('its readings stay the same when this version compacts the rest', async () => {
    expect(await describeFolder(expected, true)).toMatchObject(expected)
  })

  test('its facts fold to the same without the checkpoints', async () => {
    inFile('DELETE FROM checkpoints')
    // batches that are deleted cannot be read again
    expect({ ...(await describeFolder(expected, false)), latest: null }).toMatchObject({
      ...expected,
      latest: null,
    })
  })

  test('verifying finds every fact readable, and names those that are not', async () => {
    expect(await verified(expected)).toEqual({ facts: expected.facts, unreadable: [], count: 0 })
    inFile(`
      UPDATE facts SET data = json_set(data, '$.name', 12) WHERE seq = (SELECT min(seq) FROM facts WHERE type = 'group.created');
      UPDATE facts SET type = 'group.painted' WHERE seq = (SELECT max(seq) FROM facts WHERE type = 'group.created');
      UPDATE facts SET data = '{' WHERE seq = (SELECT min(seq) FROM facts WHERE type = 'company.registered');
    `)
    const { count, unreadable } = await verified(expected)
    expect(count).toBe(3)
    const at = Object.fromEntries(unreadable.map((one) => [one.type, one]))
    expect(at['group.created']).toMatchObject({
      v: 1,
      path: 'data.name',
      reason: expect.stringMatching(/expected string, got 12/),
    })
    expect(at['group.painted']).toMatchObject({ path: 'type', reason: 'no fact type of this release' })
    expect(at['company.registered']).toMatchObject({ path: '', reason: expect.stringMatching(/JSON/) })
  })
})

function inFile(sql: string): void {
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  db.exec(sql)
  db.close()
}

async function verified({ now }: Expected): Promise<Verified> {
  const store = openSqliteStore({ dir, clock: { now: () => now } })
  try {
    return await verifyRecord(store.log)
  } finally {
    await store.close()
  }
}

async function describeFolder({ now, firstDay }: Expected, maintain: boolean): Promise<object> {
  const store = openSqliteStore({ dir, clock: { now: () => now } })
  const readModels = startProjecting(store)
  if (maintain) while (await store.telemetry.maintain(now + 2 * 3_600_000));
  const described = await describeStore(store, readModels, now, firstDay)
  readModels.stop()
  await store.close()
  return described
}

async function describeStore(
  store: Store,
  readModels: ReadModels,
  now: number,
  firstDay: number,
): Promise<object> {
  const { log, telemetry } = store
  const { directory, history, latest, attention } = readModels
  const { size } = latest
  const numbers = Uint32Array.from(directory.devices.keys())
  const notifications = createNotificationIndex(log, readModels)
  const all = { from: 0, to: now + DAY, isRequested: () => true }
  const histories = []
  for (const no of numbers)
    histories.push(describeReadings(await telemetry.history(no, firstDay * DAY, now + DAY)))
  const { version: _, ...known } = directory
  const described = {
    now,
    firstDay,
    head: log.head(),
    facts: log.readFacts(0, { limit: 10_000 }).length,
    directory: known,
    changes: history,
    latest: {
      readings: describeReadings({ ...latest.readings, length: size }),
      state: latest.state.slice(0, size),
      seq: latest.seq.slice(0, size),
      odometer: latest.odometer.slice(0, size),
    },
    attention: { ...attention, violations: { ...attention.violations, revised: undefined } },
    notifications: await notifications.find({ ...all, skip: 0, limit: 1000 }),
    violations: await notifications.violations(all),
    histories,
    days: await telemetry.daySummaries(numbers, firstDay, firstDay + 4),
  }
  return plainOf(described) as object
}

/** How many readings, and a hash of each column that version knew. */
function describeReadings({ length, ...columns }: ReadingColumns): Record<string, unknown> {
  const known = ['device', 'at', ...(fieldsOfVersion(1) ?? [])] as const
  const hashes = known.map((name) => {
    const part = columns[name].slice(0, length)
    return [name, createHash('sha256').update(new Uint8Array(part.buffer)).digest('hex').slice(0, 16)]
  })
  return { length, ...Object.fromEntries(hashes) }
}

/** Maps, sets and columns as lists, NaN as text. */
function plainOf(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, of]) => [key, plainOf(of)])
  if (value instanceof Set || ArrayBuffer.isView(value))
    return [...(value as unknown as Iterable<unknown>)].map(plainOf)
  if (Array.isArray(value)) return value.map(plainOf)
  if (Number.isNaN(value)) return 'NaN'
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, of]) => of !== undefined)
  return Object.fromEntries(fields.map(([name, of]) => [name, plainOf(of)]))
}

/** Messages are words that are made when they are asked for: those of then had a hyphen for a minus. */
function inTodaysWords(kept: string): string {
  return kept.replaceAll(/-(?=[\d.]+ °C)/g, '\u2212')
}
