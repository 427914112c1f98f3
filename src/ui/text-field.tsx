import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Input,
  Label,
} from 'react-aria-components/TextField'
import { classNames } from './class-names.ts'

export type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> & {
  label: string
  /** what is wrong, in the documents' words; the field is invalid while it is there */
  message?: string | undefined
  /** shown on the message's line while nothing is wrong */
  hint?: string
  placeholder?: string
  /** a phone's keyboard leaves what is typed as it is */
  isVerbatim?: boolean
  /** stands inside the field, at its end */
  trailing?: ReactNode
  className?: string
}

/**
 * A line of text with its label. The line for its message is always there:
 * a layout that shifts on blur swallows the press on the button below.
 */
export function TextField({
  label,
  message,
  hint,
  placeholder,
  isVerbatim = false,
  trailing,
  className,
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      {...props}
      isInvalid={message !== undefined}
      validationBehavior="aria"
      className={classNames('group/field flex flex-col', className)}
    >
      <Label className="pb-1 font-medium text-dense text-ink-soft">{label}</Label>
      <div className={fieldFrame}>
        <Input
          placeholder={placeholder ?? ''}
          {...(isVerbatim && { autoCapitalize: 'none', spellCheck: false })}
          className={fieldInput}
        />
        {trailing}
      </div>
      <div className="min-h-6 pt-1 text-dense text-ink-faint">
        {message === undefined ? hint : <FieldError className="text-hot">{message}</FieldError>}
      </div>
    </AriaTextField>
  )
}

/** The look of a field around its input, for fields of other kinds too. */
export const fieldFrame =
  'flex h-control items-center rounded-small bg-raised outline outline-1 -outline-offset-1 outline-edge transition-colors focus-within:outline-2 focus-within:outline-accent group-data-invalid/field:outline-hot'
/** The input inside such a frame. */
export const fieldInput =
  'h-full min-w-0 flex-1 rounded-small bg-transparent px-3 text-body text-ink outline-none placeholder:text-ink-faint touch:text-[16px]'
