import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { iconButtonLook } from './button-look.ts'

export type IconButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  /** what it does, in words: read out, and shown by a Tooltip around it */
  'aria-label': string
  children: ReactNode
  className?: string
}

/** A square button with an icon and no words. Works as a trigger of menus, popovers and tooltips. */
export function IconButton({ className, ...props }: IconButtonProps) {
  return <AriaButton {...props} className={iconButtonLook(className)} />
}
