import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'

export type IconButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  /** what it does, in words: read out, and shown by a Tooltip around it */
  'aria-label': string
  children: ReactNode
  className?: string
}

/** A square button with an icon and no words. Works as a trigger of menus, popovers and tooltips. */
export function IconButton({ className, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      className={classNames(
        'relative inline-flex size-control shrink-0 items-center justify-center rounded-small text-ink-soft transition-colors duration-100 data-hovered:bg-hover data-hovered:text-ink data-pressed:bg-hover disabled:opacity-50 aria-expanded:bg-hover aria-expanded:text-ink',
        className,
      )}
    />
  )
}
