import { useMemo, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { OptionList } from './option-list.tsx'
import {
  type FindOptions,
  isPicked,
  nothing,
  type Option,
  type Options,
  type Selection,
  toggled,
} from './options.ts'
import { PickerButton, PickerField } from './picker-button.tsx'
import { PopUp } from './pop-up.tsx'
import { SearchInput } from './search-input.tsx'
import { Tick } from './tick.tsx'
import { useActiveOption } from './use-active-option.ts'

export type MultiSelectProps = {
  label: string
  /** several of them, in words: 'devices' */
  noun: string
  /** how many there are in all */
  total: number
  find: FindOptions
  selection: Selection
  onChange: (selection: Selection) => void
  isDisabled?: boolean
  /** a field of a form: its label above it, and below it a line for what is wrong */
  isField?: boolean
  message?: string | undefined
  /** some options are told with why they cannot be picked: those take a second line */
  isUneven?: boolean
  className?: string
}

/** Any number of many, with search and an ALL option. Lists of 100,000 open at once: only rows in view exist. */
export function MultiSelect({
  label,
  noun,
  total,
  find,
  selection,
  onChange,
  isDisabled = false,
  isField = false,
  message,
  isUneven = false,
  className,
}: MultiSelectProps) {
  const summary =
    selection === 'all'
      ? `All ${noun}`
      : selection.size === 0
        ? `No ${noun}`
        : `${formatCount(selection.size)} of ${formatCount(total)}`
  const picker = (
    <PopUp
      label={label}
      placement="bottom start"
      className="w-84"
      button={<PickerButton {...{ label, summary, isDisabled, isField, message, className }} />}
    >
      {() => <Choices {...{ label, noun, total, find, selection, onChange, isUneven }} />}
    </PopUp>
  )
  return isField ? <PickerField {...{ label, message }}>{picker}</PickerField> : picker
}

const ALL: Option = { id: ' all', text: 'ALL' }

function Choices({
  label,
  noun,
  total,
  find,
  selection,
  onChange,
  isUneven = false,
}: Omit<MultiSelectProps, 'isDisabled' | 'className' | 'isField' | 'message'>) {
  const [query, setQuery] = useState('')
  const options = useMemo(() => withAll(find(query), query === ''), [find, query])
  const pick = (index: number): void => {
    const option = options.at(index)
    if (option === ALL) onChange(selection === 'all' ? nothing : 'all')
    else if (option.unavailable === undefined || isPicked(selection, option.id))
      onChange(toggled(selection, option.id))
  }
  const active = useActiveOption(options.length, pick)
  const isSelected = (option: Option): boolean =>
    option === ALL ? selection === 'all' : isPicked(selection, option.id)
  const found = query === '' ? total : options.length

  return (
    <>
      <SearchInput
        aria-label={`Search ${noun}`}
        placeholder={`Search ${noun}`}
        value={query}
        onChange={(value) => {
          setQuery(value)
          active.setIndex(0)
        }}
        active={active}
        autoFocus
      />
      <OptionList
        aria-label={label}
        options={options}
        active={active}
        isSelected={isSelected}
        onPick={pick}
        isUneven={isUneven}
        className="h-80 max-h-[50vh] border-line border-t py-1"
        render={(option) => (
          <>
            <span className={option.unavailable && 'opacity-40'}>
              <Tick ticked={isSelected(option) ? 'all' : 'none'} />
            </span>
            {option.unavailable === undefined ? (
              // names differ at their ends: what stands beside them gives way first
              <span className={classNames('max-w-3/4 shrink-0 truncate', option === ALL && 'font-semibold')}>
                {option.text}
              </span>
            ) : (
              <span className="min-w-0 flex-1 text-ink-faint">
                {option.text} <span className="block text-dense">{option.unavailable}</span>
              </span>
            )}
            {option.detail && (
              <span className="min-w-0 flex-1 truncate text-right text-dense text-ink-faint">
                {option.detail}
              </span>
            )}
          </>
        )}
      />
      <div className="flex items-center gap-2 border-line border-t py-1 pr-1 pl-3 text-dense text-ink-soft">
        <output className="flex-1">
          {options.length === 0 ? `No ${noun} match` : `${formatCount(found)} ${noun}`}
        </output>
        <Button kind="quiet" onPress={() => onChange(nothing)}>
          Clear
        </Button>
      </div>
    </>
  )
}

function withAll(options: Options, isWhole: boolean): Options {
  if (!isWhole) return options
  return { length: options.length + 1, at: (index) => (index === 0 ? ALL : options.at(index - 1)) }
}
