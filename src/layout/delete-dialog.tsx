import { useActor } from '@xstate/react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { confirmDeleteIn } from '../actors/confirm-delete.ts'
import { inspect } from '../actors/inspection.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'

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
    <ActionDialog
      title={title}
      keep={keep}
      word={isDeleting ? 'Deleting…' : remove}
      isDanger
      isActing={isDeleting}
      isOpen={!isDone}
      onAct={() => send({ type: 'confirm' })}
      onClose={() => send({ type: 'cancel' })}
    >
      <div className="text-ink-soft">{children}</div>
      <p role="alert" className="min-h-5 pt-2 text-dense text-error">
        {state.context.error}
      </p>
    </ActionDialog>
  )
}
