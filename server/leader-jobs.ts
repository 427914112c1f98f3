import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#machines/contracts/clock.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'
import type { Env } from './config/config.ts'
import type { Core } from './core.ts'
import type { Budgets } from './evaluation/budgets/budgets.ts'
import type { EvaluatorOptions } from './evaluation/evaluation.ts'
import { EVALUATOR_CHECKPOINT, type Evaluator, startEvaluator } from './evaluation/evaluator.ts'
import { type Releasing, startReleasing } from './ingest/release-held.ts'
import { startPublishingExhausted } from './jobs/budgets/publish-exhausted.ts'
import { type KeepingFrames, startKeepingFrames } from './jobs/frames/keep-frames.ts'
import { type Notifier, openNotifier } from './jobs/notifier/notifier.ts'
import { watchReports } from './jobs/reports/outdated.ts'
import { openReportQueue, type ReportQueue, type ReportQueueOptions } from './jobs/reports/queue.ts'
import type { ReportFileFinder } from './jobs/reports/report-files.ts'
import { startRetention } from './jobs/retention/retention.ts'
import { type Scheduler, startScheduler } from './jobs/schedules/scheduler.ts'
import { createDailyHead } from './jobs/seals/daily-head.ts'
import { type Sealing, type SealingOptions, startSealing } from './jobs/seals/sealing.ts'
import { findingWords } from './jobs/seals/verify-log.ts'
import { type SealWalk, startSealWalk } from './jobs/seals/walk.ts'
import { startEndingShelvings } from './jobs/shelvings/end-shelvings.ts'
import type { SimulatorPart } from './ports.ts'
import { keptSince } from './read-models/kept-since.ts'

/** What is done once among several nodes, by the one that leads, beside serving. */
export type LeaderJobs = {
  evaluator: Evaluator
  notifier: Notifier
  sealing: Sealing
  sealWalk: SealWalk
  /** ends all of it at once; resolves when what was under way is over */
  stop(): Promise<void>
}

export type LeaderParts = {
  env: Env
  publicUrl: string
  clock: Clock
  core: Core
  budgets: Budgets
  reports: Pick<ReportQueueOptions, 'files' | 'progress'> & { reportFiles: ReportFileFinder }
  sealing: Pick<SealingOptions, 'place' | 'term'>
  /** undefined without a simulator */
  simulation: Pick<SimulatorPart, 'lead'> | undefined
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** What helps where the record is not what was signed, for whoever reads the log. */
const SEAL_REMEDY = 'npm run admin verify-log names all of it; a backup from before has what was signed'

/** What has been started, to be ended all at once. */
type Started = { ends: (() => Promise<void>)[]; ending: Promise<unknown> | undefined }

/**
 * Evaluates, makes reports, runs schedules, sends, and lets the simulator play. Whoever led before may have left any of it
 * half done: each goes on from the record.
 * @param over ends it, also before it has quite begun; then it rejects
 */
export async function startLeaderJobs(parts: LeaderParts, over: AbortSignal): Promise<LeaderJobs> {
  const started: Started = { ends: [], ending: undefined }
  const stop = () => stopAll(started)
  over.addEventListener('abort', () => void stop())
  try {
    return { ...(await startEach(parts, started, over)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startEach(
  parts: LeaderParts,
  started: Started,
  over: AbortSignal,
): Promise<Omit<LeaderJobs, 'stop'>> {
  const { core, simulation: simulator } = parts
  // where the leader before was when it last saved, and all that was appended since
  await core.store.checkpoints.caughtUp()
  await core.readModels.settled(await core.store.log.caughtUp())
  over.throwIfAborted()
  const leading = simulator?.lead()
  const evaluatorClock = leading?.evaluatorClock ?? parts.clock
  const releasing = startReleasingHeld(parts, started, evaluatorClock)
  const evaluator = await startEvaluating(parts, started, {
    clock: evaluatorClock,
    recordFrom: leading?.recordFrom ?? 0,
  })
  over.throwIfAborted()
  const { queue, notifier, scheduler, frames, sealing, sealWalk } = startJobs(parts, started)
  const simulation = await leading?.start({ evaluator, releasing, scheduler, notifier, frames }, over)
  if (simulation) started.ends.push(simulation.stop)
  over.throwIfAborted()
  // nobody was there to be notified of what opened while a simulated world came to its start
  notifier.startAlerts()
  // what was before the start can be requested from here on
  queue.begin()
  return { evaluator, notifier, sealing, sealWalk }
}

function startReleasingHeld({ core, log }: LeaderParts, { ends }: Started, clock: Clock): Releasing {
  const { store, ingest } = core
  const { directory } = core.readModels
  const releasing = startReleasing({
    store,
    ingest,
    clock,
    warn: (message) => log.warn(message),
    patience(no) {
      const device = directory.devices[no]
      const company = device && directory.companies.get(device.companyId)
      return company && company.patienceSeconds * 1000
    },
  })
  ends.push(releasing.stop)
  return releasing
}

async function startEvaluating(
  { core, log }: LeaderParts,
  { ends }: Started,
  by: Pick<EvaluatorOptions, 'clock' | 'recordFrom'>,
): Promise<Evaluator> {
  const { store, ingest } = core
  const warn = (message: string): void => log.warn(message)
  const { directory } = core.readModels
  const evaluator = await startEvaluator({
    ...{ store, ...by, isQuiet: ingest.isQuiet, warn },
    keptSince: (companyId, now) => keptSince(directory, companyId, now),
  })
  ends.push(evaluator.stop, core.join(evaluator))
  // without a first one the store would not know that somebody still needs what it tidies away
  if (store.checkpoints.load(EVALUATOR_CHECKPOINT) === undefined) evaluator.checkpoint()
  return evaluator
}

function startJobs(
  parts: LeaderParts,
  { ends }: Started,
): Pick<LeaderJobs, 'notifier' | 'sealing' | 'sealWalk'> & {
  queue: ReportQueue
  scheduler: Scheduler
  frames: KeepingFrames
} {
  const { clock, core, reports, log } = parts
  const { store, readModels, access } = core
  const warn = (message: string): void => log.warn(message)
  const shared = { readModels, execute: core.execute, clock, warn }
  const queue = openReportQueue({ ...shared, ...reports, store })
  ends.push(queue.stop)
  ends.push(watchReports({ ...shared, store }).stop)
  const { emailLinks: links, downloadLinks: reportLinks, mailLinks } = access
  const reportFile = reports.reportFiles.file
  const notifier = openNotifier({
    ...parts,
    store,
    readModels,
    links,
    reportLinks,
    mailLinks,
    reportFile,
    warn,
  })
  ends.push(notifier.stop)
  const scheduler = startScheduler(shared)
  ends.push(scheduler.stop)
  const { directory } = readModels
  ends.push(startRetention({ directory, telemetry: store.telemetry, aside: store.aside, clock, warn }).stop)
  ends.push(startEndingShelvings(shared).stop)
  ends.push(startPublishingExhausted({ ...shared, budgets: parts.budgets }).stop)
  const frames = startKeepingFrames({ ...shared, store, retentionDays: RETENTION_DAYS })
  ends.push(frames.stop)
  const sealing = startSealing({
    ...parts.sealing,
    ...{ store, readModels, clock, warn },
    onHead: createDailyHead(store.log, readModels.directory, parts.env.sealHeadTo),
  })
  const sealWalk = startSealWalk({
    record: store,
    onFinding: (finding) => log.error({ seal: finding }, `${findingWords(finding)}. ${SEAL_REMEDY}`),
  })
  ends.push(sealing.stop, sealWalk.stop)
  return { queue, notifier, scheduler, frames, sealing, sealWalk }
}

/** What is started while the rest already ends is ended by the next call. */
async function stopAll(started: Started): Promise<void> {
  started.ending = Promise.all([started.ending, ...started.ends.splice(0).map((end) => end())])
  await started.ending
}
