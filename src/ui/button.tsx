import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style'> & {
  kind?: ButtonKind
  className?: string
}

/** A button with words. `primary` once a screen; `danger` for what cannot be taken back. */
export function Button({ kind = 'plain', className, ...props }: ButtonProps) {
  return <AriaButton {...props} className={classNames(pressable, kinds[kind], className)} />
}

const pressable =
  'inline-flex h-control shrink-0 items-center justify-center gap-2 rounded-small px-4 text-body font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-default disabled:opacity-50 data-pending:cursor-progress'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent data-hovered:bg-accent-strong data-pressed:bg-accent-strong',
  plain: 'bg-hover text-ink data-hovered:bg-line data-pressed:bg-line',
  quiet: 'text-ink-soft data-hovered:bg-hover data-hovered:text-ink data-pressed:bg-hover',
  danger:
    'bg-hot-soft text-hot data-hovered:bg-hot data-hovered:text-surface data-pressed:bg-hot data-pressed:text-surface',
}
