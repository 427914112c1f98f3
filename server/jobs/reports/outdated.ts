import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import { ON_TIME } from '#machines/contracts/readings.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { membersOf } from '#machines/projections/report-members.ts'
import { hasFiles, isWaiting, newestVersion, type ReportRecord } from '#machines/projections/reports.ts'
import type { Execute } from '../../commands/execute.ts'
import { dueFrom, mayBeOutdated, outdateReport } from '../../commands/reports/versions.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { followLog, type LogFollower, loadCheckpoint, saveCheckpoint } from '../../store/log-follower.ts'
import type { BatchRecord, LogRecord, Store } from '../../store/store.ts'
import { type Attempts, createAttempts } from '../attempts.ts'
import { LOOK_BACK_DAYS } from './contents/last-word.ts'
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
const DAY = 86_400_000
/** Readings are compared with reports so often before others have their turn: some milliseconds. */
const COMPARED_A_BREATH = 20_000
const CHECKPOINT = { name: 'outdated-reports', shape: 1 }

/** Readings that came late for a report after `base`, a position of the log; `first`, `last`: when, epoch ms. */
type Count = { base: number; readings: number; first: number; last: number }

type Watch = {
  readonly options: Options
  /** what was in the record before this began is read from it, up to `from` */
  readonly before: LogFollower
  readonly from: number
  /** what came late since, as the read models took it: no batch is read for this once more */
  heard: { through: number; rows: LateRow[] }[]
  /** all up to here is counted */
  seq: number
  /** what comes after `seq` is counted of some reports, and not yet of others */
  isCounting: boolean
  /** by report */
  readonly counts: Map<string, Count>
  readonly attempts: Attempts
  savedAt: number
  /** up to where read models were at the last look */
  lookedAt: number
  isStopped: boolean
  looking: Promise<void> | undefined
}

/**
 * Says of reports that readings came late which they do not hold. It counts them along the log, by position, as the read models
 * take it, so that no batch is read twice: what is counted is saved with where it is, so whoever goes on, after a restart or on another node, says the same and says it once.
 */
export function watchReports(options: Options): OutdatedReports {
  const { store, lookMs = 1_000, checkpointMs = 60_000 } = options
  const saved = loadCheckpoint<{ counts: [string, Count][] }>(store.checkpoints, CHECKPOINT)
  const after = saved?.seq ?? store.log.head()
  const watch: Watch = {
    options,
    before: followLog(store.log, { after, recordsAStep: RECORDS_A_STEP }),
    from: options.readModels.seq,
    heard: [],
    seq: after,
    isCounting: false,
    counts: new Map(saved?.counts),
    attempts: createAttempts({ what: 'that readings came late', warn: options.warn }),
    savedAt: -1,
    lookedAt: 0,
    isStopped: false,
    looking: undefined,
  }
  checkpoint(watch)
  const unfollow = options.readModels.onAdvance(({ to, batches }) => {
    const rows = batches.flatMap(lateRows)
    if (rows.length > 0) watch.heard.push({ through: to, rows })
  })
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
      unfollow()
      watch.isStopped = true
      await watch.looking
      checkpoint(watch)
      watch.before.stop()
    },
  }
}

async function lookNow(watch: Watch): Promise<void> {
  const { directory, seq } = watch.options.readModels
  const before = watch.lookedAt
  watch.lookedAt = seq
  if (directory.reports.size === 0) {
    // Nothing is to be counted where there is no report: who asks for the first one, on another node perhaps, knows all up to
    // the look before.
    watch.seq = Math.max(watch.seq, before)
    watch.heard = watch.heard.filter(({ through }) => through > before)
    return
  }
  await countBefore(watch)
  await countHeard(watch)
  if (!watch.isStopped) await sayDue(watch)
}

/** What was in the record before this began, and was not counted by whoever did so then. */
async function countBefore(watch: Watch): Promise<void> {
  const { before, from } = watch
  if (watch.seq >= from) return
  before.reached(watch.seq)
  for (const records of before.steps()) {
    if (watch.isStopped) return
    const theirs = records.filter(({ seq }) => seq <= from)
    await count(watch, theirs.flatMap(lateRowsOf))
    watch.seq = theirs.length < records.length ? from : (records.at(-1)?.seq ?? from)
    if (watch.seq >= from) return
    before.reached(watch.seq)
    await nextTurn()
  }
}

/** A report that was asked for before these readings is known by now: the read models took both. */
async function countHeard(watch: Watch): Promise<void> {
  for (let heard = watch.heard.splice(0); heard.length > 0; heard = watch.heard.splice(0)) {
    await count(
      watch,
      heard.flatMap(({ rows }) => rows),
    )
    watch.seq = heard.at(-1)?.through ?? watch.seq
    await nextTurn()
    if (watch.isStopped) return
  }
  watch.seq = Math.max(watch.seq, watch.options.readModels.seq)
}

/** Counts them for the reports they may be late for, one report after the other. */
async function count(watch: Watch, late: readonly LateRow[]): Promise<void> {
  const { directory } = watch.options.readModels
  if (late.length === 0) return
  const byCompany = Map.groupBy(late, ({ no }) => directory.devices[no]?.companyId)
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at } of late) [from, to] = [Math.min(from, at), Math.max(to, at)]
  const now = watch.options.clock.now()
  let compared = 0
  watch.isCounting = true
  const newest = newestVersion(directory.reports)
  for (const report of directory.reports.values()) {
    const rows = byCompany.get(report.companyId)
    if (rows === undefined || earliestOf(report) > to || report.to <= from) continue
    if (newest(report) !== report) continue
    if (!isWaiting(report) && !hasFiles(report, now)) continue
    countFor(watch, report, rows)
    compared += rows.length
    if (compared < COMPARED_A_BREATH) continue
    compared = 0
    await nextTurn()
  }
  watch.isCounting = false
}

function countFor({ options, counts }: Watch, report: ReportRecord, late: readonly LateRow[]): void {
  const { directory } = options.readModels
  const base = baseOf(report)
  const isOf = membersOf(directory, report)
  for (const { no, at, seq, receivedAt } of late) {
    if (seq <= base || at >= report.to || !isReadFor(directory, report, no, at) || !isOf(no)) continue
    const known = counts.get(report.reportId)
    if (known?.base === base) {
      known.readings++
      known.last = receivedAt
    } else counts.set(report.reportId, { base, readings: 1, first: receivedAt, last: receivedAt })
  }
}

/** The earliest reading that a report may be made of, epoch ms. */
function earliestOf({ kind, from }: ReportRecord): number {
  // of loads that were under way when it begins, from their opening on
  if (kind === 'temperature') return Number.NEGATIVE_INFINITY
  return kind === 'status' || kind === 'silence' ? from - LOOK_BACK_DAYS * DAY : from
}

/** Whether a report is made of a reading of a device that is not after its time. */
function isReadFor({ loads }: Directory, report: ReportRecord, no: number, at: number): boolean {
  if (at >= report.from || report.kind !== 'temperature') return at >= earliestOf(report)
  return (loads.ofDevice.get(no) ?? []).some((loadId) => {
    const { openedAt, closedAt } = loads.byId.get(loadId) as LoadRecord
    return openedAt <= at && (closedAt === null || closedAt > report.from)
  })
}

type LateRow = { no: number; at: number; seq: number; receivedAt: number }

const lateRowsOf = (record: LogRecord): LateRow[] => (record.kind === 'readings' ? lateRows(record) : [])

function lateRows({ readings, recordedAt, seq }: BatchRecord): LateRow[] {
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

async function sayDue(watch: Watch): Promise<void> {
  const { counts, attempts, options } = watch
  if (counts.size === 0) return
  const { readModels, execute, clock } = options
  const { reports } = readModels.directory
  const newest = newestVersion(reports)
  for (const [reportId, { base, readings, first, last }] of counts) {
    if (watch.isStopped) return
    const now = clock.now()
    const report = reports.get(reportId)
    if (report !== undefined && isWaiting(report)) continue
    if (report === undefined || base !== baseOf(report) || !mayBeOutdated(report, newest, now)) {
      counts.delete(reportId)
      continue
    }
    // received times go back where the clock is set back
    const isDue = now - last >= QUIET || now - first >= LONGEST_WAIT || now < first
    if (!isDue || now < dueFrom(report) || !attempts.mayTry(reportId)) continue
    const data = { reportId, readings, upTo: watch.seq }
    const isPublished = await attempts.attempt(reportId, () =>
      execute(streamOf(report.companyId), { type: 'report.outdate', by: null, data }, outdateReport),
    )
    if (isPublished) counts.delete(reportId)
  }
}

function checkpoint(watch: Watch): void {
  const { seq, counts, options } = watch
  if (watch.savedAt === seq || watch.isCounting) return
  if (saveCheckpoint(options.store.checkpoints, CHECKPOINT, { counts: [...counts] }, seq)) watch.savedAt = seq
}
