import { classNames } from './class-names.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

/** The look of a button with words, for whatever element it is. */
export function buttonLook(kind: ButtonKind, className?: string): string {
  return classNames(pressable, kinds[kind], className)
}

/** The look of a square button with an icon and no words. */
export function iconButtonLook(className?: string): string {
  return classNames(
    'relative inline-flex size-control shrink-0 items-center justify-center rounded-small text-ink-soft transition-colors duration-100 hover:bg-hover hover:text-ink active:bg-hover disabled:opacity-50 aria-expanded:bg-hover aria-expanded:text-ink',
    className,
  )
}

const pressable =
  'inline-flex h-control shrink-0 items-center justify-center gap-2 rounded-small px-4 text-body font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-progress'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong',
  plain: 'bg-hover text-ink hover:bg-line active:bg-line',
  quiet: 'text-ink-soft hover:bg-hover hover:text-ink active:bg-hover',
  danger: 'bg-error-soft text-error hover:bg-error hover:text-surface active:bg-error active:text-surface',
}
