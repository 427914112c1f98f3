import type { ReactNode } from 'react'

type FieldFrameProps = {
  /** of the field: its label is `id-label`, what is wrong `id-message` */
  id: string
  label: string
  message: string | undefined
  children: ReactNode
}

/** What stands around a field of a form: its label above, below it a line for what is wrong, which is always there. */
export function FieldFrame({ id, label, message, children }: FieldFrameProps) {
  const isInvalid = message !== undefined
  return (
    <div data-invalid={isInvalid || undefined} className="group/field flex min-w-0 flex-col">
      <span id={`${id}-label`} className="pb-1 font-medium text-dense text-ink-soft">
        {label}
      </span>
      {children}
      <div
        id={`${id}-message`}
        role={isInvalid ? 'alert' : undefined}
        className="min-h-7 pt-1 text-dense text-error"
      >
        {message}
      </div>
    </div>
  )
}
