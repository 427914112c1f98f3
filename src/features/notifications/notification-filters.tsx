import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { NotificationType } from '#machines/contracts/entities/notifications.ts'
import type { Filters } from '#machines/notification-feed/entries.ts'
import { dateRangeFaults, type TypedRange } from '#machines/rules/date-range.ts'
import { useRoot } from '../../actors/use-root.ts'
import { NOTIFICATION_WORDS } from '../../format/notification-words.ts'
import { zoneName } from '../../format/time.ts'
import { DeviceMultiSelect } from '../../layout/device-multi-select.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
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

const FIELDS = 'gap-x-3 gap-y-1 tablet:grid-cols-2 desk:grid-cols-4'

/** By thing, by type, by date. Nothing picked narrows nothing. */
export function NotificationFilters({ filters, onFilter, onDates }: NotificationFiltersProps) {
  const { things, types, range } = filters
  // On a phone they would fill the screen: there they stand behind a button.
  const [isUnfolded, setUnfolded] = useState(false)
  const narrowed = (things === null ? 0 : 1) + (types === null ? 0 : 1)
  return (
    <>
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
        className={buttonLook('quiet', '-mx-2 mb-3 justify-start px-2 tablet:hidden')}
      >
        <SlidersHorizontal size={16} aria-hidden />
        {narrowed === 0 ? 'Filters' : `Filters (${narrowed})`}
      </button>
      <div className={classNames(FIELDS, isUnfolded ? 'grid' : 'hidden tablet:grid')}>
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
        <Dates range={range} onDates={onDates} />
      </div>
    </>
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
  const [known, setKnown] = useState(range)
  // Another range from outside, as when a day is over, is shown; what was typed here came from here.
  if (range.from !== known.from || range.to !== known.to) {
    setKnown(range)
    setTyped(range)
  }
  const faults = dateRangeFaults(typed, clock.now(), zoneName)
  const messageOf = (end: 'from' | 'to') => faults.find(({ path }) => path === end)?.message

  function change(next: TypedRange): void {
    setTyped(next)
    const { from, to } = next
    if (from === null || to === null || dateRangeFaults(next, clock.now(), zoneName).length > 0) return
    setKnown({ from, to })
    onDates({ from, to })
  }

  return (
    <DateRangeField
      range={typed}
      onChange={change}
      timeZone={zoneName}
      messages={{ from: messageOf('from'), to: messageOf('to') }}
      goesOn
    />
  )
}
