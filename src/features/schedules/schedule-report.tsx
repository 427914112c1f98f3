import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { useOpenSchedule } from '../../actors/schedule-form.ts'
import { useKeptRecord } from '../../actors/use-drafts.ts'
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
  const { id, turn, open, close } = useOpenSchedule()
  const [leaving, setLeaving] = useKeptRecord('leaving', idOf, (wanted) =>
    answer?.find((schedule) => schedule._id === wanted),
  )

  return (
    <Page title="Schedule Report" description="Reports that come by themselves, by e-mail.">
      <ScheduleForm key={turn} id={id} isOpened={turn > 0} schedules={answer} onSaved={ask} onClose={close} />
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
              <ScheduleTable schedules={answer} editing={id} onEdit={open} onDelete={setLeaving} />
            )
          }
        </KeptList>
      </Panel>
      {leaving && (
        <DeleteSchedule
          id={leaving._id}
          onDeleted={() => {
            ask()
            // there is nothing left to change
            if (leaving._id === id) close()
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </Page>
  )
}

const idOf = ({ _id }: ReportSchedule) => _id
