import { useActor } from '@xstate/react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { confirmDeleteIn } from '../actors/confirm-delete.ts'
import { inspect } from '../actors/inspection.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export type DeleteDialogProps = {
  id: string
  /** 'Delete Record?' where left out */
  title?: string
  /** on the buttons: what keeps it, and what deletes it */
  words?: readonly [keep: string, remove: string]
  /** what is deleted and what becomes of what belongs to it */
  children: ReactNode
  deleteRecord: Parameters<typeof confirmDeleteIn>[0]['deleteRecord']
  /** it is deleted: says so */
  onDeleted: () => void
  /** after either */
  onClose: () => void
}

/** The question before a record is deleted. While it deletes it stays open, and a refusal is shown in it. */
export function DeleteDialog({
  id,
  title = 'Delete Record?',
  words: [keep, remove] = ['Cancel', 'Confirm Delete'],
  children,
  onClose,
  ...effects
}: DeleteDialogProps) {
  const latest = useRef(effects)
  const machine = useMemo(
    () =>
      confirmDeleteIn({
        deleteRecord: (...given) => latest.current.deleteRecord(...given),
        announce: () => latest.current.onDeleted(),
      }),
    [],
  )
  const [state, send] = useActor(machine, { input: { id }, inspect })
  const isDeleting = state.matches('deleting')
  const isDone = state.status === 'done'
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])

  return (
    <Dialog
      title={title}
      isOpen={!isDone}
      onOpenChange={(isOpen) => !isOpen && send({ type: 'cancel' })}
      isRequired={isDeleting}
      actions={
        <>
          <Button kind="quiet" isDisabled={isDeleting} onPress={() => send({ type: 'cancel' })}>
            {keep}
          </Button>
          <Button
            kind="danger"
            isDisabled={isDeleting}
            isPending={isDeleting}
            onPress={() => send({ type: 'confirm' })}
          >
            {isDeleting ? 'Deleting…' : remove}
          </Button>
        </>
      }
    >
      <div className="text-ink-soft">{children}</div>
      <p role="alert" className="min-h-5 pt-2 text-dense text-error">
        {state.context.error}
      </p>
    </Dialog>
  )
}
