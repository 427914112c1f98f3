import { useMemo, useState } from 'react'
import { isSchedulable, SCHEDULED_TYPES, titleOf, whyNotMade } from '#machines/rules/report-types.ts'
import { type Chosen, withTypedEmail } from '#machines/rules/schedule-fields.ts'
import { INTERVAL_NAMES, INVALID_EMAIL } from '#machines/rules/schedule-form.ts'
import { type ScheduleForm, withThoseBelow } from '../../actors/schedule-form.ts'
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
import { LABELS } from './schedule-words.ts'

export type Inside = ScheduleForm & { isDisabled: boolean }

/** What every schedule has. All groups, or all vehicles, fill their selector and lock it. */
export function ScheduleFields({ form, isNew }: { form: Inside; isNew: boolean }) {
  const { fields, edit, messages, isDisabled } = form
  return (
    <>
      <div className="grid gap-x-4 gap-y-1 tablet:grid-cols-2">
        <Groups form={form} isDisabled={isDisabled || !isNew} />
        <Vehicles form={form} isDisabled={isDisabled || !isNew} />
        <Select
          label={LABELS.interval}
          options={INTERVALS}
          value={fields.interval === '' ? null : fields.interval}
          onChange={(interval) => edit({ interval })}
          placeholder="Select interval"
          message={messages.interval}
          isDisabled={isDisabled}
        />
        <MultiSelect
          isField
          label={LABELS.reportTypes}
          noun="report types"
          total={MADE.length}
          find={findType}
          isUneven
          selection={new Set(fields.reportTypes)}
          onChange={(picked) => edit({ reportTypes: picked === 'all' ? MADE : [...picked] })}
          message={messages.reportTypes}
          isDisabled={isDisabled}
        />
      </div>
      <Emails form={form} />
    </>
  )
}

function Emails({ form: { fields, edit, messages, isDisabled } }: { form: Inside }) {
  const { email, emails } = fields
  const [isEntered, setEntered] = useState(false)
  const isWrong = isEntered && email.trim() !== ''
  return (
    <TagEntry
      label={LABELS.emails}
      inputMode="email"
      placeholder="name@company.example"
      hint="Enter or Tab after each address"
      tags={emails}
      typed={email}
      // what is wrong with the addresses is taken back by any of them
      onType={(typed) => {
        setEntered(false)
        edit({ email: typed, emails })
      }}
      onEnter={() => {
        setEntered(true)
        edit(withTypedEmail(fields))
      }}
      onRemove={(gone) => edit({ emails: emails.filter((one) => one !== gone) })}
      message={isWrong ? INVALID_EMAIL : messages.emails}
      isDisabled={isDisabled}
    />
  )
}

type PickProps = { form: Inside; isDisabled: boolean }

function Groups({ form: { fields, edit, messages }, isDisabled }: PickProps) {
  const groups = useFleet(groupsOf)
  const nodes = useTickTree()
  const every = useMemo(() => new Set(groups.map(({ _id }) => _id)), [groups])
  const isAll = fields.groups === 'all'
  const picked = usePicked(fields.groups)
  return (
    <div>
      <TreeMultiSelect
        isField
        label={LABELS.groups}
        noun="groups"
        nodes={nodes}
        picked={picked === 'all' ? every : picked}
        onChange={(now) => edit({ groups: [...now] })}
        message={messages.groups}
        isDisabled={isDisabled || isAll}
      />
      <Switch
        label="All groups"
        isOn={isAll}
        onChange={(isOn) => edit({ groups: isOn ? 'all' : [] })}
        isDisabled={isDisabled}
        className="-mt-2 max-w-72"
      />
    </div>
  )
}

function Vehicles({ form: { fields, edit, messages }, isDisabled }: PickProps) {
  const { groups } = useFleetItself()
  const isAll = fields.vehicles === 'all'
  const of = useMemo(() => withThoseBelow(groups, fields.groups), [groups, fields.groups])
  return (
    <div>
      <DeviceMultiSelect
        isField
        label={LABELS.vehicles}
        noun="vehicles"
        kind="vehicle"
        groups={of}
        selection={usePicked(fields.vehicles)}
        onChange={(picked) => edit({ vehicles: picked === 'all' ? 'all' : [...picked] })}
        message={messages.vehicles}
        isDisabled={isDisabled || isAll}
      />
      <Switch
        label={of ? 'All vehicles of these groups' : 'All vehicles'}
        isOn={isAll}
        onChange={(isOn) => edit({ vehicles: isOn ? 'all' : [] })}
        isDisabled={isDisabled}
        className="-mt-2 max-w-72"
      />
    </div>
  )
}

/** What is chosen as the selectors take it, which keep it while it is the same. */
const usePicked = (chosen: Chosen) => useMemo(() => (chosen === 'all' ? chosen : new Set(chosen)), [chosen])

const groupsOf = (fleet: Fleet) => fleet.groups.list

const INTERVALS = Object.entries(INTERVAL_NAMES).map(([id, text]) => ({ id, text }))

const MADE = SCHEDULED_TYPES.filter(isSchedulable)

/** All types of the documents: those that cannot be made say why. */
const findType = findIn(SCHEDULED_TYPES.map((id) => ({ id, text: titleOf(id), unavailable: whyNotMade(id) })))
