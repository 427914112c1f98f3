import { useEffect } from 'react'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { useOpenSchedule } from '../../actors/schedule-form.ts'
import { useSchedules } from '../../actors/schedules.ts'
import { useKeptRecord } from '../../actors/use-drafts.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleTable } from './schedule-table.tsx'

/** `/scheduleReport`: reports that come by themselves, by e-mail. */
export default function ScheduleReport() {
  const { rows, hasMore, isLoadingMore, loadMore, failure, ask } = useSchedules()
  const { id, turn, open, close } = useOpenSchedule()
  const find = (wanted: string) => rows?.find(({ _id }) => _id === wanted)
  const [leaving, setLeaving] = useKeptRecord('leaving', idOf, find)
  // one that was in the form before the page had to go may be further down
  const isSought = id !== null && hasMore && find(id) === undefined
  useEffect(() => {
    if (isSought && !isLoadingMore && failure === null) loadMore()
  }, [isSought, isLoadingMore, failure, loadMore])

  return (
    <Page title="Schedule Report" description="Reports that come by themselves, by e-mail.">
      <ScheduleForm
        key={turn}
        id={id}
        isOpened={turn > 0}
        schedules={rows}
        isSought={isSought}
        onSaved={ask}
        onClose={close}
      />
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
                <ScheduleTable schedules={rows} editing={id} onEdit={open} onDelete={setLeaving} />
                {hasMore && <LoadMore isLoading={isLoadingMore} onPress={loadMore} />}
              </>
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
