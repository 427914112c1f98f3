import { type ReactNode, useEffect, useRef } from 'react'
import { differing, type Fields, type FieldValue } from '#machines/record-form/merge.ts'
import type { RecordForm } from '../actors/record-form.ts'
import { Button } from '../ui/button.tsx'
import { ConflictDialog } from '../ui/conflict-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { focusFirstWrong } from '../ui/first-wrong.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export type RecordFormViewProps<E, F extends Fields> = {
  form: RecordForm<E, F>
  /** what it is, for the error: 'group' */
  noun: string
  /** a field in words */
  labelOf: (field: string & keyof F) => string
  /** a value in words, for the two versions of a conflict; `before`: what both began from */
  show: (field: string & keyof F, value: FieldValue) => ReactNode
  /** word on the main button, 'Save' where left out */
  saveWord?: string
  /** without Cancel: a form that stays open */
  hasNoCancel?: boolean
  /** the fields; only once they are there */
  children: (form: RecordForm<E, F> & { isDisabled: boolean }) => ReactNode
}

/**
 * The form of a record around its fields: skeleton, failure, Save and Cancel, the question before unsaved changes are
 * left, and both versions where two changed the same. The focus goes to the first wrong field.
 */
export function RecordFormView<E, F extends Fields>(props: RecordFormViewProps<E, F>) {
  const { form, noun, saveWord = 'Save', hasNoCancel = false, children } = props
  const element = useRef<HTMLFormElement>(null)
  const { refusals } = form
  useEffect(() => {
    if (refusals > 0) focusFirstWrong(element.current)
  }, [refusals])

  if (form.state === 'loading') return <FieldsToCome />
  if (form.state === 'failed')
    return (
      <ErrorState
        title={`The ${noun} could not be loaded`}
        details={form.error ?? undefined}
        action={<Button onPress={form.retry}>Try again</Button>}
      />
    )
  const isSaving = form.state === 'saving'
  /** nothing to save, on a page that has other things to do */
  const isIdle = hasNoCancel && !form.isDirty && !form.isNew
  return (
    <>
      <form
        ref={element}
        noValidate
        aria-busy={isSaving}
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
        className="flex min-w-0 flex-col gap-1 [&_button]:scroll-mb-20 [&_input]:scroll-mb-20"
      >
        {children({ ...form, isDisabled: isSaving })}
        {/* in sight however long the form is; what has the focus is never below it */}
        <div className="sticky bottom-0 z-1 -mb-2 flex flex-wrap items-center justify-end gap-2 bg-surface pt-1 pb-2">
          <p role="alert" className="min-h-7 min-w-0 flex-1 text-error">
            {form.error}
          </p>
          {!hasNoCancel && (
            <Button kind="quiet" isDisabled={isSaving} onPress={form.leave}>
              Cancel
            </Button>
          )}
          <Button
            type="submit"
            kind={isIdle ? 'plain' : 'primary'}
            isDisabled={!isSaving && isIdle}
            isPending={isSaving}
          >
            {isSaving ? 'Saving…' : saveWord}
          </Button>
        </div>
      </form>
      <Conflict {...props} />
      {form.state === 'asking' && <LeaveDialog onStay={form.back} onLeave={form.leaveAnyway} />}
    </>
  )
}

function Conflict<E, F extends Fields>({ form, labelOf, show }: RecordFormViewProps<E, F>) {
  const { theirs, fields, choice } = form
  if (form.state !== 'conflict' || theirs === null) return null
  const rows = differing(fields, theirs.fields).map((field) => ({
    field,
    label: labelOf(field as string & keyof F),
    mine: show(field as string & keyof F, fields[field] ?? null),
    theirs: show(field as string & keyof F, theirs.fields[field] ?? null),
  }))
  return (
    <ConflictDialog
      rows={rows}
      choice={choice}
      by={theirs.by}
      at={theirs.at === null ? undefined : <RelativeTime at={theirs.at} />}
      onChoose={form.choose}
      onSave={form.resolve}
      onBack={form.back}
    />
  )
}

function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      title="Leave without saving?"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onStay()}
      actions={
        <>
          <Button kind="danger" onPress={onLeave}>
            Leave
          </Button>
          <Button kind="primary" onPress={onStay}>
            Stay
          </Button>
        </>
      }
    >
      <p className="text-ink-soft">What you changed here has not been saved and would be lost.</p>
    </Dialog>
  )
}

/** Where a form will stand. */
export function FieldsToCome() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-6">
      {[0, 1, 2, 3].map((field) => (
        <div key={field} className="flex flex-col gap-2">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-control" />
        </div>
      ))}
    </div>
  )
}
