import { useMemo } from 'react'
import { isSchedulable, SCHEDULED_TYPES, titleOf, whyNotMade } from '#machines/rules/report-types.ts'
import { INTERVAL_NAMES } from '#machines/rules/schedule-form.ts'
import { type ScheduleFormState, withThoseBelow } from '../../actors/schedule-form.ts'
import { DeviceMultiSelect } from '../../layout/device-multi-select.tsx'
import { useTickTree } from '../../layout/use-tick-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { findIn } from '../../ui/options.ts'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TagEntry } from '../../ui/tag-entry.tsx'
import { TreeMultiSelect } from '../../ui/tree-multi-select.tsx'

export type FieldsProps = { form: ScheduleFormState; isDisabled: boolean }

/** What every schedule has. All groups, or all vehicles, fill their selector and lock it. */
export function ScheduleFields({ form, isDisabled }: FieldsProps) {
  const { fields, fill, messageOf, editing } = form
  return (
    <>
      <div className="grid gap-x-4 gap-y-1 tablet:grid-cols-2">
        <Groups form={form} isDisabled={isDisabled || editing !== null} />
        <Vehicles form={form} isDisabled={isDisabled || editing !== null} />
        <Select
          label="Interval"
          options={INTERVALS}
          value={fields.interval === '' ? null : fields.interval}
          onChange={(interval) => fill({ interval })}
          placeholder="Select interval"
          message={messageOf('interval')}
          isDisabled={isDisabled}
        />
        <MultiSelect
          isField
          label="Report Types"
          noun="report types"
          total={MADE.length}
          find={findType}
          isUneven
          selection={new Set(fields.reportTypes)}
          onChange={(picked) => fill({ reportTypes: picked === 'all' ? MADE : [...picked] })}
          message={messageOf('reportTypes')}
          isDisabled={isDisabled}
        />
      </div>
      <TagEntry
        label="Emails"
        inputMode="email"
        placeholder="name@company.example"
        hint="Enter or Tab after each address"
        tags={fields.emails}
        typed={fields.email}
        onType={(email) => fill({ email })}
        onEnter={form.enterEmail}
        onRemove={(gone) => fill({ emails: fields.emails.filter((email) => email !== gone) })}
        message={messageOf('emails')}
        isDisabled={isDisabled}
      />
    </>
  )
}

function Groups({ form: { fields, fill, messageOf }, isDisabled }: FieldsProps) {
  const groups = useFleet(groupsOf)
  const nodes = useTickTree()
  const every = useMemo(() => new Set(groups.map(({ _id }) => _id)), [groups])
  const isAll = fields.groups === 'all'
  return (
    <div>
      <TreeMultiSelect
        isField
        label="Groups"
        noun="groups"
        nodes={nodes}
        picked={fields.groups === 'all' ? every : fields.groups}
        onChange={(picked) => fill({ groups: picked })}
        message={messageOf('groups')}
        isDisabled={isDisabled || isAll}
      />
      <Switch
        label="All groups"
        isOn={isAll}
        onChange={(isOn) => fill({ groups: isOn ? 'all' : new Set() })}
        isDisabled={isDisabled}
        className="-mt-2 max-w-72"
      />
    </div>
  )
}

function Vehicles({ form: { fields, fill, messageOf }, isDisabled }: FieldsProps) {
  const { groups } = useFleetItself()
  const isAll = fields.vehicles === 'all'
  const of = useMemo(() => withThoseBelow(groups, fields.groups), [groups, fields.groups])
  return (
    <div>
      <DeviceMultiSelect
        isField
        label="Vehicles"
        noun="vehicles"
        kind="vehicle"
        groups={of}
        selection={fields.vehicles}
        onChange={(vehicles) => fill({ vehicles })}
        message={messageOf('vehicles')}
        isDisabled={isDisabled || isAll}
      />
      <Switch
        label={of ? 'All vehicles of these groups' : 'All vehicles'}
        isOn={isAll}
        onChange={(isOn) => fill({ vehicles: isOn ? 'all' : new Set() })}
        isDisabled={isDisabled}
        className="-mt-2 max-w-72"
      />
    </div>
  )
}

const groupsOf = (fleet: Fleet) => fleet.groups.list

const INTERVALS = Object.entries(INTERVAL_NAMES).map(([id, text]) => ({ id, text }))

const MADE = SCHEDULED_TYPES.filter(isSchedulable)

/** All types of the documents: those that cannot be made say why. */
const findType = findIn(SCHEDULED_TYPES.map((id) => ({ id, text: titleOf(id), unavailable: whyNotMade(id) })))
