import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useMemo, useRef } from 'react'
import { string } from 'superstruct'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import type { FilterField, ViolationFilter } from '#machines/rules/violation-filter.ts'
import { KeptPicks } from '../../actors/kept-values.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { zoneName } from '../../format/time.ts'
import { DeviceChecklist } from '../../layout/device-checklist.tsx'
import { useDevices } from '../../layout/device-options.ts'
import { groupTree } from '../../layout/group-tree.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { DateRangeField } from '../../ui/date-range-field.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { findIn, type Selection } from '../../ui/options.ts'
import { TreeSelect } from '../../ui/tree-select.tsx'
import { KeptRange } from './kept-range.ts'
import { KINDS } from './kinds.ts'

export type FilterFormProps = {
  /** as it stands at first */
  filter: ViolationFilter
  /** what was wrong with the last that was asked for */
  faults: readonly Fault<FilterField>[]
  onFilter: (filter: ViolationFilter) => void
}

/** Whose violations, which and of when. What is picked stays until Filter is pressed; the focus goes to what is wrong. */
export function FilterForm({ filter, faults, onFilter }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [groupId, setGroupId] = useKeptState('group', string(), filter.groupId)
  const [range, setRange] = useKeptState('range', KeptRange, filter.range)
  const [kinds, setKinds] = useKeptState<Selection>('kinds', KeptPicks, () =>
    asSelection(filter.violations, KINDS.length),
  )
  const [devices, setDevices] = useKeptState<Selection>('devices', KeptPicks, () =>
    filter.devices === 'all' ? 'all' : new Set(filter.devices),
  )
  const known = useFleetItself().groups
  const { list } = known
  const tree = useMemo(() => groupTree(list), [list])
  const groups = useMemo(() => new Set(known.within(groupId)), [known, groupId])
  const { total } = useDevices({ groups })
  const messageOf = (field: FilterField) => faults.find(({ path }) => path === field)?.message
  useEffect(() => {
    if (faults.length > 0) focusFirstWrong(form.current)
  }, [faults])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter({
      groupId,
      range,
      violations: KINDS.map(({ type }) => type).filter((type) => kinds === 'all' || kinds.has(type)),
      devices: devices === 'all' ? (total === 0 ? [] : 'all') : [...devices],
    })
  }
  return (
    <form ref={form} aria-label="Filter Criteria" onSubmit={submit} className="flex flex-col">
      <TreeSelect
        label="Group"
        noun="groups"
        nodes={tree}
        value={groupId}
        onChange={(id) => {
          setGroupId(id)
          setDevices('all')
        }}
      />
      <MultiSelect
        isField
        label="Violations"
        noun="violations"
        total={KINDS.length}
        find={findKinds}
        selection={kinds}
        onChange={setKinds}
        message={messageOf('violations')}
      />
      <div className="grid gap-x-3 tablet:max-desk:grid-cols-2">
        <DateRangeField
          range={range}
          onChange={setRange}
          timeZone={zoneName}
          labels={LABELS}
          messages={{ from: messageOf('from'), to: messageOf('to') }}
        />
      </div>
      <DeviceChecklist
        groups={groups}
        selection={devices}
        onChange={setDevices}
        orderedBy={groupId}
        isPlated
        message={messageOf('devices')}
      />
      <div className="sticky bottom-0 z-10 -mx-4 bg-surface px-4 pt-2 pb-4">
        <Button type="submit" kind="primary" className="w-full">
          <Search size={16} aria-hidden />
          Filter
        </Button>
      </div>
    </form>
  )
}

const LABELS = { from: 'Start Date', to: 'End Date' }
const findKinds = findIn(KINDS.map(({ type, word }) => ({ id: type, text: word })))

const asSelection = (types: readonly ViolationType[], all: number): Selection =>
  types.length === all ? 'all' : new Set<string>(types)
