import type { ReportStatus } from '../contracts/entities/reports.ts'
import type { Fact, FactData, MadeFile } from '../contracts/facts.ts'

type Requested = FactData<'report.requested'>

/** A report from its request on. */
export type ReportRecord = Requested & {
  companyId: string
  /** the user who asked; null: the server, or a schedule */
  by: string | null
  requestedAt: number
  status: ReportStatus
  /** how often it was begun since it was put in line */
  starts: number
  /** why it failed last */
  reason: string | null
  /** none until it is completed */
  files: readonly MadeFile[]
  completedAt: number | null
  /** `seq` of what put it in line: the request, or the last retry */
  queued: number
}

/** By id, in order of their requests. */
export type Reports = Map<string, ReportRecord>

/** Files are kept so long, by the server's clock: as long as readings are. */
export const FILE_KEPT_MS = 90 * 86_400_000
export const FILE_DROPPED = 'The file was dropped after 90 days'

export function foldRequested(
  reports: Reports,
  data: Requested,
  { at, by, companyId, seq }: Pick<Fact, 'at' | 'by' | 'companyId' | 'seq'>,
): void {
  reports.set(data.reportId, {
    ...data,
    companyId: companyId ?? '',
    by: by ?? null,
    requestedAt: at,
    status: 'requested',
    starts: 0,
    reason: null,
    files: [],
    completedAt: null,
    queued: seq,
  })
}

export const foldStarted = (reports: Reports, { reportId }: FactData<'report.started'>): void =>
  change(reports, reportId, { status: 'pending', starts: (reports.get(reportId)?.starts ?? 0) + 1 })

export const foldCompleted = (
  reports: Reports,
  { reportId, files }: FactData<'report.completed'>,
  at: number,
): void => change(reports, reportId, { status: 'completed', reason: null, files, completedAt: at })

export const foldFailed = (reports: Reports, { reportId, reason }: FactData<'report.failed'>): void =>
  change(reports, reportId, { status: 'failed', reason })

export const foldRetried = (
  reports: Reports,
  { reportId, upTo }: FactData<'report.retried'>,
  seq: number,
): void => change(reports, reportId, { status: 'requested', starts: 0, reason: null, upTo, queued: seq })

/** What was asked for in a group that is deleted is in the log of the group above from then on. */
export function foldReportsUp(reports: Reports, groupId: string, parentId: string | null): void {
  if (parentId === null) return
  for (const report of reports.values()) if (report.groupId === groupId) report.groupId = parentId
}

/** Those not finished yet, in line: the one being made first, then oldest first. */
export const inLine = (reports: Reports): ReportRecord[] =>
  [...reports.values()]
    .filter(({ status }) => status === 'requested' || status === 'pending')
    .sort((a, b) => Number(b.status === 'pending') - Number(a.status === 'pending') || a.queued - b.queued)

/** Whether the files of a report are there at an instant. */
export const hasFiles = ({ completedAt }: ReportRecord, now: number): boolean =>
  completedAt !== null && now - completedAt < FILE_KEPT_MS

function change(reports: Reports, reportId: string, to: Partial<ReportRecord>): void {
  const report = reports.get(reportId)
  if (report) Object.assign(report, to)
}
