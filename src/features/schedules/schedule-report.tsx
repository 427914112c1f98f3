import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { useScheduleForm } from '../../actors/schedule-form.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleTable } from './schedule-table.tsx'

/** `/scheduleReport`: reports that come by themselves, by e-mail. */
export default function ScheduleReport() {
  const { user } = useSignedIn()
  const { answer, failure, ask } = useKeptAnswer(
    REPORT_CALLS.schedules,
    { params: { companyId: user.companyId } },
    { changes: ['schedules'] },
  )
  const form = useScheduleForm(ask, answer)

  return (
    <Page title="Schedule Report" description="Reports that come by themselves, by e-mail.">
      <ScheduleForm form={form} />
      <Panel title="Scheduled Reports">
        <KeptList
          what="The scheduled reports"
          isThere={answer !== undefined}
          failure={failure}
          onRetry={ask}
          skeletonRows={4}
        >
          {() =>
            answer === undefined || answer.length === 0 ? (
              <EmptyState title="No scheduled report added yet">
                Fill in the form above and press Save: the report then comes by itself.
              </EmptyState>
            ) : (
              <ScheduleTable
                schedules={answer}
                editing={form.editing}
                onEdit={form.edit}
                onDelete={form.askToDelete}
              />
            )
          }
        </KeptList>
      </Panel>
      <DeleteSchedule form={form} />
    </Page>
  )
}
