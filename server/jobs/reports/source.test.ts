import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { company, device, group, violationOpened } from '../../testing/facts.ts'
import { careOf } from './contents/proof-care.ts'
import { createDataProvider } from './data-provider.ts'
import { createSources } from './source.ts'
import type { RequestedOrder, Requests } from './worker-messages.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T10:00:00Z')
const [OLD_IMEI, NEW_IMEI] = ['350000000000000', '350000000000107'] as const

let store: ReturnType<typeof openSqliteStore>
let clock: { at: number }
/** facts that were handed out */
let given: Fact[]
beforeEach(async () => {
  clock = { at: NOW }
  given = []
  store = openSqliteStore({ dir: ':memory:', clock: { now: () => clock.at } })
  onTestFinished(() => store.close())
  await store.log.append('registry', [
    company('indus'),
    group('indus', 'indus', null),
    device(0, OLD_IMEI, 'indus', 'indus'),
  ])
  const readings = createReadings(30)
  for (let days = 29; days >= 0; days--)
    pushReading(readings, { device: 0, at: NOW - days * DAY, temperature: days })
  await store.telemetry.append(readings, NOW)
})

/** The source of a report on the device, or on what is picked, after something more has happened. */
async function sourceAfter(happened: NewFact, picked: Partial<RequestedOrder> = {}) {
  await store.log.append('registry', [happened])
  const directory = store.log.readFacts(0, {}).reduce(evolve, emptyDirectory())
  const provide = createDataProvider({ store, directory, clock: { now: () => NOW } })
  const sourceOf = createSources(async (want, ask) => {
    const answer = await provide(want, ask)
    if (want === 'facts') given.push(...(answer as Requests['facts']['answer']).facts)
    return answer
  })
  return sourceOf({
    ...{ reportId: 'r1', kind: 'temperature', title: 'A Report', companyId: 'indus', groupId: 'indus' },
    ...{ devices: [0], groups: [], from: NOW - 30 * DAY, to: NOW, types: null, minDistance: null },
    ...{ speed: null, partOfDay: null, requestedBy: 'Schedule', requestedAt: NOW, upTo: store.log.head() },
    ...picked,
  } as RequestedOrder)
}

test('a report counts no reading that the company keeps no longer, dropped by now or not', async () => {
  const { source } = await sourceAfter({
    type: 'company.settings-changed',
    at: NOW,
    companyId: 'indus',
    data: { companyId: 'indus', retentionDays: 7 },
  })
  const firstKept = Math.floor(NOW / DAY) * DAY - 7 * DAY
  const { length, at } = await source.readings(0, NOW - 30 * DAY, NOW)
  expect(length).toBe(7)
  expect(at[0]).toBeGreaterThanOrEqual(firstKept)
  expect((await source.readings(0, NOW - 30 * DAY, NOW - 20 * DAY)).length).toBe(0)
})

test('a report names its company as it is named now', async () => {
  const { order } = await sourceAfter({
    type: 'company.settings-changed',
    at: NOW,
    companyId: 'indus',
    data: { companyId: 'indus', name: 'Ravi Foods', timeZone: 'Europe/Berlin' },
  })
  expect(order.company).toMatchObject({ name: 'Ravi Foods', timeZone: 'Europe/Berlin' })
})

test('a report on a device whose tracker was replaced has the readings of before', async () => {
  const { source } = await sourceAfter({
    type: 'device.tracker-replaced',
    at: NOW,
    companyId: 'indus',
    data: { no: 0, before: OLD_IMEI, after: NEW_IMEI },
  })
  expect(source.devices.map(({ imei }) => imei)).toEqual([NEW_IMEI])
  expect((await source.readings(0, NOW - 30 * DAY, NOW)).length).toBe(29)
})

test('a report on a group has the devices that were retired in it, also when their own group is no more', async () => {
  await store.log.append('registry', [
    group('multan', 'indus', 'indus'),
    device(1, NEW_IMEI, 'indus', 'multan'),
    group('lahore', 'indus', 'indus'),
  ])
  const devicesAfter = async (happened: NewFact, ...groups: string[]) =>
    (await sourceAfter(happened, { devices: [], groups })).source.devices.map(({ no, groupId }) => [
      no,
      groupId,
    ])
  const retired: NewFact = {
    ...{ type: 'device.retired', at: NOW, companyId: 'indus' },
    data: { no: 1, imei: NEW_IMEI },
  }
  const deleted = (groupId: string): NewFact => ({
    ...{ type: 'group.deleted', at: NOW, companyId: 'indus' },
    data: { groupId },
  })
  expect(await devicesAfter(retired, 'indus')).toEqual([
    [0, 'indus'],
    [1, 'multan'],
  ])
  expect(await devicesAfter(deleted('lahore'), 'multan')).toEqual([[1, 'multan']])
  expect(await devicesAfter(deleted('multan'), 'indus')).toEqual([
    [0, 'indus'],
    [1, 'indus'],
  ])
})

test('what people did in a span is not looked for in what was recorded long before it', async () => {
  const opened = (at: number) => violationOpened(OLD_IMEI, at, {}, 'indus')
  for (const at of [NOW, NOW + 25 * DAY, NOW + 60 * DAY]) {
    clock.at = at
    await store.log.append('violations', [opened(at)])
  }
  const seq = store.log.head()
  clock.at = NOW + 61 * DAY
  const { source } = await sourceAfter({
    ...{ type: 'notification.commented', at: clock.at, companyId: 'indus' },
    data: { notificationId: `f${seq}`, imei: OLD_IMEI, commentId: 'c1', userName: 'ayesha', comment: 'Door' },
  } as NewFact)
  given = []
  const { care } = await careOf(source, 0, NOW + 59 * DAY, NOW + 61 * DAY)
  expect(care.map(({ why }) => why)).toEqual(['Door'])
  expect(given.map(({ seq }) => seq)).toEqual([seq, seq + 1])
})
