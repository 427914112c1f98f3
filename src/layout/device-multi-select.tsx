import { MultiSelect, type MultiSelectProps } from '../ui/multi-select.tsx'
import { type DeviceScope, useDevices } from './device-options.ts'

export type DeviceMultiSelectProps = DeviceScope &
  Pick<MultiSelectProps, 'selection' | 'onChange' | 'isDisabled' | 'isField' | 'message' | 'className'> & {
    /** 'Devices' by default */
    label?: string
    /** several of them, in words: 'devices' by default */
    noun?: string
  }

/**
 * Any number of the visitor's devices, ALL of them included; `selection` holds imeis. Searched by name, plate number or
 * IMEI; of 100,000 only those in view exist.
 */
export function DeviceMultiSelect({
  kind,
  groups,
  label = 'Devices',
  noun = 'devices',
  isDisabled = false,
  ...props
}: DeviceMultiSelectProps) {
  const { fleet, total, find } = useDevices({ kind, groups })
  return (
    <MultiSelect
      {...props}
      label={label}
      noun={noun}
      total={total}
      find={find}
      isDisabled={isDisabled || fleet.seq === undefined}
    />
  )
}
