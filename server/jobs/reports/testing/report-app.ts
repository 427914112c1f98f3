import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { alone } from '../../../cluster/alone.ts'
import { createExecute } from '../../../commands/execute.ts'
import { cancelReport, retryReport } from '../../../commands/reports/work-on-report.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { startProjecting } from '../../../read-models/read-models.ts'
import { openSqliteStore } from '../../../store/sqlite/open.ts'
import { createProgress } from '../progress.ts'
import { openReportQueue, streamOf } from '../queue.ts'
import { createReportFileFinder } from '../report-files.ts'

export const START = Date.parse('2026-11-21T04:00:00Z')
const HOUR = 3_600_000
const WORKER_MODULE = new URL('./worker.ts', import.meta.url).href

/** A store with the people and devices of the tests' company, some readings, and a queue that makes reports of them. */
export async function openReportApp({ dir = ':memory:', begins = true, patienceMs = 1e9 } = {}) {
  const uptime = { at: 0 }
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir, clock })
  const readModels = startProjecting(store)
  if (store.log.head() === 0) {
    await store.log.append('registry', twoCompanies)
    const readings = createReadings(200)
    for (let i = 0; i < 200; i++)
      pushReading(readings, { device: i % 4, at: START - HOUR + i * 10_000, temperature: 2 + (i % 60) / 10 })
    await store.telemetry.append(readings, START)
  }
  const warnings: string[] = []
  const run = createExecute({ log: store.log, readModels, clock })
  /** commands that throw, as `report.start r0` */
  const refused = new Set<string>()
  const execute: typeof run = (stream, command, decider) =>
    refused.has(`${command.type} ${(command.data as { reportId: string }).reportId}`)
      ? Promise.reject(new RangeError('not such a fact'))
      : run(stream, command, decider)
  const { files, ...cluster } = alone({ node: 'test', address: 'http://127.0.0.1', dataDir: dir })
  const progress = createProgress(cluster, readModels.directory.reports)
  const fileFinder = createReportFileFinder({
    readModels,
    clock,
    files,
    warn: (message) => warnings.push(message),
  })
  const queue = openReportQueue({
    store,
    readModels,
    execute,
    clock,
    files,
    progress,
    warn: (message) => warnings.push(message),
    module: WORKER_MODULE,
    retryMs: 1,
    patienceMs,
    lookMs: 5,
    uptime: () => uptime.at,
  })
  await readModels.settled(store.log.head())
  if (begins) queue.begin()

  const requested = (reportId: string, title: string, kind: ReportKind = 'power'): NewFact => ({
    type: 'report.requested',
    at: clock.now(),
    companyId: 'indus',
    by: 'u1',
    data: {
      ...{ reportId, groupId: 'indus', kind, title, things: [], groups: ['indus'] },
      ...{ from: START - HOUR, to: START, types: null, minDistance: null },
      ...{ requestedBy: 'Ayesha Malik', scheduleId: null, upTo: store.log.head() },
    },
  })
  return {
    clock,
    uptime,
    store,
    readModels,
    queue,
    progress,
    fileFinder,
    files,
    execute,
    refused,
    warnings,
    reports: readModels.directory.reports,
    /** asks for reports of these titles in one go; their ids are `r0`, `r1`, … */
    async request(...titles: string[]) {
      const facts = titles.map((title, i) => requested(`r${i}`, title))
      const { facts: stored } = await store.log.append(streamOf('indus'), facts)
      await readModels.settled(stored.at(-1)?.seq ?? 0)
    },
    /** asks for one report of a kind, `r0` */
    async requestOf(kind: ReportKind) {
      const { facts: stored } = await store.log.append(streamOf('indus'), [requested('r0', 'A Report', kind)])
      await readModels.settled(stored.at(-1)?.seq ?? 0)
    },
    retry: (reportId: string) =>
      execute(
        streamOf('indus'),
        { type: 'report.retry', by: 'u1', data: { reportId, upTo: readModels.seq } },
        (state, command) => retryReport(state, command, 'indus'),
      ),
    cancel: (reportId: string) =>
      execute(streamOf('indus'), { type: 'report.cancel', by: 'u1', data: { reportId } }, (state, command) =>
        cancelReport(state, command, 'indus'),
      ),
    /** what the log tells of reports, `started r0` */
    published: () =>
      store.log.readStream(streamOf('indus')).map(({ type, data }) => {
        const { reportId } = data as { reportId: string }
        return `${type.slice('report.'.length)} ${reportId}`
      }),
    async text(reportId: string) {
      return new TextDecoder().decode(await fileFinder.file(reportId, 0))
    },
    async close() {
      await queue.stop()
      readModels.stop()
      readModels.checkpoint()
      await store.close()
    },
  }
}
