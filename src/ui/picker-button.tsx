import { ChevronDown } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'
import { FieldFrame } from './field-frame.tsx'

export type PickerButtonProps = {
  label: string
  /** what is picked, in words */
  summary: string
  isDisabled?: boolean
  /** it stands in a PickerField, which has the label */
  isField?: boolean
  message?: string | undefined
  className?: string | undefined
}

/** The button of a selector that opens a list: a label, what is picked, an arrow. It opens a PopUp. */
export function PickerButton({
  label,
  summary,
  isDisabled = false,
  isField = false,
  message,
  className,
}: PickerButtonProps) {
  const id = useContext(FieldId)
  const button = useId()
  return (
    <AriaButton
      id={button}
      isDisabled={isDisabled}
      {...(isField && { 'aria-labelledby': `${id}-label ${button}` })}
      {...(message !== undefined && { 'aria-describedby': `${id}-message` })}
      className={classNames(
        trigger,
        isField ? 'outline-edge group-data-invalid/field:outline-error' : 'outline-line',
        className,
      )}
    >
      {!isField && <span className="text-ink-faint">{label}</span>}
      <span className={classNames('tabular min-w-0 flex-1 truncate text-left', !isField && 'font-medium')}>
        {summary}
      </span>
      <ChevronDown size={16} aria-hidden className="shrink-0 text-ink-faint" />
    </AriaButton>
  )
}

const FieldId = createContext('')

/** A selector as a field of a form. */
export function PickerField(props: { label: string; message?: string | undefined; children: ReactNode }) {
  const { label, message, children } = props
  const id = useId()
  return (
    <FieldFrame id={id} label={label} message={message}>
      <FieldId value={id}>{children}</FieldId>
    </FieldFrame>
  )
}

const trigger =
  'flex h-control min-w-0 items-center gap-2 rounded-small bg-raised px-3 text-body outline outline-1 -outline-offset-1 data-focus-visible:outline-2 data-focus-visible:outline-focus data-hovered:bg-hover disabled:opacity-50'
