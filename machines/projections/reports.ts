import type { MadeFile, ReportStatus } from '../contracts/entities/reports.ts'
import type { Fact, FactData } from '../contracts/facts.ts'

type Requested = FactData<'report.requested'>

/** A report from its request on. */
export type ReportRecord = Requested & {
  companyId: string
  /** numbers of the devices that were picked, whatever their trackers: of all versions those of the first */
  devices: readonly number[]
  /** the user who asked; null: the server, or a schedule */
  by: string | null
  requestedAt: number
  status: ReportStatus
  /** how often it was begun since it was put in line, and when last; 0: never */
  starts: number
  startedAt: number
  /** ms that making it took in all */
  took: number
  /** when it was completed or failed last; 0: never */
  endedAt: number
  /** why it failed last */
  reason: string | null
  /** by whom it was cancelled, by the name they had then */
  cancelledBy?: string
  /** none until it is completed */
  files: readonly MadeFile[]
  completedAt: number | null
  /** `seq` of what put it in line: the request, or the last retry */
  queued: number
  /** readings that came late after what it is made of, up to `upTo`; `at`: when that was said last */
  outdated?: { readings: number; upTo: number; at: number }
}

/** By id, in order of their requests. */
export type Reports = Map<string, ReportRecord>

/** Files are kept so long, by the server's clock: as long as readings are. */
export const FILE_KEPT_MS = 90 * 86_400_000
export const FILE_DROPPED = 'The file was dropped after 90 days'
export const FILE_DAMAGED = 'The file is damaged or missing on the server: request the report again'

/**
 * One over the same devices as its schedule had last, as its first version, or as the company's newest of so many that was picked by
 * hand has the same lists of them: they are long.
 */
export function foldRequested(
  { reports, newestReports }: { reports: Reports; newestReports: Map<string, string> },
  data: Requested,
  devices: readonly number[],
  { at, by, companyId, seq }: Pick<Fact, 'at' | 'by' | 'companyId' | 'seq'>,
): void {
  const { reportId, scheduleId, firstId, things } = data
  const likely = scheduleId ?? `${companyId} ${things.length}`
  const first = reports.get(firstId ?? '')
  const before = first ?? reports.get(newestReports.get(likely) ?? '')
  if (first === undefined) newestReports.set(likely, reportId)
  reports.set(reportId, {
    ...data,
    things: sameList(before?.things, things),
    companyId: companyId ?? '',
    devices: first?.devices ?? sameList(before?.devices, devices),
    by: by ?? null,
    requestedAt: at,
    status: 'requested',
    starts: 0,
    startedAt: 0,
    took: 0,
    endedAt: 0,
    reason: null,
    files: [],
    completedAt: null,
    queued: seq,
  })
}

/** `known` where it has the same in it as `list`. */
const sameList = <T, L extends readonly T[]>(known: L | undefined, list: L): L =>
  known?.length === list.length && known.every((one, i) => one === list[i]) ? known : list

export const foldStarted = (reports: Reports, { reportId }: FactData<'report.started'>, at: number): void =>
  change(reports, reportId, (report) => ({ status: 'pending', starts: report.starts + 1, startedAt: at }))

export const foldCompleted = (
  reports: Reports,
  { reportId, files }: FactData<'report.completed'>,
  at: number,
): void =>
  change(reports, reportId, (report) => ({
    ...endedAt(report, at),
    ...{ status: 'completed', reason: null, files, completedAt: at },
  }))

/** The time it took counts for whose turn it is, as that of a completed one. */
export const foldFailed = (
  reports: Reports,
  { reportId, reason }: FactData<'report.failed'>,
  at: number,
): void => change(reports, reportId, (report) => ({ ...endedAt(report, at), status: 'failed', reason }))

/** What was made of one that was being made counts for whose turn it is. */
export const foldCancelled = (
  reports: Reports,
  { reportId, cancelledBy }: FactData<'report.cancelled'>,
  at: number,
): void =>
  change(reports, reportId, (report) => ({
    ...(report.status === 'pending' && endedAt(report, at)),
    ...{ status: 'cancelled', cancelledBy },
  }))

const endedAt = ({ took, startedAt }: ReportRecord, at: number) => ({
  took: took + Math.max(0, at - startedAt),
  endedAt: at,
})

/** It is made as if it were asked for anew. @param seq of this fact: the report waits behind all that were asked for before */
export const foldRetried = (
  reports: Reports,
  { reportId, upTo }: FactData<'report.retried'>,
  seq: number,
): void =>
  change(reports, reportId, () => ({ status: 'requested', starts: 0, reason: null, upTo, queued: seq }))

/** Its files stay: they are what was made then. */
export const foldOutdated = (
  reports: Reports,
  { reportId, readings, upTo }: FactData<'report.outdated'>,
  at: number,
): void => change(reports, reportId, () => ({ outdated: { readings, upTo, at } }))

/** Which version of a report it is, from 1 on. */
export const versionOf = ({ version }: ReportRecord): number => version ?? 1

/** Answers of a report which version of it is the newest there is now, but for those that were cancelled. */
export function newestVersion(reports: Reports): (report: ReportRecord) => ReportRecord {
  const later = new Map<string, ReportRecord>()
  for (const report of reports.values())
    if (report.firstId !== undefined && report.status !== 'cancelled') later.set(report.firstId, report)
  return (report) => later.get(firstIdOf(report)) ?? report
}

/** The id that all versions of a report have in common: that of the first. */
export const firstIdOf = ({ reportId, firstId }: ReportRecord): string => firstId ?? reportId

/** What was asked for in a group that is deleted is in the log of the group above from then on. */
export function foldReportsUp(reports: Reports, groupId: string, parentId: string | null): void {
  if (parentId === null) return
  for (const report of reports.values()) if (report.groupId === groupId) report.groupId = parentId
}

/** What was made within so long counts for whose turn it is, ms. */
const TURN_SPAN = 3_600_000
/** Of a range up to so long a report is a small one, ms. */
const SMALL_RANGE = 2 * 86_400_000
/** A large one that waited so long is behind no small one any more, ms. */
const LONG_WAIT = 600_000

/**
 * Those not finished yet, in line: the one being made first, then in rounds. Each company has one report a round, and in a
 * company each person. Within a round small ones come before large ones, then those of the company for which less time
 * was spent lately, then the oldest.
 * @param now the server's clock, epoch ms
 */
export function inLine(reports: Reports, now: number): ReportRecord[] {
  const waiting = waitingIn(reports)
  if (waiting.length < 2) return waiting
  const spent = timeSpent(reports, now)
  const isLarge = (report: ReportRecord): boolean =>
    report.to - report.from > SMALL_RANGE && now - report.requestedAt < LONG_WAIT
  const before = (a: ReportRecord, b: ReportRecord): number =>
    Number(isLarge(a)) - Number(isLarge(b)) ||
    (spent.get(a.companyId) ?? 0) - (spent.get(b.companyId) ?? 0) ||
    a.queued - b.queued
  const made = waiting.filter(({ status }) => status === 'pending')
  const others = waiting.filter(({ status }) => status === 'requested').sort((a, b) => a.queued - b.queued)
  const byPerson = inRounds(
    others,
    (report) => `${report.companyId} ${report.by ?? report.scheduleId}`,
    before,
  )
  return [...made, ...inRounds(byPerson, ({ companyId }) => companyId, before)]
}

/** Those not finished yet, oldest first. */
export function waitingIn(reports: Reports): ReportRecord[] {
  const waiting: ReportRecord[] = []
  for (const report of reports.values()) if (isWaiting(report)) waiting.push(report)
  return waiting
}

/** Requested or being made: not over. */
export const isWaiting = ({ status }: ReportRecord): boolean => status === 'requested' || status === 'pending'

/** The first of each, in order, then the second of each, and so on. What is given is in order for each already. */
function inRounds(
  reports: readonly ReportRecord[],
  whose: (report: ReportRecord) => string,
  before: (a: ReportRecord, b: ReportRecord) => number,
): ReportRecord[] {
  const had = new Map<string, number>()
  const rounds: ReportRecord[][] = []
  for (const report of reports) {
    const round = had.get(whose(report)) ?? 0
    had.set(whose(report), round + 1)
    rounds[round] ??= []
    rounds[round].push(report)
  }
  return rounds.flatMap((round) => round.sort(before))
}

/** Ms that were spent on each company's reports lately. */
function timeSpent(reports: Reports, now: number): Map<string, number> {
  const spent = new Map<string, number>()
  for (const { companyId, took, endedAt } of reports.values())
    if (endedAt > now - TURN_SPAN) spent.set(companyId, (spent.get(companyId) ?? 0) + took)
  return spent
}

/** Whether the files of a report are there at an instant. */
export const hasFiles = ({ completedAt }: ReportRecord, now: number): boolean =>
  completedAt !== null && now - completedAt < FILE_KEPT_MS

function change(
  reports: Reports,
  reportId: string,
  to: (report: ReportRecord) => Partial<ReportRecord>,
): void {
  const report = reports.get(reportId)
  if (report) Object.assign(report, to(report))
}
