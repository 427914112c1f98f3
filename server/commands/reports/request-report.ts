import type { CommandOf } from '#machines/contracts/commands.ts'
import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import { LONGEST_LINE } from '#machines/contracts/scalars.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import {
  firstIdOf,
  isWaiting,
  type ReportRecord,
  versionOf,
  waitingIn,
} from '#machines/projections/reports.ts'
import { shortened } from '#machines/rules/plain-text.ts'
import { DEFAULT_MIN_DISTANCE, reportTermsFaults, termsOf } from '#machines/rules/report-interval.ts'
import { reportTypeOf } from '#machines/rules/report-types.ts'
import { SPEED } from '#machines/rules/speed-limit.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { devicesInScope, originOf } from '../structure.ts'

type Command = CommandOf<'report.request'>

/** A second press of the button, or a request that was sent anew because its answer was lost. */
const TWICE_WITHIN_MS = 10_000
const DAY = 86_400_000
/** Reports of a company that may wait at once; those of its schedules count, and are never refused. */
export const MOST_WAITING = 100
/** Reports that people of a company request within 24 hours: they are kept for good. */
export const MOST_A_DAY = 1_000
/** Devices they name one by one for these, in all. */
export const MOST_NAMED_A_DAY = 1_000_000
const OF_ONE_DEVICE = 'A proof is of one device: name it alone, and no group.'
const TOO_MANY_WAIT = `${MOST_WAITING} reports of your company wait to be made. Cancel one, or request this one when some of them are done.`
const TOO_MANY_A_DAY = `People of your company requested ${MOST_A_DAY.toLocaleString('en')} reports within 24 hours. Request this one later.`
const TOO_MANY_NAMED = `People of your company named ${MOST_NAMED_A_DAY.toLocaleString('en')} devices one by one for reports within 24 hours. Pick groups, or request this one later.`

/**
 * A report is requested, over devices and groups in the requester's scope (`topId` is their top group). Requested twice within
 * seconds, it is made once: `sameAs` answers which. A range ends now at the latest.
 */
export function requestReport(directory: Directory, command: Command, topId: string): Decision {
  const { reportId, groupId, reportType, things, groups, from, geofences, types, upTo, notificationId } =
    command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  if (!groups.every((id) => directory.groups.has(id) && isWithin(directory, id, topId)))
    return refuse(404, NOT_FOUND)
  if (devicesInScope(directory, things, topId) === undefined) return refuse(404, NOT_FOUND)

  const made = reportTypeOf(reportType)
  const timeZone = directory.companies.get(group.companyId)?.timeZone ?? 'UTC'
  const isToCome = from > command.at && from <= command.data.to
  // what is still to come of a range is left out, so it breaks no rule
  const to = isToCome ? command.data.to : Math.min(command.data.to, command.at)
  const options = optionsOf(command)
  const { minDistance, speed } = options
  // the server says what span a case has, which may be long over
  const isCase = notificationId !== undefined
  const terms = { from, to, geofences, ...(minDistance !== null && { minDistance }), speed }
  const faults = [
    ...picksFaults(command.data, made?.kind),
    ...(isCase
      ? []
      : isToCome
        ? [{ path: 'from', message: 'Start date cannot be in the future.' }]
        : reportTermsFaults(reportType, terms, command.at, timeZone)),
    ...(made === undefined || isCase !== (made.kind === 'case')
      ? [{ path: 'reportType', message: 'This report cannot be made' }]
      : []),
  ]
  if (faults.length > 0 || made === undefined) return faulty(faults)
  if (sameAs(directory, command) !== undefined) return decided()
  const tooMany = refusedForMore(directory, group.companyId, things.length, command.at)
  if (tooMany) return tooMany
  return decided({
    ...originOf(command, group.companyId),
    type: 'report.requested',
    data: {
      reportId,
      groupId,
      ...made,
      things: once(things),
      groups: once(groups),
      from,
      to: endOf(command),
      types: types && once(types),
      ...options,
      requestedBy: nameOf(directory, command.by),
      scheduleId: null,
      upTo,
      ...caseOf(directory, command),
    },
  })
}

function picksFaults({ things, groups }: Command['data'], kind: ReportKind | undefined) {
  if (things.length + groups.length === 0)
    return [{ path: 'things', message: 'Please select at least one vehicle.' }]
  const isOfOne = once(things).length === 1 && groups.length === 0
  return kind === 'proof' && !isOfOne ? [{ path: 'things', message: OF_ONE_DEVICE }] : []
}

const once = <T>(list: readonly T[]): T[] => [...new Set(list)]

/** Which violation a case is of; asked for again in the same log, it is the next version of the one there is. */
function caseOf({ reports }: Directory, { data: { notificationId, groupId } }: Command) {
  if (notificationId === undefined) return {}
  const before = [...reports.values()].findLast(
    (report) =>
      report.notificationId === notificationId && report.groupId === groupId && report.status !== 'cancelled',
  )
  if (before === undefined) return { notificationId }
  return { notificationId, version: versionOf(before) + 1, firstId: firstIdOf(before) }
}

/** The report the same person requested with the same terms some seconds ago, where it is not finished yet. */
export function sameAs({ reports }: Directory, command: Command): ReportRecord | undefined {
  const { reportType, groupId, things, groups, from, types, notificationId } = command.data
  const { minDistance, speed } = optionsOf(command)
  const made = reportTypeOf(reportType)
  const wanted = JSON.stringify([
    groupId,
    made?.kind,
    made?.title,
    once(things),
    once(groups),
    from,
    types && once(types),
    minDistance,
    speed,
    notificationId,
  ])
  for (const report of [...reports.values()].reverse()) {
    if (command.at - report.requestedAt > TWICE_WITHIN_MS) return undefined
    // the end was cut at the instant of the request, where it was not over
    const isSameEnd = report.to === endOf(command) || report.to === report.requestedAt
    if (isWaiting(report) && report.by === command.by && isSameEnd && termsKey(report) === wanted)
      return report
  }
  return undefined
}

/** Where too many reports of a company wait already. */
export const refusedForMany = ({ reports }: Directory, companyId: string): Decision | undefined =>
  waitingIn(reports).filter((report) => report.companyId === companyId).length >= MOST_WAITING
    ? refuse(429, TOO_MANY_WAIT)
    : undefined

/** Where a company may not request another report over so many devices, groups aside, now. @param now epoch ms */
export function refusedForMore(
  directory: Directory,
  companyId: string,
  devices: number,
  now: number,
): Decision | undefined {
  const tooMany = refusedForMany(directory, companyId)
  if (tooMany) return tooMany
  let [lately, named] = [0, 0]
  for (const report of directory.reports.values()) {
    if (report.companyId !== companyId || report.by === null || report.requestedAt <= now - DAY) continue
    lately++
    named += report.things.length
  }
  if (lately >= MOST_A_DAY) return refuse(429, TOO_MANY_A_DAY)
  return devices > 0 && named + devices > MOST_NAMED_A_DAY ? refuse(429, TOO_MANY_NAMED) : undefined
}

/** What its type is requested with, the standard where nothing was given. */
function optionsOf({ data: { reportType, minDistance, speed } }: Command) {
  const { hasMinDistance, hasSpeed } = termsOf(reportType)
  return {
    minDistance: minDistance ?? (hasMinDistance ? DEFAULT_MIN_DISTANCE : null),
    ...(hasSpeed && { speed: speed ?? SPEED.standard }),
  }
}

/** Both ends of a range as people pick it are part of it; what is still to come is not. */
const endOf = ({ at, data }: Command): number => Math.min(data.to + 1, at)

const termsKey = (report: ReportRecord): string => {
  const { groupId, kind, title, things, groups, from, types, minDistance, speed, notificationId } = report
  return JSON.stringify([
    ...[groupId, kind, title, things, groups, from, types, minDistance, speed, notificationId],
  ])
}

/** Who asks, by the name they have now, as long as the record takes it. */
export function nameOf({ users }: Directory, userId: string | null): string {
  const user = userId === null ? undefined : users.get(userId)
  if (user === undefined) return 'Frostline'
  return shortened(`${user.firstName} ${user.lastName}`.trim() || user.userName, LONGEST_LINE)
}
