import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { type ButtonKind, buttonLook } from './button-look.ts'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style'> & {
  kind?: ButtonKind
  className?: string
}

/** A button with words. `primary` once a screen; `danger` for what cannot be taken back. */
export function Button({ kind = 'plain', className, ...props }: ButtonProps) {
  return <AriaButton {...props} className={buttonLook(kind, className)} />
}
