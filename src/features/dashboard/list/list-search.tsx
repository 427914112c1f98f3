import type { KeyboardEvent } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { SearchInput } from '../../../ui/search-input.tsx'

export type ListSearchProps = {
  query: string
  onChange: (query: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  /** rows in the list */
  count: number
  /** they are what a search found */
  isFound: boolean
  /** it found more */
  isCut: boolean
}

/** Above the list: finds in it, and says how many there are in which order. */
export function ListSearch({ query, onChange, onKeyDown, count, isFound, isCut }: ListSearchProps) {
  return (
    <>
      <div className="mx-2 rounded-small bg-sunken focus-within:outline-2 focus-within:outline-accent">
        <SearchInput
          aria-label="Find in the list"
          placeholder="Find by name, IMEI or plate"
          value={query}
          onChange={onChange}
          onKeyDown={onKeyDown}
          isPageSearch
        />
      </div>
      <div className="flex items-center gap-2 px-5 pb-1 text-dense text-ink-soft">
        <output className="tabular flex-1">
          {`${isCut ? 'First ' : ''}${formatCount(count)} ${count === 1 ? 'device' : 'devices'}`}
        </output>
        <span>{isFound ? 'Best match first' : 'Worst first'}</span>
      </div>
    </>
  )
}
