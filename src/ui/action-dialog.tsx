import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ActionDialogProps = {
  title: string
  /** on the two buttons: what leaves all as it is ('Cancel' where left out), and what is done */
  keep?: string
  word: string
  isDanger?: boolean
  /** whether it can be done: what it takes is there */
  isReady?: boolean
  /** it is being done: nothing can be pressed, what was keeps the focus, and the window stays */
  isActing?: boolean
  /** whether Enter does it at once */
  isFocused?: boolean
  isOpen?: boolean
  onAct: () => unknown
  /** it is not done, or the window is closed otherwise */
  onClose: () => void
  children: ReactNode
}

/** A window that asks before one thing is done. */
export function ActionDialog({
  title,
  keep = 'Cancel',
  word,
  isDanger = false,
  isReady = true,
  isActing = false,
  isFocused = false,
  isOpen = true,
  onAct,
  onClose,
  children,
}: ActionDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onOpenChange={(isNowOpen) => !isNowOpen && onClose()}
      isRequired={isActing}
      actions={
        <>
          <Button kind="quiet" isDisabled={isActing} onPress={onClose}>
            {keep}
          </Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            autoFocus={isFocused}
            isDisabled={!isReady}
            isPending={isActing}
            onPress={() => void onAct()}
          >
            {word}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
