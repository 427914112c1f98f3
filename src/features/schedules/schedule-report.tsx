import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { useScheduleForm } from '../../actors/schedule-form.ts'
import { useChanges } from '../../actors/use-changes.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleTable } from './schedule-table.tsx'

/** `/scheduleReport`: reports that come by themselves, by e-mail. */
export default function ScheduleReport() {
  const { user } = useSignedIn()
  const { answer, failure, ask } = useKeptAnswer(REPORT_CALLS.schedules, {
    params: { companyId: user.companyId },
  })
  useChanges('schedules', ask)
  const form = useScheduleForm(ask)

  return (
    <Page title="Schedule Report" description="Reports that come by themselves, by e-mail.">
      <ScheduleForm form={form} />
      <Panel title="Scheduled Reports">
        {failure && answer && (
          <p role="status" className="flex items-center gap-2 px-4 text-dense text-ink-soft">
            <span>This list could not be brought up to date.</span>
            <Button kind="quiet" onPress={ask}>
              Try again
            </Button>
          </p>
        )}
        {answer === undefined ? (
          failure ? (
            <ErrorState
              title="The scheduled reports could not be loaded"
              details={failure.message}
              action={<Button onPress={ask}>Try again</Button>}
            />
          ) : (
            <SkeletonRows rows={4} className="px-1" />
          )
        ) : answer.length === 0 ? (
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
        )}
      </Panel>
      <DeleteSchedule form={form} />
    </Page>
  )
}
