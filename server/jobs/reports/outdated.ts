import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import { ON_TIME } from '#machines/contracts/readings.ts'
import { membersOf } from '#machines/projections/report-members.ts'
import { newestVersions, type ReportRecord } from '#machines/projections/reports.ts'
import type { Execute } from '../../commands/execute.ts'
import { dueFrom, mayBeOutdated, outdateReport } from '../../commands/reports/versions.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { followLog, type LogFollower, loadCheckpoint, saveCheckpoint } from '../../store/log-follower.ts'
import type { LogRecord, Store } from '../../store/store.ts'
import { streamOf } from './queue.ts'

export type OutdatedReports = {
  /** counts all there is and says what is due; resolves when that is stored */
  look(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  execute: Execute
  clock: Clock
  /** for operators */
  warn(message: string): void
  /** real ms between two looks (1,000) and two checkpoints (60,000) */
  lookMs?: number
  checkpointMs?: number
}

/** It is said when nothing late came for so long, and at the latest so long after the first; ms as it was received. */
const QUIET = 120_000
const LONGEST_WAIT = 15 * 60_000
const RECORDS_A_STEP = 50
const CHECKPOINT = { name: 'outdated-reports', shape: 1 }

/** Readings that came late for a report after `base`, a position of the log; `first`, `last`: when, epoch ms. */
type Count = { base: number; readings: number; first: number; last: number }

type Watch = {
  readonly options: Options
  readonly follower: LogFollower
  /** by report */
  readonly counts: Map<string, Count>
  savedAt: number
  /** up to where read models were at the last look */
  lookedAt: number
  isStopped: boolean
  looking: Promise<void> | undefined
}

/**
 * Says of reports that readings came late which they do not hold. It counts them along the log, by position: what is counted is
 * saved with where it is, so whoever goes on, after a restart or on another node, says the same and says it once.
 */
export function watchReports(options: Options): OutdatedReports {
  const { store, lookMs = 1_000, checkpointMs = 60_000 } = options
  const saved = loadCheckpoint<{ counts: [string, Count][] }>(store.checkpoints, CHECKPOINT)
  const after = saved?.seq ?? store.log.head()
  const watch: Watch = {
    options,
    follower: followLog(store.log, { after, recordsAStep: RECORDS_A_STEP }),
    counts: new Map(saved?.counts),
    savedAt: -1,
    lookedAt: 0,
    isStopped: false,
    looking: undefined,
  }
  checkpoint(watch)
  const look = (): Promise<void> => {
    watch.looking ??= lookNow(watch)
      .catch((error: unknown) =>
        options.warn(`that reports are outdated is not said yet, retrying: ${String(error)}`),
      )
      .finally(() => {
        watch.looking = undefined
      })
    return watch.looking
  }
  const looking = setInterval(() => void look(), lookMs).unref()
  const saving = setInterval(() => checkpoint(watch), checkpointMs).unref()
  return {
    look,
    async stop() {
      clearInterval(looking)
      clearInterval(saving)
      watch.isStopped = true
      await watch.looking
      checkpoint(watch)
      watch.follower.stop()
    },
  }
}

async function lookNow(watch: Watch): Promise<void> {
  const { follower, options } = watch
  const { directory, seq } = options.readModels
  const before = watch.lookedAt
  watch.lookedAt = seq
  if (directory.reports.size === 0) {
    // Nothing is to be read where there is no report: who asks for the first one, on another node perhaps, knows all up to the
    // look before.
    if (before > follower.seq) follower.reached(before)
    return
  }
  for (const records of follower.steps()) {
    const through = records.at(-1)?.seq ?? follower.seq
    // a report that was asked for before these readings is known when they are counted
    await options.readModels.settled(through)
    if (watch.isStopped) return
    count(watch, records)
    follower.reached(through)
    await nextTurn()
  }
  await sayDue(watch)
}

function count({ options, counts }: Watch, records: readonly LogRecord[]): void {
  const { directory } = options.readModels
  const late = records.flatMap((record) => (record.kind === 'readings' ? lateRows(record) : []))
  if (late.length === 0) return
  const [from, to] = [Math.min(...late.map(({ at }) => at)), Math.max(...late.map(({ at }) => at))]
  const newest = newestVersions(directory.reports)
  for (const report of newest.values()) {
    if (report.from > to || report.to <= from || report.status === 'failed') continue
    const base = baseOf(report)
    const isOf = membersOf(directory, report)
    for (const { no, at, seq, receivedAt } of late) {
      if (seq <= base || at < report.from || at >= report.to || !isOf(no)) continue
      const known = counts.get(report.reportId)
      if (known?.base === base) {
        known.readings++
        known.last = receivedAt
      } else counts.set(report.reportId, { base, readings: 1, first: receivedAt, last: receivedAt })
    }
  }
}

type LateRow = { no: number; at: number; seq: number; receivedAt: number }

function lateRows({ readings, recordedAt, seq }: LogRecord & { kind: 'readings' }): LateRow[] {
  const rows: LateRow[] = []
  for (let row = 0; row < readings.length; row++) {
    const at = readings.at[row] as number
    if (recordedAt - at > ON_TIME)
      rows.push({ no: readings.device[row] as number, at, seq, receivedAt: recordedAt })
  }
  return rows
}

/** What came up to here a report holds, or was said of it. */
const baseOf = ({ upTo, outdated }: ReportRecord): number => Math.max(upTo, outdated?.upTo ?? 0)

async function sayDue({ counts, options, follower, isStopped }: Watch): Promise<void> {
  if (counts.size === 0) return
  const { readModels, execute, clock } = options
  const { reports } = readModels.directory
  const newest = newestVersions(reports)
  for (const [reportId, { base, readings, first, last }] of counts) {
    if (isStopped) return
    const now = clock.now()
    const report = reports.get(reportId)
    if (report?.status === 'requested' || report?.status === 'pending') continue
    if (report === undefined || base !== baseOf(report) || !mayBeOutdated(report, newest, now)) {
      counts.delete(reportId)
      continue
    }
    // received times go back where the clock is set back
    const isDue = now - last >= QUIET || now - first >= LONGEST_WAIT || now < first
    if (!isDue || now < dueFrom(report)) continue
    const data = { reportId, readings, upTo: follower.seq }
    await execute(streamOf(report.companyId), { type: 'report.outdate', by: null, data }, outdateReport)
    counts.delete(reportId)
  }
}

function checkpoint(watch: Watch): void {
  const { follower, counts, options } = watch
  if (watch.savedAt === follower.seq) return
  if (saveCheckpoint(options.store.checkpoints, CHECKPOINT, { counts: [...counts] }, follower.seq))
    watch.savedAt = follower.seq
}
