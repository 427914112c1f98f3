import type { CommandData } from '#machines/contracts/commands.ts'
import type { ReportRecord } from '#machines/projections/reports.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { newId } from '../../commands/repeatable.ts'
import { requestReport, sameAs } from '../../commands/reports/request-report.ts'
import { streamOf } from '../../jobs/reports/queue.ts'
import type { HttpContext } from './context.ts'
import { refusal } from './refusals.ts'

/** Requests an address has a minute: each may be half a minute of work. */
export const REQUEST_LIMIT = { perMinute: 600 }
/** The documents' words, which the portal's dialog has too. */
export const ACCEPTED = 'Your report is being generated. Please check log section.'

type Selection = { things: string[]; groups: string[]; startDate: number; endDate: number }
type Further = Partial<
  Pick<CommandData<'report.request'>, 'types' | 'minDistance' | 'speed' | 'geofences' | 'notificationId'>
>

/** Asks for a report in the log of a group, of what the record holds now; asked for twice within seconds, it is one. */
export function createReportRequests({ execute, readModels }: Pick<HttpContext, 'execute' | 'readModels'>) {
  return async (
    visitor: Visitor,
    groupId: string,
    reportType: string,
    { things, groups, startDate, endDate }: Selection,
    { types = null, minDistance = null, geofences = [], speed, notificationId }: Further = {},
  ): Promise<{ _id: string; message: string }> => {
    const data = {
      ...{ reportId: newId('r'), groupId, reportType, things, groups },
      ...{ from: startDate, to: endDate, types, minDistance, geofences, upTo: readModels.seq },
      ...(speed !== undefined && { speed }),
      ...(notificationId !== undefined && { notificationId }),
    }
    let same: ReportRecord | undefined
    const { refused } = await execute(
      streamOf(visitor.companyId),
      { type: 'report.request', by: visitor.userId, data },
      (state, command) => {
        same = sameAs(state, command)
        return requestReport(state, command, visitor.groupId)
      },
    )
    if (refused) throw refusal(refused)
    return { _id: same?.reportId ?? data.reportId, message: ACCEPTED }
  }
}
