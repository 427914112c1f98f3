import { memo, useMemo } from 'react'
import type { DashboardEvent, DashboardFilters } from '#machines/dashboard/dashboard.machine.ts'
import { tickTree } from '../../../layout/group-tree.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import type { SearchIndex } from '../../../read-model/search-index.ts'
import { MultiSelect } from '../../../ui/multi-select.tsx'
import type { FindOptions } from '../../../ui/options.ts'
import { TreeMultiSelect } from '../../../ui/tree-multi-select.tsx'
import { pickedGroups, tickedGroups } from './picked-groups.ts'

export type FiltersProps = {
  fleet: Fleet
  /** another when devices, names or groups are others (Fleet) */
  structure: number
  isLoading: boolean
  search: SearchIndex
  filters: DashboardFilters
  send: (event: DashboardEvent) => void
}

/** Hits of a search beyond these are not worth scrolling to. */
const MOST_FOUND = 2000

/** Which groups and which devices are shown. */
export const Filters = memo(function Filters({
  fleet,
  structure,
  isLoading,
  search,
  filters,
  send,
}: FiltersProps) {
  const { list } = fleet.groups
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups and who is in them are others when the structure is
  const tree = useMemo(() => tickTree(fleet), [fleet, structure])
  const ticked = useMemo(() => tickedGroups(filters.groups, list), [filters.groups, list])
  const find = useMemo(() => findDevices(fleet, search), [fleet, search])
  return (
    <div className="grid grid-cols-[0.94fr_1fr] gap-2 px-2">
      <TreeMultiSelect
        label="Groups"
        noun="groups"
        nodes={tree}
        picked={ticked}
        onChange={(picked) => send({ type: 'groups.pick', groups: pickedGroups(picked, list) })}
        isDisabled={isLoading}
      />
      <MultiSelect
        label="Devices"
        noun="devices"
        total={fleet.columns.size}
        find={find}
        selection={filters.devices}
        onChange={(devices) => send({ type: 'devices.pick', devices })}
        isDisabled={isLoading}
      />
    </div>
  )
})

/** Devices by name, imei or plate number; names are read of those in sight alone. */
function findDevices({ names, columns }: Fleet, search: SearchIndex): FindOptions {
  const optionOf = (row: number) => ({
    id: names.of(row, 'imei'),
    text: names.of(row, 'name'),
    detail: names.of(row, 'plate') || names.of(row, 'imei'),
  })
  return (query) => {
    if (query.trim() === '') return { length: columns.size, at: optionOf }
    const { rows } = search.find(query, MOST_FOUND)
    return { length: rows.length, at: (index) => optionOf(rows[index] as number) }
  }
}
