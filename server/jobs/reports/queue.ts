import type { Clock } from '#machines/contracts/clock.ts'
import type { MadeFile } from '#machines/contracts/entities/reports.ts'
import type { FactType } from '#machines/contracts/facts.ts'
import { hasFiles, inLine, type ReportRecord } from '#machines/projections/reports.ts'
import type { Execute } from '../../commands/execute.ts'
import { completeReport, failReport, startReport } from '../../commands/reports/work-on-report.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { fileNameOf, keptUntilOf, type ReportFiles } from '../../store/report-files.ts'
import { type Store, StoreUnavailable } from '../../store/store.ts'
import { type Attempts, createAttempts } from '../attempts.ts'
import { type StorePatience, untilAnswered } from '../until-answered.ts'
import { createDataProvider } from './data-provider.ts'
import { ReportFault, type ReportFile } from './order.ts'
import type { ReportProgress } from './progress.ts'
import { digestOf } from './report-files.ts'
import { createReportWorker, type ReportWorker } from './worker.ts'
import type { RequestedOrder } from './worker-messages.ts'

export type ReportQueue = {
  /** begins to work; until then reports wait */
  begin(): void
  /** resolves when no report waits but those that are left alone for a minute */
  settled(): Promise<void>
  stats(): { waiting: number; completed: number; failed: number }
  /** cuts off what is being made; the next start begins it again */
  stop(): Promise<void>
}

/** Where the store does not answer for that long a report fails: others wait, and it may answer for them. */
export type ReportQueueOptions = StorePatience & {
  store: Pick<Store, 'log' | 'telemetry'>
  readModels: ReadModels
  execute: Execute
  clock: Clock
  files: ReportFiles
  progress: Pick<ReportProgress, 'note'>
  /** for operators */
  warn(message: string): void
  /** address of a module with `makeFiles`; the real one where left out */
  module?: string
  /** real ms between two looks for reports that were left alone (10,000), and ms that only ever grow by which they are */
  lookMs?: number
  uptime?: () => number
}

/** The thread stays for the next report so long, real time. */
const IDLE_MS = 30_000
const SWEEP_EVERY_MS = 3_600_000
const RETRY_MS = 1_000
const LOOK_EVERY_MS = 10_000
/** A report that the server did not survive so often is given up: it may be what ends the server. */
const MOST_STARTS = 5
const OFTEN_CUT_OFF = 'It was begun five times and never finished, as the server ended each time'
const SERVER_FAULT = 'Something went wrong while it was made'

/** After such a fact another report may be the next, or the oldest. */
const MOVES_LINE: ReadonlySet<FactType> = new Set(['report.requested', 'report.retried', 'report.cancelled'])

type Queue = {
  readonly options: ReportQueueOptions
  readonly worker: ReportWorker
  readonly stopping: AbortController
  readonly total: { completed: number; failed: number }
  /** one of which nothing can be said is left alone for a minute */
  readonly attempts: Attempts
  isOpen: boolean
  /** the report that is being made, how far it has come, 0 to 1, and what ends it: the queue stops, or somebody cancels it */
  making:
    | {
        reportId: string
        done: number
        isWaitLogged: boolean
        cancelling: AbortController
        signal: AbortSignal
      }
    | undefined
  /** resolves when no report waits */
  working: Promise<void> | undefined
  idling: ReturnType<typeof setTimeout> | undefined
}

/**
 * Reports that wait to be made, one at a time; companies, and people in them, take turns. What becomes of each is a fact, so a
 * start knows what is left to do; one that was cut off is begun again, of the same position of the log, and completed once.
 */
export function openReportQueue(options: ReportQueueOptions): ReportQueue {
  const { store, readModels, clock } = options
  const provide = createDataProvider({ store, directory: readModels.directory, clock })
  const queue: Queue = {
    options,
    worker: createReportWorker((want, ask) => retried(queue, () => provide(want, ask)), options.module),
    stopping: new AbortController(),
    total: { completed: 0, failed: 0 },
    attempts: createAttempts({
      what: 'what became of the report',
      warn: options.warn,
      ...(options.uptime && { uptime: options.uptime }),
    }),
    isOpen: false,
    making: undefined,
    working: undefined,
    idling: undefined,
  }
  const unfollow = readModels.onAdvance(({ facts }) => {
    for (const { type, data } of facts)
      if (type === 'report.cancelled' && data.reportId === queue.making?.reportId)
        queue.making.cancelling.abort(new Error('it was cancelled'))
    if (facts.some(({ type }) => MOVES_LINE.has(type))) wake(queue)
  })
  const sweeping = setInterval(() => sweep(queue), SWEEP_EVERY_MS).unref()
  const looking = setInterval(() => {
    if (toBeTried(queue).length > 0) wake(queue)
  }, options.lookMs ?? LOOK_EVERY_MS).unref()
  holdOldest(queue)
  sweep(queue)
  return {
    begin() {
      queue.isOpen = true
      wake(queue)
    },
    async settled() {
      await readModels.settled(store.log.head())
      while (queue.working) await queue.working
    },
    stats: () => ({ ...queue.total, waiting: waitingReports(queue).length }),
    async stop() {
      unfollow()
      clearInterval(sweeping)
      clearInterval(looking)
      queue.stopping.abort(new Error('the server stops'))
      await queue.working
      clearTimeout(queue.idling)
      await queue.worker.rest()
    },
  }
}

const waitingReports = ({ options }: Queue): ReportRecord[] =>
  inLine(options.readModels.directory.reports, options.clock.now())

const toBeTried = (queue: Queue): ReportRecord[] =>
  waitingReports(queue).filter(({ reportId }) => queue.attempts.mayTry(reportId))

function wake(queue: Queue): void {
  const { options, worker } = queue
  holdOldest(queue)
  if (!queue.isOpen || queue.stopping.signal.aborted) return
  clearTimeout(queue.idling)
  queue.working ??= work(queue)
    .catch((error: unknown) => options.warn(`no reports are made until the next request: ${String(error)}`))
    .finally(() => {
      queue.working = undefined
      queue.making = undefined
      options.progress.note(undefined)
      queue.idling = setTimeout(() => void worker.rest(), IDLE_MS).unref()
    })
}

/**
 * Readings that came in after the oldest waiting report was requested must stay apart from those before. One that is left alone
 * holds nothing: it may be so for weeks, and all would stay apart.
 */
function holdOldest(queue: Queue): void {
  const waiting = toBeTried(queue)
  const oldest = waiting.length === 0 ? undefined : Math.min(...waiting.map(({ upTo }) => upTo))
  queue.options.store.telemetry.hold(oldest)
}

async function work(queue: Queue): Promise<void> {
  const { attempts, stopping } = queue
  for (;;) {
    const [next] = toBeTried(queue)
    if (next === undefined || stopping.signal.aborted) return
    await attempts.attempt(next.reportId, () =>
      workOn(queue, next).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error
      }),
    )
    holdOldest(queue)
  }
}

/** `report` is what the read models know of it: of another status once a fact says so. */
async function workOn(queue: Queue, report: ReportRecord): Promise<void> {
  const { options, worker, stopping, total } = queue
  const { reportId } = report
  const cancelling = new AbortController()
  const signal = AbortSignal.any([stopping.signal, cancelling.signal])
  queue.making = { reportId, done: 0, isWaitLogged: false, cancelling, signal }
  options.progress.note(reportId)
  if (report.starts >= MOST_STARTS) return fail(queue, report, OFTEN_CUT_OFF)
  await decide(queue, report, 'report.start', { reportId }, startReport)
  if (report.status !== 'pending') return
  try {
    const made = await worker.make(orderOf(report), (done) => advance(queue, report, done), signal)
    const files = await putFiles(queue, reportId, made)
    await decide(queue, report, 'report.complete', { reportId, files }, completeReport)
  } catch (error) {
    if (stopping.signal.aborted) return
    if (!cancelling.signal.aborted) {
      if (!(error instanceof ReportFault)) options.warn(`report ${reportId} failed: ${detailOf(error)}`)
      return fail(queue, report, error instanceof ReportFault ? error.message : SERVER_FAULT)
    }
  }
  if (cancelling.signal.aborted) await removeFiles(queue, reportId)
  else total.completed++
}

async function fail(queue: Queue, report: ReportRecord, why: string): Promise<void> {
  const { reportId } = report
  await decide(queue, report, 'report.fail', { reportId, reason: why.slice(0, 200) }, failReport)
  if (report.status === 'failed') queue.total.failed++
}

/** What was written of one that was cancelled; where that cannot be done now, `sweep` does it. */
async function removeFiles({ options: { files, warn } }: Queue, reportId: string): Promise<void> {
  try {
    for (const name of await files.names()) if (reportOf(name) === reportId) await files.remove(name)
  } catch (error) {
    warn(`files of report ${reportId}, which was cancelled, are not removed yet: ${String(error)}`)
  }
}

const reportOf = (fileName: string): string => fileName.split('.')[0] ?? ''

/** Tries again while the store cannot write. @throws what else `execute` throws, and that once the queue stops */
async function decide(
  { options, stopping }: Queue,
  { companyId }: ReportRecord,
  ...[type, data, decider]:
    | ['report.start', { reportId: string }, typeof startReport]
    | ['report.fail', { reportId: string; reason: string }, typeof failReport]
    | ['report.complete', { reportId: string; files: MadeFile[] }, typeof completeReport]
): Promise<void> {
  for (;;) {
    try {
      await options.execute(streamOf(companyId), { type, by: null, data } as never, decider as never)
      return
    } catch (error) {
      if (stopping.signal.aborted || !(error instanceof StoreUnavailable)) throw error
      options.warn(`what became of a report cannot be stored now, retrying in 1 s: ${String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, options.retryMs ?? RETRY_MS))
    }
  }
}

function advance({ making, options }: Queue, { reportId }: ReportRecord, done: number): void {
  if (making?.reportId !== reportId || !(done > making.done)) return
  making.done = Math.min(1, done)
  options.progress.note(reportId, making.done)
}

async function putFiles(queue: Queue, reportId: string, made: ReportFile[]): Promise<MadeFile[]> {
  const { files } = queue.options
  for (const [n, { bytes }] of made.entries())
    await retried(queue, () => files.put(fileNameOf(reportId, n), bytes))
  return made.map(({ bytes, fileName, contentType }) => ({
    fileName,
    contentType,
    bytes: bytes.byteLength,
    sha256: digestOf(bytes),
  }))
}

/** Operators are warned once a report that it waits. */
const retried = <T>({ options, stopping, making }: Queue, work: () => Promise<T>): Promise<T> =>
  untilAnswered(work, {
    ...options,
    signal: making?.signal ?? stopping.signal,
    onWait(error) {
      if (making?.isWaitLogged !== false) return
      making.isWaitLogged = true
      options.warn(`report ${making.reportId} waits for the store: ${String(error)}`)
    },
  })

/** Removes files that expired, and those of reports that failed or were cancelled. */
function sweep({ options }: Queue): void {
  const { files, readModels, clock, warn } = options
  const now = clock.now()
  const isOver = (name: string): boolean => {
    const keptUntil = keptUntilOf(name)
    if (keptUntil !== undefined) return keptUntil <= now
    const report = readModels.directory.reports.get(reportOf(name))
    // of one that failed after its first file was written: a retry writes all of them anew
    if (report === undefined || report.status === 'failed' || report.status === 'cancelled') return true
    return report.status === 'completed' && !hasFiles(report, now)
  }
  void files
    .names()
    .then(async (names) => {
      for (const name of names) if (isOver(name)) await files.remove(name)
    })
    .catch((error: unknown) => warn(`old report files are not removed: ${String(error)}`))
}

/** Commands about the reports of a company are executed one after the other. */
export const streamOf = (companyId: string): string => `reports-${companyId}`

function orderOf(report: ReportRecord): RequestedOrder {
  const { reportId, kind, title, companyId, groupId, devices, groups, from, to } = report
  const {
    types,
    minDistance,
    speed,
    startTime,
    endTime,
    requestedBy,
    requestedAt,
    upTo,
    version,
    notificationId,
  } = report
  const isPart = startTime !== undefined && endTime !== undefined
  return {
    ...{ reportId, kind, title, companyId, groupId, devices, groups, from, to },
    ...{ types, minDistance, requestedBy, requestedAt, upTo, speed: speed ?? null },
    partOfDay: isPart ? { startTime, endTime } : null,
    ...(version !== undefined && { version }),
    ...(notificationId !== undefined && { notificationId }),
  }
}

const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
