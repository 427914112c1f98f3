import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

export type DialogProps = {
  title: string
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** the rest of the page's answer is awaited: Escape and the ground do not close it */
  isRequired?: boolean
  /** a press beside it closes it; not where it opens under a press that may be a double one */
  closesBeside?: boolean
  /** what can be done, at the foot; the main one last */
  actions?: ReactNode
  children: ReactNode
  className?: string
}

/** A window over the page. Escape and a press beside it close it, unless it is required. On a desk its head stays where it is: what comes later does not move what is about to be pressed. */
export function Dialog({
  title,
  isRequired = false,
  closesBeside = true,
  actions,
  children,
  className,
  ...state
}: DialogProps) {
  return (
    <ModalOverlay
      {...state}
      isDismissable={closesBeside && !isRequired}
      isKeyboardDismissDisabled={isRequired}
      className="fixed inset-x-0 top-0 z-50 flex h-(--visual-viewport-height) items-end justify-center bg-veil p-2 transition-opacity duration-150 tablet:items-start tablet:pt-[10vh] data-entering:opacity-0 data-exiting:opacity-0"
    >
      <Modal className={classNames('floating max-h-full w-full max-w-110 overflow-auto', className)}>
        <AriaDialog className="flex flex-col outline-none">
          {({ close }) => (
            <>
              <div className="flex items-center gap-4 py-3 pr-3 pl-5">
                <Heading slot="title" className="flex-1 font-semibold text-title">
                  {title}
                </Heading>
                {!isRequired && (
                  <IconButton aria-label="Close" onPress={close}>
                    <X size={18} aria-hidden />
                  </IconButton>
                )}
              </div>
              <div className="px-5 pb-5">{children}</div>
              {actions && <div className="flex flex-wrap justify-end gap-2 px-5 pb-5">{actions}</div>}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
