import { useId } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import { classNames } from './class-names.ts'

export type SwitchProps = {
  /** what it turns on */
  label: string
  /** the label is beside it already, e.g. at the head of a column: said, not shown */
  isLabelHidden?: boolean
  /** what comes of it, below */
  hint?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
  className?: string
}

/** On or off. Its place tells which, not its colour alone. */
export function Switch({
  label,
  isLabelHidden = false,
  hint,
  isOn,
  onChange,
  isDisabled = false,
  className,
}: SwitchProps) {
  const hintId = useId()
  const toggle = (
    <AriaSwitch
      isSelected={isOn}
      onChange={onChange}
      isDisabled={isDisabled}
      {...(hint !== undefined && { 'aria-describedby': hintId })}
      className={classNames(
        'group/switch flex min-h-control cursor-pointer items-center gap-3 rounded-small data-disabled:cursor-default data-disabled:opacity-50 data-focus-visible:outline-2 data-focus-visible:outline-focus',
        hint === undefined && className,
      )}
    >
      <span className={isLabelHidden ? 'sr-only' : 'min-w-0 flex-1'}>{label}</span>
      <span
        aria-hidden
        className="flex h-5 w-9 shrink-0 items-center rounded-full bg-edge p-0.5 transition-colors duration-100 group-data-selected/switch:bg-accent forced-colors:outline"
      >
        <span className="size-4 rounded-full bg-surface transition-transform duration-100 group-data-selected/switch:translate-x-4" />
      </span>
    </AriaSwitch>
  )
  if (hint === undefined) return toggle
  return (
    <div className={className}>
      {toggle}
      <p id={hintId} className="text-dense text-ink-faint">
        {hint}
      </p>
    </div>
  )
}
