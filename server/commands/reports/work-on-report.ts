import { transition } from 'xstate'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import type { ReportRecord } from '#machines/projections/reports.ts'
import { type ReportEmitted, type ReportEvent, reportMachine } from '#machines/report/report.machine.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { addressed } from '../schedules/scheduled-mail.ts'
import { nameOf, refusedForMany } from './request-report.ts'

/** Its turn has come; one that was cut off is begun again, which is a fact again. */
export const startReport = ({ reports }: Directory, { at, data }: CommandOf<'report.start'>): Decision =>
  decidedBy(reports.get(data.reportId), { type: 'start', at })

/** The file is there: those to whom a schedule mails it are each to get it, while there is that schedule. */
export function completeReport(directory: Directory, { at, data }: CommandOf<'report.complete'>): Decision {
  const { reportId, files } = data
  const { reports, schedules } = directory
  const report = reports.get(reportId)
  const { facts: emitted } = decidedBy(report, { type: 'complete', at, files })
  const facts = emitted.map((fact) => withNames(directory, report, fact))
  const schedule = report?.scheduleId == null ? undefined : schedules.get(report.scheduleId)
  if (facts.length === 0 || report === undefined || schedule === undefined) return decided(...facts)
  return decided(...facts, ...addressed(directory, schedule, reportId, at))
}

/** What is said beside the files is read by whoever holds a sealed one and has nothing else. */
function withNames({ companies }: Directory, report: ReportRecord | undefined, fact: NewFact): NewFact {
  if (fact.type !== 'report.completed' || report === undefined) return fact
  const { title, companyId, version, firstId } = report
  const timeZone = companies.get(companyId)?.timeZone
  const later = version !== undefined && firstId !== undefined && { version, firstId }
  return { ...fact, data: { ...fact.data, title, ...(timeZone && { timeZone }), ...later } }
}

/** No facts where it is not being made any more. `reason` is read by whoever requested it. */
export const failReport = ({ reports }: Directory, { at, data }: CommandOf<'report.fail'>): Decision =>
  decidedBy(reports.get(data.reportId), { type: 'fail', at, reason: data.reason })

/** Somebody wants a report that failed made once more. `topId`: the requester's top group. */
export function retryReport(
  directory: Directory,
  { at, by, data }: CommandOf<'report.retry'>,
  topId: string,
): Decision {
  const report = directory.reports.get(data.reportId)
  if (report === undefined || !isWithin(directory, report.groupId, topId)) return refuse(404, NOT_FOUND)
  const decision = decidedBy(report, { type: 'retry', at, upTo: data.upTo }, by)
  if (decision.facts.length === 0) return refuse(409, 'Only a report that failed can be made again')
  return refusedForMany(directory, report.companyId) ?? decision
}

/** Nobody wants a report any more that waits or is being made. `topId`: the requester's top group. */
export function cancelReport(
  directory: Directory,
  { at, by, data }: CommandOf<'report.cancel'>,
  topId: string,
): Decision {
  const report = directory.reports.get(data.reportId)
  if (report === undefined || !isWithin(directory, report.groupId, topId)) return refuse(404, NOT_FOUND)
  const decision = decidedBy(report, { type: 'cancel', at, cancelledBy: nameOf(directory, by) }, by)
  return decision.facts.length > 0 ? decision : refuse(409, overBy(report))
}

const overBy = ({ status, cancelledBy }: ReportRecord): string => {
  if (cancelledBy !== undefined) return `The report was cancelled by ${cancelledBy} already`
  return `The report ${status === 'failed' ? 'has failed' : 'is completed'} already`
}

/** The facts the machine emits, about this report. */
function decidedBy(report: ReportRecord | undefined, event: ReportEvent, by: string | null = null): Decision {
  if (report === undefined) return refuse(404, NOT_FOUND)
  const { reportId, companyId, status, reason } = report
  const before = reportMachine.resolveState({ value: status, context: { progress: 0, reason } })
  const [, actions] = transition(reportMachine, before, event)
  const facts = (actions as readonly { type: string; params?: unknown }[]).flatMap(
    ({ type, params }): NewFact[] => {
      if (type !== 'xstate.emit') return []
      const { event } = params as { event: ReportEmitted }
      const fact = { ...event, companyId, ...(by !== null && { by }), data: { ...event.data, reportId } }
      return [fact as NewFact]
    },
  )
  return decided(...facts)
}
