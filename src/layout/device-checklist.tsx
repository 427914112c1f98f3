import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { OptionList } from '../ui/option-list.tsx'
import type { Selection } from '../ui/options.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { Tick } from '../ui/tick.tsx'
import { type Checklist, type Shown, useChecklist } from './use-checklist.ts'

export type DeviceChecklistProps = Checklist & {
  /** 'Devices' by default */
  label?: string
  /** several of them, in words: 'devices' by default */
  noun?: string
  /** whether all can be taken at once */
  hasSelectAll?: boolean
  /** what is wrong with the choice; without it `children` stand on that line */
  message?: string | undefined
  children?: ReactNode
  className?: string
}

/**
 * The visitor's devices to tick, in the open: search, Select all, Clear, and only those chosen. Of 100,000 only those in
 * sight exist.
 */
export function DeviceChecklist(props: DeviceChecklistProps) {
  const { selection, label = 'Devices', noun = 'devices', hasSelectAll = true } = props
  const { message, children, isDisabled = false, className } = props
  const { total, query, type, shows, setShows, options, active, isTicked, pick, take, letGo } =
    useChecklist(props)
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
          onChange={type}
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
