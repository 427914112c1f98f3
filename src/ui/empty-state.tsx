import type { ReactNode } from 'react'

export type EmptyStateProps = {
  /** the documents' text, letter for letter, where they have one */
  title: string
  /** why it is empty and what the next step is */
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
}

/** Nothing to show, said as a sentence with a next step. Fills and centres in its place. */
export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
      {icon && (
        <div className="flex size-12 items-center justify-center rounded-full bg-hover text-ink-faint">
          {icon}
        </div>
      )}
      <p className="font-semibold text-body">{title}</p>
      {children && <div className="max-w-96 text-ink-soft">{children}</div>}
      {action}
    </div>
  )
}
