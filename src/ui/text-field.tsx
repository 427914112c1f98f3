import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type TextFieldProps = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'style' | 'onChange' | 'id' | 'children' | 'disabled'
> & {
  label: string
  onChange?: (value: string) => void
  /** what is wrong, in the documents' words; the field is invalid while it is there */
  message?: string | undefined
  /** shown on the message's line while nothing is wrong */
  hint?: string
  /** stands inside the field, at its end */
  trailing?: ReactNode
  isDisabled?: boolean
  className?: string
}

/**
 * A line of text with its label; the rest is as a plain input has it. The line for its message is always there:
 * a layout that shifts on blur swallows the press on the button below.
 */
export function TextField({
  label,
  onChange,
  message,
  hint,
  trailing,
  isDisabled = false,
  className,
  ...input
}: TextFieldProps) {
  const id = useId()
  const isInvalid = message !== undefined
  const description = message ?? hint
  return (
    <div data-invalid={isInvalid || undefined} className={classNames('group/field flex flex-col', className)}>
      <label htmlFor={id} className="pb-1 font-medium text-dense text-ink-soft">
        {label}
      </label>
      <div className={fieldFrame}>
        <input
          {...input}
          id={id}
          disabled={isDisabled}
          aria-invalid={isInvalid}
          aria-describedby={description === undefined ? undefined : `${id}-message`}
          onChange={(event) => onChange?.(event.target.value)}
          className={fieldInput}
        />
        {trailing}
      </div>
      <div
        id={`${id}-message`}
        role={isInvalid ? 'alert' : undefined}
        className={classNames('min-h-7 pt-1 text-dense', isInvalid ? 'text-error' : 'text-ink-faint')}
      >
        {description}
      </div>
    </div>
  )
}

/** The look of a field around its input, for fields of other kinds too. */
export const fieldFrame =
  'flex h-control items-center rounded-small bg-raised outline outline-1 -outline-offset-1 outline-edge transition-colors focus-within:outline-2 focus-within:outline-focus group-data-invalid/field:outline-error'
/** The input inside such a frame. */
export const fieldInput =
  'h-full min-w-0 flex-1 rounded-small bg-transparent px-3 text-body text-ink outline-none placeholder:text-ink-faint touch:text-[16px]'
