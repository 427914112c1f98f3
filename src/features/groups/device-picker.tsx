import { useDeferredValue, useMemo, useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { createSearchIndex } from '../../read-model/search-index.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { OptionList } from '../../ui/option-list.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Tick } from '../../ui/tick.tsx'
import { useActiveOption } from '../../ui/use-active-option.ts'
import { type DeviceScope, deviceChanges, deviceOptions, deviceRows } from './device-choice.ts'

export type DevicePickerProps = {
  /** imeis chosen, and those before anything was touched */
  chosen: readonly string[]
  before: readonly string[]
  onChange: (imeis: readonly string[]) => void
  /** what becomes of a device that is let go, and of one that is taken */
  hint: string
  isDisabled: boolean
}

const structureOf = (fleet: { structure: number }): number => fleet.structure

/** The devices of a group out of all the visitor sees: thousands, searched and ticked; only those in sight exist. */
export function DevicePicker({ chosen, before, onChange, hint, isDisabled }: DevicePickerProps) {
  const fleet = useFleetItself()
  const structure = useFleet(structureOf)
  const [query, setQuery] = useState('')
  const [scope, setScope] = useState<DeviceScope>('all')
  const wanted = useDeferredValue(query)
  const picked = useMemo(() => new Set(chosen), [chosen])
  // As it was when the list was asked for: a row does not jump away under the pointer that ticks it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; names and groups are others when the structure is
  const search = useMemo(() => createSearchIndex(fleet.names), [fleet, structure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const rows = useMemo(
    () => deviceRows(fleet, search, { query: wanted, scope, chosen: picked }),
    [fleet, search, structure, wanted, scope, before],
  )
  const options = useMemo(() => deviceOptions(fleet, rows), [fleet, rows])
  const pick = (index: number): void => {
    if (isDisabled) return
    const { id } = options.at(index)
    onChange(picked.has(id) ? chosen.filter((imei) => imei !== id) : [...chosen, id])
  }
  const active = useActiveOption(options.length, pick)
  const found = (): string[] => Array.from(rows, (row) => fleet.names.of(row, 'imei'))
  const { added, removed } = deviceChanges(before, picked)

  return (
    <fieldset disabled={isDisabled} className="flex min-w-0 flex-col pb-4">
      <legend className="float-left w-full pb-1 font-medium text-dense text-ink-soft">Devices</legend>
      <div className="clear-both flex flex-col rounded-small bg-raised outline outline-1 -outline-offset-1 outline-edge focus-within:outline-2 focus-within:outline-accent">
        <SearchInput
          aria-label="Search devices"
          placeholder="Search by name, plate number or IMEI"
          value={query}
          onChange={(text) => {
            setQuery(text)
            active.setIndex(0)
          }}
          active={active}
        />
        <div className="flex flex-wrap items-center gap-1 border-line border-t p-1">
          <Scope scope={scope} onScope={setScope} chosen={chosen.length} total={fleet.columns.size} />
          <span className="flex-1 max-tablet:hidden" />
          <Button
            kind="quiet"
            className="px-2 tablet:px-3"
            onPress={() => onChange([...new Set([...chosen, ...found()])])}
          >
            {wanted === '' ? 'Select all' : 'Select found'}
          </Button>
          <Button
            kind="quiet"
            className="px-2 tablet:px-3"
            onPress={() => {
              const gone = new Set(found())
              onChange(chosen.filter((imei) => !gone.has(imei)))
            }}
          >
            Clear
          </Button>
        </div>
        {options.length === 0 ? (
          <p className="h-80 max-h-[50vh] border-line border-t p-4 text-ink-soft">No devices match</p>
        ) : (
          <OptionList
            aria-label="Devices"
            options={options}
            active={active}
            isSelected={({ id }) => picked.has(id)}
            onPick={pick}
            className="h-80 max-h-[50vh] border-line border-t py-1"
            render={({ id, text, detail }) => (
              <>
                <Tick ticked={picked.has(id) ? 'all' : 'none'} />
                <span className="min-w-0 flex-1 truncate">{text}</span>
                <span className="max-w-1/2 shrink-0 truncate text-dense text-ink-faint">{detail}</span>
              </>
            )}
          />
        )}
      </div>
      <p className="pt-1 text-dense text-ink-faint">
        <output className={classNames('tabular', added + removed > 0 && 'font-medium text-ink')}>
          {`${formatCount(chosen.length)} chosen`}
          {added > 0 && ` · ${formatCount(added)} added`}
          {removed > 0 && ` · ${formatCount(removed)} let go`}
        </output>
        {'. '}
        {hint}
      </p>
    </fieldset>
  )
}

type ScopeProps = { scope: DeviceScope; onScope: (scope: DeviceScope) => void; chosen: number; total: number }

function Scope({ scope, onScope, chosen, total }: ScopeProps) {
  return (
    <>
      {(['all', 'chosen'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={scope === each}
          onClick={() => onScope(each)}
          className="tabular h-control rounded-small px-2 font-medium text-ink-soft tablet:px-3 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
        >
          {each === 'all' ? `All ${formatCount(total)}` : `Chosen ${formatCount(chosen)}`}
        </button>
      ))}
    </>
  )
}
