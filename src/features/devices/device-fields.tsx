import { useMemo } from 'react'
import type { DeviceFields } from '../../actors/device-forms.ts'
import { clockOptions, TYPE_OPTIONS } from '../../format/device-words.ts'
import { groupTree } from '../../layout/group-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { DayField } from '../../ui/day-field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TreeSelect } from '../../ui/tree-select.tsx'

export type DeviceFieldsProps = {
  fields: DeviceFields
  messages: Readonly<Partial<Record<keyof DeviceFields, string>>>
  edit: (patch: Partial<DeviceFields>) => void
  isDisabled: boolean
}

const listOf = ({ groups }: Fleet) => groups.list

/** What is said of a device, but its IMEI. */
export function DeviceFieldset({ fields, messages, edit, isDisabled }: DeviceFieldsProps) {
  const groups = useFleet(listOf)
  const nodes = useMemo(() => groupTree(groups), [groups])
  const text = (name: 'name' | 'plateNumber' | 'vehicleMakeAndModel') => ({
    name,
    autoComplete: 'off',
    value: fields[name],
    onChange: (value: string) => edit({ [name]: value }),
    message: messages[name],
    isDisabled,
  })
  return (
    <>
      <TextField label="Name" {...text('name')} />
      <TextField label="Plate number" {...text('plateNumber')} />
      <TextField label="Make and model" {...text('vehicleMakeAndModel')} />
      <Select
        label="Type"
        options={TYPE_OPTIONS}
        value={fields.type}
        onChange={(type) => edit({ type })}
        message={messages.type}
        isDisabled={isDisabled}
      />
      <TreeSelect
        label="Group"
        noun="groups"
        nodes={nodes}
        value={fields.groupId}
        onChange={(groupId) => edit({ groupId })}
        placeholder="Select a group"
        message={messages.groupId}
        isDisabled={isDisabled}
      />
      <DayField
        label="Calibration due"
        name="calibrationDue"
        value={fields.calibrationDue}
        onChange={(calibrationDue) => edit({ calibrationDue })}
        message={messages.calibrationDue}
        hint="Left empty: nobody is reminded"
        isDisabled={isDisabled}
      />
      <Select
        label="Tracker’s clock"
        options={clockOptions(fields.clockOffset)}
        value={fields.clockOffset}
        onChange={(clockOffset) => edit({ clockOffset })}
        message={messages.clockOffset}
        hint="Of GT06 trackers that cannot be set to UTC; Teltonika’s always are"
        isDisabled={isDisabled}
      />
    </>
  )
}
