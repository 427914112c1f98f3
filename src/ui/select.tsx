import { Check, ChevronDown } from 'lucide-react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components/Select'
import { Text } from 'react-aria-components/Text'

export type SelectProps = {
  label: string
  options: readonly { id: string; text: string }[]
  value: string | null
  onChange: (id: string) => void
  placeholder?: string
  message?: string | undefined
  hint?: string
  isDisabled?: boolean
  /** the form field it fills */
  name?: string
}

/** One of a few. For many, searchable or more than one: MultiSelect. */
export function Select({
  label,
  options,
  value,
  onChange,
  placeholder = 'Select',
  message,
  hint,
  isDisabled = false,
  name,
}: SelectProps) {
  return (
    <AriaSelect
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isInvalid={message !== undefined}
      // What is wrong is the form's to say: the browser's own check would keep it from being sent again.
      validationBehavior="aria"
      isDisabled={isDisabled}
      placeholder={placeholder}
      {...(name === undefined ? {} : { name })}
      className="group/field flex flex-col"
    >
      <Label className="pb-1 font-medium text-dense text-ink-soft">{label}</Label>
      <AriaButton className="flex h-control items-center gap-2 rounded-small bg-raised px-3 text-left text-body outline outline-1 -outline-offset-1 outline-edge disabled:opacity-50 group-data-invalid/field:outline-error">
        <SelectValue className="min-w-0 flex-1 truncate data-placeholder:text-ink-faint" />
        <ChevronDown size={16} aria-hidden className="text-ink-faint" />
      </AriaButton>
      {message === undefined && hint !== undefined ? (
        <Text slot="description" className="block min-h-6 pt-1 text-dense text-ink-soft">
          {hint}
        </Text>
      ) : (
        <div
          role={message === undefined ? undefined : 'alert'}
          className="min-h-6 pt-1 text-dense text-error"
        >
          {message !== undefined && <Text slot="errorMessage">{message}</Text>}
        </div>
      )}
      <Popover offset={4} className="floating max-h-80 min-w-(--trigger-width) overflow-auto">
        <ListBox items={options} className="p-1 outline-none">
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.text}
              className="flex h-control items-center gap-2 rounded-small px-3 outline-none data-focused:bg-hover data-selected:font-medium"
            >
              {({ isSelected }) => (
                <>
                  <span className="min-w-0 flex-1 truncate">{option.text}</span>
                  {isSelected && <Check size={16} aria-hidden className="text-accent" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
