import type { KeyboardEvent } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { SearchInput } from '../../../ui/search-input.tsx'

export type ListSearchProps = {
  words: string
  onWords: (words: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  /** rows in the list */
  count: number
  /** undefined: all are shown, or none */
  onShowAll: (() => void) | undefined
  /** each press picks a row */
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
}

/** Above the list: finds in it and on the map, and says how many there are in which order. */
export function ListSearch(props: ListSearchProps) {
  const { words, onWords, onKeyDown, count, onShowAll, isPicking, onPicking } = props
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
        <output className="tabular">{`${formatCount(count)} ${count === 1 ? 'device' : 'devices'}`}</output>
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
        <span className="ml-auto">{words.trim() === '' ? 'Worst first' : 'Best match first'}</span>
      </div>
    </>
  )
}
