import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover, type PopoverProps } from './popover.tsx'

export type PopUpWindowProps = Pick<PopoverProps, 'placement' | 'className'> & {
  label: string
  /** else it brings its own role, as a menu does */
  isDialog: boolean
  triggerRef: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}

/** The panel of a PopUp. */
export default function PopUpWindow({ label, isDialog, children, ...props }: PopUpWindowProps) {
  if (!isDialog)
    return (
      <Popover {...props} aria-label={label}>
        {children}
      </Popover>
    )
  return (
    <Popover {...props}>
      <Dialog aria-label={label} className="flex min-h-0 flex-col overflow-auto outline-none">
        {children}
      </Dialog>
    </Popover>
  )
}
