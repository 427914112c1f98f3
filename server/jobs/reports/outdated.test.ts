import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import type { ReportRecord } from '#machines/projections/reports.ts'
import { makeVersion } from '../../commands/reports/versions.ts'
import { countTurns } from '../../testing/turns-of-the-loop.ts'
import { watchReports } from './outdated.ts'
import { streamOf } from './queue.ts'
import { openReportApp, START } from './testing/report-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Only looks that the test asks for. */
const BY_HAND = { lookMs: 1e8, checkpointMs: 1e8 }
/** Of the two companies' devices: 0 to 3 are of Indus, in its groups, as the reports' are. */
const INDUS = 1
const KARAKORAM = 4

type Options = Parameters<typeof openReportApp>[0]

/** @param options.failing the report of which nothing can be appended */
async function openWatched({ failing, ...options }: Options & { failing?: string } = {}) {
  const app = await openReportApp(options)
  const execute: typeof app.execute = (stream, command, decide) =>
    'reportId' in command.data && command.data.reportId === failing
      ? Promise.reject(new RangeError('Invalid time value'))
      : app.execute(stream, command, decide)
  const watch = watchReports({
    ...{ store: app.store, readModels: app.readModels, execute, clock: app.clock },
    warn: (message) => app.warnings.push(message),
    ...BY_HAND,
  })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await watch.stop()
    await app.close()
  }
  onTestFinished(close)
  return {
    ...app,
    close,
    look: watch.look,
    /** so many readings of a device, a second apart from `at` on, received now */
    async send(count: number, at: number, device = INDUS) {
      const readings = createReadings(count)
      for (let i = 0; i < count; i++) pushReading(readings, { device, at: at + i * 1000, temperature: 9 })
      const { seq } = await app.store.telemetry.append(readings, app.clock.at)
      await app.readModels.settled(seq)
    },
    /** what is said once the clock is set forward by so long */
    async publishedAfter(ms: number) {
      await watch.look()
      app.clock.at += ms
      await watch.look()
      await app.readModels.settled(app.store.log.head())
      return app.store.log
        .readFacts(0, { types: ['report.outdated'] })
        .flatMap(({ type, data }) =>
          type === 'report.outdated' ? [`${data.reportId} ${data.readings}`] : [],
        )
    },
    async makeVersion(reportId: string, ofId: string) {
      const data = { reportId, ofId, upTo: app.readModels.seq }
      await app.execute(
        streamOf('indus'),
        { type: 'report.make-version', by: 'u1', data },
        (state, command) => makeVersion(state, command, 'indus'),
      )
      await app.queue.settled()
    },
  }
}

async function made(options: Options = {}) {
  const app = await openWatched(options)
  await app.request('Power Report')
  await app.queue.settled()
  app.clock.at += 10 * MINUTE
  return app
}

test('readings that come late for a report are counted and said when no more come; version 2 holds them, version 1 stays', async () => {
  const { send, publishedAfter, makeVersion, text, reports } = await made()
  const first = await text('r0')
  await send(4, START - 30 * MINUTE)
  await send(3, START - 40 * MINUTE)
  expect(await publishedAfter(2 * MINUTE - 1)).toEqual([])
  expect(await publishedAfter(1)).toEqual(['r0 7'])
  await makeVersion('r0b', 'r0')
  expect(reports.get('r0b')).toMatchObject({ status: 'completed', version: 2, firstId: 'r0' })
  expect(await text('r0')).toBe(first)
  expect(await text('r0b')).not.toBe(first)
  // the version before is not told of any more
  await send(2, START - 20 * MINUTE)
  expect(await publishedAfter(HOUR)).toEqual(['r0 7', 'r0b 2'])
})

test('of one report of which it cannot be said operators are told once, and it is said of those after it', async () => {
  const { request, queue, clock, send, publishedAfter, warnings } = await openWatched({ failing: 'r0' })
  await request('Power Report', 'Speed Report')
  await queue.settled()
  clock.at += 10 * MINUTE
  await send(2, START - 30 * MINUTE)
  for (let look = 0; look < 2; look++) expect(await publishedAfter(2 * MINUTE)).toEqual(['r1 2'])
  expect(warnings).toEqual([
    'that readings came late cannot be said of r0, trying again in a minute: RangeError: Invalid time value',
  ])
})

test('of another span, of another company, or on time, they are none of the report', async () => {
  const { send, publishedAfter, clock } = await made()
  await send(5, START + MINUTE)
  await send(5, START - 2 * HOUR)
  await send(5, START - 30 * MINUTE, KARAKORAM)
  await send(1, clock.at)
  expect(await publishedAfter(HOUR)).toEqual([])
})

test('of a load that was under way when a temperature report begins, what came for its first days counts', async () => {
  const app = await openWatched()
  const about = { imei: '350000000000001', loadId: 'l', userName: 'Ayesha Malik' }
  const opened = (loadId: string, hours: number): NewFact => ({
    ...{ type: 'load.opened', at: START - hours * HOUR, companyId: 'indus' },
    data: { ...about, loadId, profileId: 'p', version: 1, reference: 'Lot' },
  })
  await app.store.log.append('loads', [
    opened('before', 90),
    {
      ...{ type: 'load.closed', at: START - 80 * HOUR, companyId: 'indus' },
      data: { ...about, loadId: 'before' },
    },
    opened('l', 60),
  ])
  await app.requestOf('temperature')
  await app.queue.settled()
  app.clock.at += 10 * MINUTE
  await app.send(3, START - 50 * HOUR)
  await app.send(2, START - 50 * HOUR, INDUS + 1)
  await app.send(2, START - 70 * HOUR)
  await app.send(2, START - 85 * HOUR)
  expect(await app.publishedAfter(2 * MINUTE)).toEqual(['r0 3'])
})

test.each(['status', 'silence'] as const)(
  'a report of %s is looked back for as far as its last word',
  async (kind) => {
    const app = await openWatched()
    await app.requestOf(kind)
    await app.queue.settled()
    app.clock.at += 10 * MINUTE
    await app.send(3, START - 31 * 24 * HOUR)
    await app.send(2, START - 32 * 24 * HOUR)
    expect(await app.publishedAfter(2 * MINUTE)).toEqual(['r0 3'])
  },
)

test('no reading is compared with a report whose files were dropped', async () => {
  const { send, publishedAfter, reports, clock } = await made()
  const compared = vi.fn(() => ['indus'])
  Object.defineProperty(reports.get('r0'), 'groups', { get: compared })
  await send(1, START - 30 * MINUTE)
  await publishedAfter(0)
  expect(compared).toHaveBeenCalled()
  compared.mockClear()
  clock.at += 91 * 24 * HOUR
  await send(1, START - 20 * MINUTE)
  await publishedAfter(0)
  expect(compared).not.toHaveBeenCalled()
})

test('others have their turn while many readings are compared with many reports', async () => {
  const { send, look, reports } = await made()
  const report = reports.get('r0') as ReportRecord
  for (let i = 1; i <= 200; i++) reports.set(`r${i}`, { ...report, reportId: `r${i}` })
  await send(1000, START - 30 * MINUTE)
  const turns = countTurns()
  await look()
  turns.stop()
  expect(turns.now()).toBeGreaterThan(5)
})

test('a report is said to be outdated at most once in 15 minutes, with all that came', async () => {
  const { send, publishedAfter } = await made()
  await send(1, START - 30 * MINUTE)
  expect(await publishedAfter(2 * MINUTE)).toEqual(['r0 1'])
  await send(2, START - 40 * MINUTE)
  expect(await publishedAfter(14 * MINUTE)).toEqual(['r0 1'])
  expect(await publishedAfter(MINUTE)).toEqual(['r0 1', 'r0 3'])
  expect(await publishedAfter(HOUR)).toEqual(['r0 1', 'r0 3'])
})

test('while more and more comes it is said after 15 minutes all the same', async () => {
  const { send, publishedAfter } = await made()
  for (let minute = 0; minute < 15; minute++) {
    await send(1, START - 30 * MINUTE + minute * 1000)
    expect(await publishedAfter(MINUTE)).toEqual(minute < 14 ? [] : ['r0 15'])
  }
})

test('what came while the report waited is counted, and said once its files are there', async () => {
  const { request, send, publishedAfter, queue, clock } = await openWatched({ begins: false })
  await request('Power Report')
  clock.at += 10 * MINUTE
  await send(3, START - 30 * MINUTE)
  expect(await publishedAfter(HOUR)).toEqual([])
  queue.begin()
  await queue.settled()
  expect(await publishedAfter(0)).toEqual(['r0 3'])
})

test('a restart between two of them counts each once, and says nothing twice', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-outdated-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const before = await made({ dir })
  await before.send(4, START - 30 * MINUTE)
  await before.publishedAfter(0)
  await before.close()
  const after = await openWatched({ dir })
  after.clock.at = START + 11 * MINUTE
  await after.send(3, START - 40 * MINUTE)
  expect(await after.publishedAfter(2 * MINUTE)).toEqual(['r0 7'])
  await after.close()
  const last = await openWatched({ dir })
  last.clock.at = START + HOUR
  expect(await last.publishedAfter(HOUR)).toEqual(['r0 7'])
})

test('no batch is read for it that the read models took, and the first report is watched from its request on', async () => {
  let reads = 0
  const app = await openReportApp()
  const { log } = app.store
  const counted = {
    ...log,
    read: (...args: Parameters<typeof log.read>) => {
      reads++
      return log.read(...args)
    },
  }
  const watch = watchReports({
    ...{ store: { ...app.store, log: counted }, readModels: app.readModels, execute: app.execute },
    ...{ clock: app.clock, warn: (message: string) => void app.warnings.push(message) },
    ...BY_HAND,
  })
  onTestFinished(async () => {
    await watch.stop()
    await app.close()
  })
  const send = async (at: number) => {
    const readings = createReadings(1)
    pushReading(readings, { device: INDUS, at, temperature: 9 })
    const { seq } = await app.store.telemetry.append(readings, app.clock.at)
    await app.readModels.settled(seq)
  }
  await send(START - 50 * MINUTE)
  for (let look = 0; look < 3; look++) await watch.look()
  await app.request('Power Report')
  await app.queue.settled()
  app.clock.at += 10 * MINUTE
  await send(START - 30 * MINUTE)
  await watch.look()
  app.clock.at += 3 * MINUTE
  await watch.look()
  const published = log.readFacts(0, { types: ['report.outdated'] })
  expect(published.map(({ data }) => (data as { readings: number }).readings)).toEqual([1])
  expect(reads).toBe(0)
})
