import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export type ErrorStateProps = {
  /** what happened */
  title?: string
  /** to what, and what to do */
  children?: ReactNode
  /** the bare error, folded away */
  details?: string | undefined
  action?: ReactNode
}

/** Something failed: what, to what, what to do, with the bare error behind "Details". */
export function ErrorState({ title = 'Something went wrong', children, details, action }: ErrorStateProps) {
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
      <div className="flex size-12 items-center justify-center rounded-full bg-error-soft text-error">
        <TriangleAlert size={22} aria-hidden />
      </div>
      <p className="font-semibold text-body">{title}</p>
      {children && <div className="max-w-96 text-ink-soft">{children}</div>}
      {details && (
        <details className="max-w-full text-left text-dense text-ink-soft">
          <summary className="cursor-pointer text-center">Details</summary>
          <pre className="mt-2 max-h-60 max-w-160 overflow-auto rounded-panel bg-sunken p-3 whitespace-pre-wrap">
            {details}
          </pre>
        </details>
      )}
      {action}
    </div>
  )
}
