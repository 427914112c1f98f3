import { SearchInput } from '../ui/search-input.tsx'

type PageSearchProps = {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
  /** of what is searched for, how many there are, in words; '' while nothing is searched for */
  found: string
}

/** The search above a page's list, which `/` leads to, and how many there are of what was typed. */
export function PageSearch({ label, found, ...input }: PageSearchProps) {
  return (
    <>
      <div className="m-2 rounded-small bg-sunken focus-within:outline-2 focus-within:outline-focus">
        <SearchInput aria-label={label} {...input} isPageSearch />
      </div>
      <output aria-live="polite" className={found === '' ? 'sr-only' : 'px-4 pb-1 text-dense text-ink-soft'}>
        {found}
      </output>
    </>
  )
}
