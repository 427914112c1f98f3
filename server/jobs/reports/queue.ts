import { createHash } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { MadeFile } from '#machines/contracts/facts.ts'
import { hasFiles, inLine, type ReportRecord } from '#machines/projections/reports.ts'
import type { Execute } from '../../commands/execute.ts'
import { completeReport, failReport, startReport } from '../../commands/reports/work-on-report.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { fileNameOf, type ReportFiles } from '../../store/report-files.ts'
import type { Store } from '../../store/store.ts'
import { createDataProvider } from './data-provider.ts'
import { ReportFault, type ReportFile } from './order.ts'
import type { ReportProgress } from './progress.ts'
import { createReportWorker } from './worker.ts'
import type { RequestedOrder } from './worker-messages.ts'

export type ReportQueue = {
  /** begins to work; until then reports wait in line */
  begin(): void
  /** resolves when nothing is in line */
  settled(): Promise<void>
  stats(): { waiting: number; completed: number; failed: number }
  /** cuts off what is being made; the next start begins it again */
  stop(): Promise<void>
}

export type ReportQueueOptions = {
  store: Pick<Store, 'log' | 'telemetry'>
  readModels: ReadModels
  execute: Execute
  clock: Clock
  files: ReportFiles
  progress: Pick<ReportProgress, 'note'>
  /** for whoever runs the house */
  warn(message: string): void
  /** address of a module with `makeFiles`; the real one where left out */
  maker?: string
}

/** The thread is kept so long for the next report, real time. */
const IDLE_MS = 30_000
const SWEEP_EVERY_MS = 3_600_000
const RETRY_MS = 1_000
/** One that the house did not live through so often is given up: it may be what ends the house. */
const MOST_STARTS = 5
const OFTEN_CUT_OFF = 'It was begun five times and never finished, as the house ended each time'
const OURS = 'Something went wrong while it was made'

/**
 * Reports in line: oldest first, one at a time, whoever asked. What becomes of each is a fact, so a start knows what is
 * left to do; one that was cut off is begun again, of the same position of the log, and told once.
 */
export function openReportQueue({
  store,
  readModels,
  execute,
  clock,
  files,
  progress,
  warn,
  maker: module,
}: ReportQueueOptions): ReportQueue {
  const { reports } = readModels.directory
  const maker = createReportWorker(createDataProvider(store), module)
  const stopping = new AbortController()
  const told = { completed: 0, failed: 0 }
  let making: { reportId: string; done: number } | undefined
  let working: Promise<void> | undefined
  let idling: ReturnType<typeof setTimeout> | undefined

  const unfollow = readModels.onAdvance(({ facts }) => {
    if (facts.some(({ type }) => type === 'report.requested' || type === 'report.retried')) wake()
  })
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref()
  let isOpen = false
  holdOldest()
  sweep()

  function wake(): void {
    holdOldest()
    if (!isOpen || stopping.signal.aborted) return
    clearTimeout(idling)
    working ??= work()
      .catch((error: unknown) =>
        warn(`no reports are made until the next one is asked for: ${String(error)}`),
      )
      .finally(() => {
        working = undefined
        making = undefined
        progress.note(undefined)
        idling = setTimeout(() => void maker.rest(), IDLE_MS).unref()
      })
  }

  /** What came in after the oldest in line was asked for must be told from what came before. */
  function holdOldest(): void {
    const waiting = inLine(reports)
    store.telemetry.hold(waiting.length === 0 ? undefined : Math.min(...waiting.map(({ upTo }) => upTo)))
  }

  async function work(): Promise<void> {
    for (;;) {
      const [next] = inLine(reports)
      if (next === undefined || stopping.signal.aborted) return
      await workOn(next)
      holdOldest()
    }
  }

  async function workOn(report: ReportRecord): Promise<void> {
    const { reportId } = report
    making = { reportId, done: 0 }
    progress.note(reportId)
    if (report.starts >= MOST_STARTS) {
      await decide(report, 'report.fail', { reportId, reason: OFTEN_CUT_OFF }, failReport)
      told.failed++
      return
    }
    await decide(report, 'report.start', { reportId }, startReport)
    let made: MadeFile[]
    try {
      const found = await maker.make(orderOf(report), (done) => advance(report, done), stopping.signal)
      made = await keep(reportId, found)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (!(error instanceof ReportFault)) warn(`report ${reportId} failed: ${detailOf(error)}`)
      const reason = (error instanceof ReportFault ? error.message : OURS).slice(0, 200)
      await decide(report, 'report.fail', { reportId, reason }, failReport)
      told.failed++
      return
    }
    await decide(report, 'report.complete', { reportId, files: made }, completeReport)
    told.completed++
  }

  /** As often as it takes: a store that cannot write now may soon. */
  async function decide(
    { companyId }: ReportRecord,
    ...[type, data, decider]:
      | ['report.start', { reportId: string }, typeof startReport]
      | ['report.fail', { reportId: string; reason: string }, typeof failReport]
      | ['report.complete', { reportId: string; files: MadeFile[] }, typeof completeReport]
  ): Promise<void> {
    for (;;) {
      try {
        await execute(streamOf(companyId), { type, by: null, data } as never, decider as never)
        return
      } catch (error) {
        if (stopping.signal.aborted) throw error
        warn(`what became of a report cannot be told now: ${String(error)}`)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  function advance(report: ReportRecord, done: number): void {
    if (making?.reportId !== report.reportId || !(done > making.done)) return
    making.done = Math.min(1, done)
    progress.note(report.reportId, making.done)
  }

  async function keep(reportId: string, found: ReportFile[]): Promise<MadeFile[]> {
    for (const [n, { bytes }] of found.entries()) await files.put(fileNameOf(reportId, n), bytes)
    return found.map(({ bytes, fileName, contentType }) => ({
      fileName,
      contentType,
      bytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }))
  }

  /** Removes what is out of its time, and what a power cut left of a file that was being written. */
  function sweep(): void {
    const now = clock.now()
    void files
      .names()
      .then(async (names) => {
        for (const name of names) {
          const report = reports.get(name.split('.')[0] ?? '')
          const isOver = report === undefined || report.status === 'completed'
          if (isOver && !(report && hasFiles(report, now))) await files.remove(name)
        }
      })
      .catch((error: unknown) => warn(`old reports are not removed: ${String(error)}`))
  }

  return {
    begin() {
      isOpen = true
      wake()
    },
    async settled() {
      await readModels.settled(store.log.head())
      while (working) await working
    },
    stats: () => ({ ...told, waiting: inLine(reports).length }),
    async stop() {
      unfollow()
      clearInterval(sweeping)
      stopping.abort(new Error('the house stops'))
      await working
      clearTimeout(idling)
      await maker.rest()
    },
  }
}

/** Reports of a company are decided on one after the other. */
export const streamOf = (companyId: string): string => `reports-${companyId}`

function orderOf(report: ReportRecord): RequestedOrder {
  const { reportId, kind, title, companyId, groupId, things, groups, from, to } = report
  const { types, minDistance, speed, startTime, endTime, requestedBy, requestedAt, upTo } = report
  const isPart = startTime !== undefined && endTime !== undefined
  return {
    ...{ reportId, kind, title, companyId, groupId, things, groups, from, to },
    ...{ types, minDistance, requestedBy, requestedAt, upTo, speed: speed ?? null },
    partOfDay: isPart ? { startTime, endTime } : null,
  }
}

const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
