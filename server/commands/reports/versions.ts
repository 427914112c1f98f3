import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import {
  firstIdOf,
  hasFiles,
  newestVersion,
  type ReportRecord,
  versionOf,
} from '#machines/projections/reports.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { nameOf, refusedForMore } from './request-report.ts'

/** That a report is outdated is said no more often than this, ms. */
export const OUTDATED_EVERY = 15 * 60_000

/** Readings came that a report does not hold: it is said of its newest version, while its files are there. */
export function outdateReport(
  { reports }: Directory,
  { at, data: { reportId, readings, upTo } }: CommandOf<'report.outdate'>,
): Decision {
  const report = reports.get(reportId)
  if (report === undefined || readings === 0 || !mayBeOutdated(report, newestVersion(reports), at))
    return decided()
  const { outdated, companyId } = report
  if (upTo <= (outdated?.upTo ?? report.upTo) || at < dueFrom(report)) return decided()
  const data = { reportId, readings: readings + (outdated?.readings ?? 0), upTo }
  return decided({ type: 'report.outdated', at, companyId, data })
}

/** Whether a report is there to be outdated, of all versions the newest. */
export const mayBeOutdated = (
  report: ReportRecord,
  newest: ReturnType<typeof newestVersion>,
  now: number,
): boolean => hasFiles(report, now) && newest(report) === report

/** From when on a report may be said to be outdated (again), epoch ms. */
export const dueFrom = ({ outdated }: ReportRecord): number =>
  outdated === undefined ? Number.NEGATIVE_INFINITY : outdated.at + OUTDATED_EVERY

/**
 * Somebody wants a report once more, with the readings that came later: the same request, of what the log holds now. It is made
 * once: `nextVersionOf` answers which, where there is one. `topId`: the requester's top group.
 */
export function makeVersion(
  directory: Directory,
  command: CommandOf<'report.make-version'>,
  topId: string,
): Decision {
  const { reportId, ofId, upTo } = command.data
  const report = directory.reports.get(ofId)
  if (report === undefined || !isWithin(directory, report.groupId, topId)) return refuse(404, NOT_FOUND)
  if (nextVersionOf(directory, ofId) !== undefined) return decided()
  if (report.outdated === undefined) return refuse(409, 'No readings came later: this version has them all')
  const tooMany = refusedForMore(directory, report.companyId, report.things.length, command.at)
  if (tooMany) return tooMany
  const { groupId, kind, title, things, groups, from, to, types, minDistance } = report
  const { speed, startTime, endTime, notificationId } = report
  return decided({
    ...originOf(command, report.companyId),
    type: 'report.requested',
    data: {
      ...{ reportId, groupId, kind, title, things, groups, from, to, types, minDistance },
      ...(speed !== undefined && { speed }),
      ...(notificationId !== undefined && { notificationId }),
      ...(startTime !== undefined && { startTime }),
      ...(endTime !== undefined && { endTime }),
      requestedBy: nameOf(directory, command.by),
      scheduleId: report.scheduleId,
      upTo,
      version: versionOf(report) + 1,
      firstId: firstIdOf(report),
    },
  })
}

/** The version that was made after a report, or is to be; undefined: it is the newest. */
export function nextVersionOf({ reports }: Directory, reportId: string): ReportRecord | undefined {
  const report = reports.get(reportId)
  if (report === undefined) return undefined
  const next = [...reports.values()].filter((one) => firstIdOf(one) === firstIdOf(report))
  return next.find((one) => versionOf(one) === versionOf(report) + 1 && one.status !== 'cancelled')
}
