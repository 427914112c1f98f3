import { useScheduleForm } from '../../actors/schedule-form.ts'
import { useSchedules } from '../../actors/schedules.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleTable } from './schedule-table.tsx'

/** `/scheduleReport`: reports that come by themselves, by e-mail. */
export default function ScheduleReport() {
  const listed = useSchedules()
  const { rows, hasMore, isLoadingMore, loadMore, failure, ask } = listed
  const form = useScheduleForm(listed)

  return (
    <Page title="Schedule Report" description="Reports that come by themselves, by e-mail.">
      <ScheduleForm form={form} />
      <Panel title="Scheduled Reports">
        <KeptList
          what="The scheduled reports"
          isThere={rows !== undefined}
          failure={failure}
          onRetry={ask}
          skeletonRows={4}
        >
          {() =>
            rows === undefined || rows.length === 0 ? (
              <EmptyState title="No scheduled report added yet">
                Fill in the form above and press Save: the report then comes by itself.
              </EmptyState>
            ) : (
              <>
                <ScheduleTable
                  schedules={rows}
                  editing={form.editing}
                  onEdit={form.edit}
                  onDelete={form.askToDelete}
                />
                {hasMore && <LoadMore isLoading={isLoadingMore} onPress={loadMore} />}
              </>
            )
          }
        </KeptList>
      </Panel>
      <DeleteSchedule form={form} />
    </Page>
  )
}
