import { useEffect, useRef } from 'react'
import type { ScheduleFormState } from '../../actors/schedule-form.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { ExtraFields } from './extra-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'

/** The form of a schedule: a new one, or the one that was picked from the list. */
export function ScheduleForm({ form }: { form: ScheduleFormState }) {
  const element = useRef<HTMLFormElement>(null)
  const { refusals, editing, error } = form
  const isSaving = form.state === 'saving'
  const isNew = editing === null
  useEffect(() => {
    if (refusals > 0) focusFirstWrong(element.current)
  }, [refusals])
  useEffect(() => {
    // the list is below the form, and may be long
    if (editing !== null) element.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
    if (editing !== null) element.current?.querySelector<HTMLElement>(CHANGEABLE)?.focus()
  }, [editing])

  return (
    <Panel title={isNew ? 'New schedule' : 'Change of a schedule'}>
      <form
        ref={element}
        noValidate
        aria-label={isNew ? 'New schedule' : 'Change of a schedule'}
        aria-busy={isSaving}
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
        className="flex min-w-0 flex-col gap-1 px-4 pb-4"
      >
        <ScheduleFields form={form} isDisabled={isSaving} />
        <ExtraFields form={form} isDisabled={isSaving} />
        <div role="alert" className="min-h-5">
          {error !== null && form.state !== 'confirmingDelete' && (
            <p className="text-error">
              The schedule is not saved: {error}{' '}
              <span className="text-ink-soft">What you chose is still here.</span>
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2">
          {!isNew && (
            <Button kind="quiet" isDisabled={isSaving} onPress={form.cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" kind="primary" isDisabled={isSaving} isPending={isSaving}>
            {isSaving ? 'Saving…' : isNew ? 'Save' : 'Update'}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
/** groups and vehicles of a schedule stay what they are */
const CHANGEABLE = 'button:not([disabled]), input:not([disabled])'
