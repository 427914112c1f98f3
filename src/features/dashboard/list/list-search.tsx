import { ChevronDown } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { counted } from '#machines/rules/figures.ts'
import { lazyPart } from '../../../layout/lazy-part.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { PopUp } from '../../../ui/pop-up.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { type ListLook, TITLES } from './list-look.ts'

const LookItems = lazyPart(() => import('./look-items.tsx'))

export type ListSearchProps = {
  words: string
  onWords: (words: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  fleet: Fleet
  /** in the list */
  rows: Uint32Array
  /** undefined: all are shown, or none */
  onShowAll: (() => void) | undefined
  /** each press picks a row */
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  look: ListLook
  onLook: (look: ListLook) => void
}

/** Above the list: finds in it and on the map, and says how many there are in which order. */
export function ListSearch(props: ListSearchProps) {
  const { words, onWords, onKeyDown, fleet, rows, onShowAll, isPicking, onPicking, look, onLook } = props
  const { sort } = look
  const count = rows.length
  const order = sort
    ? `By ${TITLES[sort.by].toLowerCase()}`
    : words.trim() === ''
      ? 'Worst first'
      : 'Best match first'
  return (
    <>
      <div className="mx-2 rounded-small bg-sunken focus-within:outline-2 focus-within:outline-focus">
        <SearchInput
          aria-label="Find in the list"
          placeholder="Find by name, IMEI or plate"
          value={words}
          onChange={onWords}
          onKeyDown={onKeyDown}
          isPageSearch
        />
      </div>
      <div className="flex items-center gap-2 px-5 py-1 text-dense text-ink-soft">
        <output className="tabular">{counted(count, 'device')}</output>
        {onShowAll && (
          <button
            type="button"
            onClick={onShowAll}
            className="rounded-small text-link underline-offset-2 hover:underline"
          >
            Show all devices
          </button>
        )}
        {count > 0 && (
          <button
            type="button"
            aria-pressed={isPicking}
            title="Key: x"
            onClick={() => onPicking(!isPicking)}
            className="rounded-small text-link underline-offset-2 hover:underline"
          >
            {isPicking ? 'Done' : 'Select'}
          </button>
        )}
        <span className="ml-auto">
          <PopUp
            label="Order and columns"
            placement="bottom end"
            className="w-84"
            button={
              <AriaButton
                aria-label={`${order}: order and columns`}
                className="flex items-center gap-1 rounded-small text-ink-soft data-hovered:text-ink"
              >
                {order}
                <ChevronDown size={14} aria-hidden />
              </AriaButton>
            }
          >
            {() => <LookItems look={look} onLook={onLook} fleet={fleet} rows={rows} />}
          </PopUp>
        </span>
      </div>
    </>
  )
}
