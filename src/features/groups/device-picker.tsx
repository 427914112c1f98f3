import { useMemo } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { DeviceChecklist } from '../../layout/device-checklist.tsx'
import { imeisOf, useDevices } from '../../layout/device-options.ts'
import { classNames } from '../../ui/class-names.ts'
import { deviceChanges } from './device-changes.ts'

export type DevicePickerProps = {
  /** imeis chosen, and those before anything was touched */
  chosen: readonly string[]
  before: readonly string[]
  onChange: (imeis: readonly string[]) => void
  /** what becomes of a device that is let go, and of one that is taken */
  hint: string
  isDisabled: boolean
}

/** The devices of a group out of all the visitor sees. */
export function DevicePicker({ chosen, before, onChange, hint, isDisabled }: DevicePickerProps) {
  const { fleet, all } = useDevices()
  const picked = useMemo(() => new Set(chosen), [chosen])
  const { added, removed } = deviceChanges(before, picked)
  return (
    <DeviceChecklist
      selection={picked}
      onChange={(selection) => onChange(selection === 'all' ? imeisOf(fleet, all) : [...selection])}
      orderedBy={before}
      isDisabled={isDisabled}
      className="pb-4"
    >
      <output className={classNames('tabular', added + removed > 0 && 'font-medium text-ink')}>
        {`${formatCount(chosen.length)} chosen`}
        {added > 0 && ` · ${formatCount(added)} added`}
        {removed > 0 && ` · ${formatCount(removed)} let go`}
      </output>
      {'. '}
      {hint}
    </DeviceChecklist>
  )
}
