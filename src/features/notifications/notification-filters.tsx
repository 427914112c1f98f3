import { useState } from 'react'
import { NotificationType } from '#machines/contracts/entities/notifications.ts'
import type { Filters } from '#machines/notification-feed/entries.ts'
import { dateRangeFaults, type TypedRange } from '#machines/rules/date-range.ts'
import { useRoot } from '../../actors/use-root.ts'
import { NOTIFICATION_WORDS } from '../../format/notification-words.ts'
import { zoneName } from '../../format/time.ts'
import { DeviceMultiSelect } from '../../layout/device-multi-select.tsx'
import { DateRangeField } from '../../ui/date-range-field.tsx'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { findIn, type Selection } from '../../ui/options.ts'

export type NotificationFiltersProps = {
  filters: Filters
  onFilter: (things: Filters['things'], types: Filters['types']) => void
  onDates: (range: Filters['range']) => void
}

const TYPES = Object.values(NotificationType.schema)
const findType = findIn(TYPES.map((type) => ({ id: type, text: NOTIFICATION_WORDS[type] })))

/** By thing, by type, by date. Nothing picked narrows nothing. */
export function NotificationFilters({ filters, onFilter, onDates }: NotificationFiltersProps) {
  const { things, types, range } = filters
  return (
    <div className="grid gap-x-3 gap-y-1 tablet:grid-cols-2 desk:grid-cols-4">
      <DeviceMultiSelect
        isField
        selection={things === null ? 'all' : new Set(things)}
        onChange={(selection) => onFilter(pickedOf(selection), types)}
      />
      <MultiSelect
        isField
        label="Types"
        noun="types"
        total={TYPES.length}
        find={findType}
        selection={types === null ? 'all' : new Set(types)}
        onChange={(selection) => onFilter(things, pickedOf(selection) as Filters['types'])}
      />
      {/* Another range from outside, as when a day is over, is shown at once. */}
      <Dates key={`${range.from} ${range.to}`} range={range} onDates={onDates} />
    </div>
  )
}

const pickedOf = (selection: Selection): readonly string[] | null =>
  selection === 'all' || selection.size === 0 ? null : [...selection]

/** What is typed and is no range yet is kept, with what is wrong with it. */
function Dates({
  range,
  onDates,
}: {
  range: Filters['range']
  onDates: NotificationFiltersProps['onDates']
}) {
  const { clock } = useRoot()
  const [typed, setTyped] = useState<TypedRange>(range)
  const faults = dateRangeFaults(typed, clock.now(), zoneName)
  const messageOf = (end: 'from' | 'to') => faults.find(({ path }) => path === end)?.message

  function change(next: TypedRange): void {
    setTyped(next)
    const { from, to } = next
    if (from !== null && to !== null && dateRangeFaults(next, clock.now(), zoneName).length === 0)
      onDates({ from, to })
  }

  return (
    <DateRangeField
      range={typed}
      onChange={change}
      timeZone={zoneName}
      messages={{ from: messageOf('from'), to: messageOf('to') }}
    />
  )
}
