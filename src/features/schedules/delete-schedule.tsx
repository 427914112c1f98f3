import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { useRoot } from '../../actors/use-root.ts'
import { DeleteDialog } from '../../layout/delete-dialog.tsx'

export type DeleteScheduleProps = { id: string; onDeleted: () => void; onClose: () => void }

/** The question before a schedule is deleted. */
export function DeleteSchedule({ id, onDeleted, onClose }: DeleteScheduleProps) {
  const { http, toasts } = useRoot()
  return (
    <DeleteDialog
      id={id}
      title="Delete Report Schedule?"
      words={['No', 'Yes']}
      deleteRecord={(_, options) => http.ask(REPORT_CALLS.deleteSchedule, { params: { id } }, options)}
      onDeleted={() => {
        toasts.success('Report Schedule Deleted')
        onDeleted()
      }}
      onClose={onClose}
    >
      Do you want to delete this report schedule ?
    </DeleteDialog>
  )
}
