import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fieldsOfVersion, type ReadingColumns } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { createNotificationIndex } from './notification-index.ts'
import { type ReadModels, startProjecting } from './read-models.ts'

/**
 * A data folder of version 0.1 and what that version read from it: facts of a fleet of 22 devices for three hours, readings that
 * are compacted and some that are not, a day and a half of a simulated past.
 */
const KEPT = join(import.meta.dirname, '../../fixtures/data-folder-0.1')
const EXPECTED = JSON.parse(readFileSync(join(KEPT, 'read-models.json'), 'utf8'))
const DAY = 86_400_000

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'frostline-folder-'))
  const file = gunzipSync(readFileSync(join(KEPT, 'frostline.sqlite.gz')))
  writeFileSync(join(dir, 'frostline.sqlite'), file)
})
afterEach(() => rmSync(dir, { recursive: true }))

async function describeFolder(maintain: boolean): Promise<object> {
  const store = openSqliteStore({ dir, clock: { now: () => EXPECTED.now } })
  const readModels = startProjecting(store)
  if (maintain) while (await store.telemetry.maintain(EXPECTED.now + 2 * 3_600_000));
  const described = await describeStore(store, readModels)
  readModels.stop()
  await store.close()
  return described
}

test('a data folder of version 0.1 opens with the read models it had', async () => {
  expect(await describeFolder(false)).toEqual(EXPECTED)
  // once more: what was migrated at the first opening opens again
  expect(await describeFolder(false)).toEqual(EXPECTED)
})

test('its readings stay the same when this version compacts the rest', async () => {
  expect(await describeFolder(true)).toEqual(EXPECTED)
})

test('its facts fold to the same without the checkpoints', async () => {
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  db.exec('DELETE FROM checkpoints')
  db.close()
  // batches that are deleted cannot be read again
  expect({ ...(await describeFolder(false)), latest: null }).toEqual({ ...EXPECTED, latest: null })
})

async function describeStore(store: Store, readModels: ReadModels): Promise<object> {
  const { log, telemetry } = store
  const { directory, history, latest, attention } = readModels
  const { size } = latest
  const { now, firstDay } = EXPECTED
  const numbers = Uint32Array.from(directory.devices.keys())
  const notifications = createNotificationIndex(log, readModels)
  const all = { from: 0, to: now + DAY, isAsked: () => true }
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
