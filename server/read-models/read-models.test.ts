import { deserialize, serialize } from 'node:v8'
import { afterEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, readingAt } from '#machines/contracts/readings.ts'
import { withoutRoom } from '#machines/projections/violations.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { company, violationOpened } from '../testing/facts.ts'
import { type Advance, startProjecting } from './read-models.ts'

const now = Date.UTC(2026, 10, 1)
let store: Store
afterEach(() => store.close())
const opened = () => {
  store = openSqliteStore({ dir: ':memory:', clock: { now: () => now } })
  return store
}

const imeiOf = (no: number) => String(350000000000000 + no)
const device = (no: number): NewFact => ({
  type: 'device.registered',
  at: now,
  companyId: 'c',
  data: {
    no,
    imei: imeiOf(no),
    companyId: 'c',
    groupId: null,
    name: `Truck ${no}`,
    plateNumber: '',
    vehicleMakeAndModel: '',
    type: 'vehicle',
    source: 'api',
  },
})
const reading = (no: number, at: number, temperature: number | undefined) => {
  const columns = createReadings(1)
  pushReading(columns, { device: no, at, temperature })
  return columns
}
const temperatureOf = (models: ReturnType<typeof startProjecting>, no: number) =>
  readingAt(models.latest.readings, no).temperature

test('follows what is appended, facts and readings in the order of the record', async () => {
  const { log, telemetry } = opened()
  const models = startProjecting(store)
  const advances: Advance[] = []
  models.onAdvance((advance) => advances.push(advance))
  await log.append('device-0', [device(0)])
  const { seq } = await telemetry.append(reading(0, now, 4), now)
  await models.settled(seq)
  expect(models.directory.devices[0]?.name).toBe('Truck 0')
  expect(temperatureOf(models, 0)).toBe(4)
  expect(advances[0]?.from).toBe(0)
  expect(advances.at(-1)?.to).toBe(seq)
  expect(advances.flatMap(({ changed }) => [...changed])).toContain(0)
})

test('a start from a checkpoint knows what a replay knows', async () => {
  const { log, telemetry } = opened()
  const first = startProjecting(store)
  await log.append('device-0', [device(0), device(1)])
  await first.settled((await telemetry.append(reading(0, now, 4), now)).seq)
  first.checkpoint()
  first.stop()
  await log.append('device-0', [
    { type: 'device.updated', at: now, companyId: 'c', data: { imei: '350000000000000', name: 'Milk 1' } },
  ])
  await telemetry.append(reading(1, now, 7), now)

  const restarted = startProjecting(store)
  expect(restarted.seq).toBe(log.head())
  expect(restarted.directory.devices.map(({ name }) => name)).toEqual(['Milk 1', 'Truck 1'])
  expect([temperatureOf(restarted, 0), temperatureOf(restarted, 1)]).toEqual([4, 7])
})

test.each([
  ['this release', {}],
  ['one that did not say when sensors measured', { measured: undefined }],
])('a start from a checkpoint of %s goes on showing what is not overdue', async (_, lacks) => {
  const { log, telemetry, checkpoints } = opened()
  await log.append('company', [company('c', { patienceSeconds: 300 }), device(0)])
  const first = startProjecting(store)
  await first.settled((await telemetry.append(reading(0, now, 4), now)).seq)
  first.checkpoint()
  first.stop()
  const { seq, bytes } = checkpoints.load('read-models') as { seq: number; bytes: Uint8Array }
  checkpoints.save('read-models', seq, () => serialize({ ...deserialize(bytes), ...lacks }))
  const restarted = startProjecting(store)
  const shownAfter = async (ms: number) => {
    const stored = await telemetry.append(reading(0, now + ms, undefined), now + ms)
    await restarted.settled(stored.seq)
    return temperatureOf(restarted, 0)
  }
  expect([await shownAfter(299_999), await shownAfter(300_000)]).toEqual([4, undefined])
})

/** Names and order of what a directory holds, what was done to it and to notifications, and the newest temperatures. */
const known = ({ directory, history, latest, attention }: ReturnType<typeof startProjecting>) => ({
  history: [...history.groups, ...history.devices],
  attention: { ...attention, violations: withoutRoom(attention.violations) },
  devices: directory.devices.map(({ name }) => name),
  groups: [...directory.groups.values()].map(({ _id, child, devices }) => [_id, child, [...devices]]),
  temperatures: [0, 1].map((no) => latest.readings.temperature[no]),
})
const group = (groupId: string, parentId: string | null): NewFact => ({
  type: 'group.created',
  at: now,
  companyId: 'c',
  data: {
    groupId,
    companyId: 'c',
    parentId,
    name: groupId,
    description: '',
    lowTemperatureThreshold: 0,
    highTemperatureThreshold: 0,
    lowHumidityThreshold: 0,
    highHumidityThreshold: 0,
  },
})

test.each(['read-models', 'directory', 'attention'])(
  'a start without the last checkpoint of %s knows the same',
  async (lost) => {
    const { log, telemetry, checkpoints } = opened()
    const first = startProjecting(store)
    await log.append('groups', [group('top', null)])
    await first.settled((await log.append('device-0', [device(0), device(1)])).facts.at(-1)?.seq ?? 0)
    await log.append('judge', [violationOpened(imeiOf(0), now), violationOpened(imeiOf(1), now)])
    const before = startProjecting(store)
    before.stop()
    before.checkpoint()
    const older = checkpoints.load(lost)
    await log.append('groups', [group('below', 'top')])
    const about = { at: now, companyId: 'c' }
    await log.append('told', [
      {
        ...about,
        type: 'violation.cleared',
        data: {
          violationId: `${imeiOf(0)}-${now}`,
          imei: imeiOf(0),
          type: 'HIGH_TEMPERATURE_DETECTED',
          value: 7,
          worst: 9,
          durationSeconds: 60,
          reason: 'back-inside',
        },
      },
      violationOpened(imeiOf(0), now + 1),
      { ...about, type: 'notifications.seen', data: { userId: 'u', upTo: 7 } },
    ])
    await log.append('structure', [
      { type: 'group.updated', at: now, companyId: 'c', by: 'u', data: { groupId: 'top', name: 'Top' } },
    ])
    await first.settled((await telemetry.append(reading(0, now, 4), now)).seq)
    first.stop()
    first.checkpoint()
    if (older !== undefined) checkpoints.save(lost, older.seq, () => older.bytes)

    const restarted = startProjecting(store)
    expect(known(restarted)).toEqual(known(first))
    expect(restarted.attention.seen.get('u')).toBe(7)
    expect(restarted.attention.violations.ends.length).toBe(3)
    expect(restarted.directory.groups.get('top')?.child).toEqual(['below'])
    expect(restarted.history.groups.get('top')?.map(({ by, action }) => [by, action])).toEqual([
      [null, 'created'],
      ['u', 'updated'],
    ])
  },
)

test('a checkpoint of a running server writes no directory, which with many devices takes long', async () => {
  const { log, checkpoints } = opened()
  const models = startProjecting(store)
  await models.settled((await log.append('device-0', [device(0)])).facts.at(-1)?.seq ?? 0)
  models.checkpoint()
  expect(checkpoints.load('directory')).toBeUndefined()
  expect(startProjecting(store).directory.devices[0]?.name).toBe('Truck 0')
})

test('what became of violations is saved without room for more, and goes on with what comes after a start', async () => {
  const { log, checkpoints } = opened()
  const restart = async (violations: number) => {
    const models = startProjecting(store)
    for (let i = 0; i < violations; i++) await log.append('v', [violationOpened(imeiOf(0), now + log.head())])
    await models.settled(log.head())
    models.stop()
    models.checkpoint()
    return models.attention.violations.ends
  }
  const saved = () =>
    deserialize(checkpoints.load('attention')?.bytes as Uint8Array).attention.violations.ends
  await log.append('device-0', [device(0)])
  await restart(0)
  expect(saved().opened).toHaveLength(0)
  await restart(2)
  expect(saved().opened).toEqual(Float64Array.of(2, 3))
  expect((await restart(1)).opened.slice(0, 3)).toEqual(Float64Array.of(2, 3, 4))
})
