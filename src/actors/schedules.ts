import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { useRoot, useSignedIn } from './use-root.ts'
import { type Rows, useRows } from './use-rows.ts'

/** The schedules of the company as far as the visitor sees them, oldest first. */
export function useSchedules(): Rows<ReportSchedule> {
  const { http } = useRoot()
  const { companyId } = useSignedIn().user
  return useRows(
    (query, options) => http.ask(REPORT_CALLS.schedules, { params: { companyId }, query }, options),
    ['schedules'],
  )
}
