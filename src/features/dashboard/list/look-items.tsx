import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTableFile } from '../../../actors/table-file.ts'
import { useIncidentOf } from '../../../layout/incidents/use-incident-of.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { SORTABLE } from '../../../read-model/sort-keys.ts'
import { sorterOf } from '../../../read-model/sorted-rows.ts'
import { Button } from '../../../ui/button.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { useBuilt } from '../use-built.ts'
import { CHOICES, type ColumnKey, type ListLook, OWN_LOOK, sortedBy, TITLES } from './list-look.ts'
import { shownTable } from './shown-table.ts'

type LookItemsProps = {
  look: ListLook
  onLook: (look: ListLook) => void
  fleet: Fleet
  /** in the list now, in its order */
  rows: Uint32Array
}

/** In which order the devices stand, and which columns they have. */
export default function LookItems({ look, onLook, fleet, rows }: LookItemsProps) {
  const { columns, sort } = look
  const incidentOf = useIncidentOf()
  // one of the orders is about to be chosen
  useBuilt(sorterOf(fleet).prepare, BETWEEN_SLICES_MS)
  const { isMaking, save } = useTableFile()
  const make = (kind: 'xlsx' | 'csv') =>
    save('Devices', kind, () => shownTable(fleet, rows, columns, incidentOf))
  const toggle = (key: ColumnKey): void => {
    const wanted = CHOICES.filter((one) => (one === key) !== columns.includes(one))
    onLook({ ...look, columns: wanted })
  }
  return (
    <div className="flex min-h-0 flex-col">
      <div className="grid grid-cols-2 gap-x-2 overflow-auto p-2">
        <Choice title="Sort by">
          <Item isOn={sort === null} onPress={() => onLook({ ...look, sort: null })}>
            Worst first
          </Item>
          {SORTABLE.map((key) => (
            <Item
              key={key}
              isOn={sort?.by === key}
              onPress={() => onLook({ ...look, sort: sortedBy(look, key) })}
              mark={sort?.by === key && <Way isDescending={sort.isDescending} />}
            >
              {TITLES[key]}
            </Item>
          ))}
        </Choice>
        <Choice title="Columns">
          {CHOICES.map((key) => (
            <Item key={key} isTicked isOn={columns.includes(key)} onPress={() => toggle(key)}>
              {TITLES[key]}
            </Item>
          ))}
        </Choice>
      </div>
      <div className="flex items-center gap-1 border-line border-t p-1">
        <Button kind="quiet" isDisabled={isMaking || rows.length === 0} onPress={() => make('xlsx')}>
          Excel
        </Button>
        <Button kind="quiet" isDisabled={isMaking || rows.length === 0} onPress={() => make('csv')}>
          CSV
        </Button>
        <output className="flex-1 truncate text-dense text-ink-faint">
          {isMaking ? 'Making the file…' : 'as shown'}
        </output>
        <Button
          kind="quiet"
          isDisabled={columns.length === 0 && sort === null}
          onPress={() => onLook(OWN_LOOK)}
        >
          As it was
        </Button>
      </div>
    </div>
  )
}

const BETWEEN_SLICES_MS = 4

function Choice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="px-2 pb-1 font-medium text-dense text-ink-faint">{title}</legend>
      {children}
    </fieldset>
  )
}

type ItemProps = {
  isTicked?: boolean
  isOn: boolean
  mark?: ReactNode
  onPress: () => void
  children: string
}

function Item({ isTicked = false, isOn, mark, onPress, children }: ItemProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className="flex h-8 items-center gap-2 rounded-small px-2 text-left hover:bg-hover touch:h-10 aria-pressed:text-accent-strong"
    >
      {isTicked && <Tick ticked={isOn ? 'all' : 'none'} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {mark}
    </button>
  )
}

function Way({ isDescending }: { isDescending: boolean }) {
  return isDescending ? (
    <ArrowDown size={14} aria-label="highest first" />
  ) : (
    <ArrowUp size={14} aria-label="lowest first" />
  )
}
