import type { ReactNode } from 'react'
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover'
import { classNames } from './class-names.ts'

export type PopoverProps = Omit<AriaPopoverProps, 'className' | 'style' | 'children'> & {
  children: ReactNode
  className?: string
}

/** A panel that hangs from what opened it. A button's own is a PopUp. */
export function Popover({ className, offset = 6, ...props }: PopoverProps) {
  return (
    <AriaPopover
      {...props}
      offset={offset}
      className={classNames('floating floating-apart flex max-w-[calc(100vw-16px)] flex-col', className)}
    />
  )
}
