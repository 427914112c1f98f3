import type { ScheduleFormState } from '../../actors/schedule-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The question before a schedule is deleted. While it is being deleted it stays, and a refusal is shown in it. */
export function DeleteSchedule({ form: { state, error, deleteIt, keepIt } }: { form: ScheduleFormState }) {
  const isDeleting = state === 'deleting'
  return (
    <Dialog
      title="Delete Report Schedule?"
      isOpen={isDeleting || state === 'confirmingDelete'}
      onOpenChange={(isOpen) => !isOpen && keepIt()}
      isRequired={isDeleting}
      actions={
        <>
          <Button kind="quiet" isDisabled={isDeleting} onPress={keepIt}>
            No
          </Button>
          <Button kind="danger" isDisabled={isDeleting} isPending={isDeleting} onPress={deleteIt}>
            {isDeleting ? 'Deleting…' : 'Yes'}
          </Button>
        </>
      }
    >
      <p className="text-ink-soft">Do you want to delete this report schedule ?</p>
      <p role="alert" className="min-h-5 pt-2 text-dense text-error">
        {error}
      </p>
    </Dialog>
  )
}
