import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { OptionList } from '../ui/option-list.tsx'
import { nothing, type Selection } from '../ui/options.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { Tick } from '../ui/tick.tsx'
import { useActiveOption } from '../ui/use-active-option.ts'
import {
  type DeviceScope,
  deviceOptions,
  deviceRows,
  imeisOf,
  maskOf,
  platedOptions,
  useDevices,
} from './device-options.ts'

export type DeviceChecklistProps = DeviceScope & {
  /** imeis chosen; `'all'`: every device of the scope, those yet to come too */
  selection: Selection
  onChange: (selection: Selection) => void
  /** 'Devices' by default */
  label?: string
  /** several of them, in words: 'devices' by default */
  noun?: string
  /** what else to say of a device beside its plate number, instead of its group: make and model */
  detailOf?: (imei: string) => string | undefined
  /** whether all can be taken at once */
  hasSelectAll?: boolean
  /** what is wrong with the choice; without it `children` stand on that line */
  message?: string | undefined
  children?: ReactNode
  isDisabled?: boolean
  /** those chosen stand first; they are put there anew when this is another */
  orderedBy?: unknown
  /** by plate number, the name beside it: for a place too narrow for both and the group */
  isPlated?: boolean
  className?: string
}

/**
 * The visitor's devices to tick, in the open: search, Select all, Clear, and only those chosen. Of 100,000 only those in
 * sight exist.
 */
export function DeviceChecklist(props: DeviceChecklistProps) {
  const { selection, onChange, label = 'Devices', noun = 'devices', hasSelectAll = true } = props
  const {
    kind,
    groups,
    detailOf,
    message,
    children,
    isDisabled = false,
    orderedBy,
    isPlated,
    className,
  } = props
  const { fleet, search, keeps, total, all } = useDevices({ kind, groups })
  const [query, setQuery] = useState('')
  const [shows, setShows] = useState<Shown>('all')
  const wanted = useDeferredValue(query)
  const isWhole = wanted.trim() === '' && shows === 'all'
  const rowsOf = (text: string): Uint32Array => {
    const chosen = selection === 'all' ? undefined : maskOf(fleet, selection)
    const isShown = (row: number): boolean =>
      (keeps?.(row) ?? true) && (shows === 'all' || chosen === undefined || chosen[row] === 1)
    return deviceRows(fleet, search, text, isShown, chosen)
  }
  // As it was when the list was asked for: a row does not jump away under the pointer that ticks it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; another `all` is another structure
  const rows = useMemo(() => {
    if (selection === 'all' && isWhole) return all
    return rowsOf(wanted)
  }, [fleet, search, all, wanted, shows, orderedBy])
  const options = useMemo(
    () => (isPlated ? platedOptions(fleet, rows) : deviceOptions(fleet, rows, detailOf)),
    [fleet, rows, isPlated, detailOf],
  )
  const isTicked = (id: string): boolean => selection === 'all' || selection.has(id)
  const pick = (index: number): void => {
    if (isDisabled) return
    const { id } = options.at(index)
    const next = new Set(selection === 'all' ? imeisOf(fleet, all) : selection)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  const active = useActiveOption(options.length, pick)
  // A press means what is typed, though the list may still show what was typed before.
  const isAllMeant = query.trim() === '' && shows === 'all'
  const meant = (): string[] => imeisOf(fleet, query === wanted ? rows : rowsOf(query))
  const take = (): void =>
    onChange(isAllMeant || selection === 'all' ? 'all' : new Set([...selection, ...meant()]))
  const letGo = (): void => {
    const gone = isAllMeant ? [] : meant()
    const before = selection === 'all' ? imeisOf(fleet, all) : selection
    onChange(isAllMeant ? nothing : new Set(before).difference(new Set(gone)))
  }

  return (
    <fieldset
      disabled={isDisabled}
      data-invalid={message === undefined ? undefined : true}
      className={classNames('group/field flex min-w-0 flex-col', className)}
    >
      <legend className="float-left w-full pb-1 font-medium text-dense text-ink-soft">{label}</legend>
      <div className="clear-both flex min-h-0 flex-1 flex-col rounded-small bg-raised outline outline-1 -outline-offset-1 outline-edge focus-within:outline-2 focus-within:outline-focus group-data-invalid/field:outline-error">
        <SearchInput
          aria-label={`Search ${noun}`}
          placeholder="Search name, plate or IMEI"
          value={query}
          onChange={(text) => {
            setQuery(text)
            active.setIndex(0)
          }}
          active={active}
        />
        <div className="flex flex-wrap items-center gap-1 border-line border-t p-1">
          <Shows shows={shows} onShows={setShows} chosen={countOf(selection, total)} total={total} />
          <span className="flex-1 max-tablet:hidden" />
          {hasSelectAll && (
            <Button kind="quiet" className="px-2 tablet:px-3" onPress={take}>
              {query.trim() === '' ? 'Select all' : 'Select found'}
            </Button>
          )}
          <Button kind="quiet" className="px-2 tablet:px-3" onPress={letGo}>
            Clear
          </Button>
        </div>
        {options.length === 0 ? (
          <p className="h-80 max-h-[50vh] border-line border-t p-4 text-ink-soft">
            {total === 0 ? `There are no ${noun}` : `No ${noun} match`}
          </p>
        ) : (
          <OptionList
            aria-label={label}
            options={options}
            active={active}
            isSelected={({ id }) => isTicked(id)}
            onPick={pick}
            className="h-80 max-h-[50vh] border-line border-t py-1"
            render={({ id, text, detail }) => (
              <>
                <Tick ticked={isTicked(id) ? 'all' : 'none'} />
                <span className="min-w-0 flex-1 truncate">{text}</span>
                <span className="max-w-1/2 shrink-0 truncate text-dense text-ink-faint">{detail}</span>
              </>
            )}
          />
        )}
      </div>
      <div
        role={message === undefined ? undefined : 'alert'}
        className={classNames(
          'min-h-7 pt-1 text-dense',
          message === undefined ? 'text-ink-faint' : 'text-error',
        )}
      >
        {message ?? children}
      </div>
    </fieldset>
  )
}

type Shown = 'all' | 'chosen'

const countOf = (selection: Selection, total: number): number =>
  selection === 'all' ? total : selection.size

type ShowsProps = { shows: Shown; onShows: (shows: Shown) => void; chosen: number; total: number }

function Shows({ shows, onShows, chosen, total }: ShowsProps) {
  return (
    <>
      {(['all', 'chosen'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={shows === each}
          onClick={() => onShows(each)}
          className="tabular h-control rounded-small px-2 font-medium text-ink-soft tablet:px-3 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
        >
          {each === 'all' ? `All ${formatCount(total)}` : `Chosen ${formatCount(chosen)}`}
        </button>
      ))}
    </>
  )
}
