import { Search, X } from 'lucide-react'
import type { KeyboardEvent, Ref } from 'react'
import { IconButton } from './icon-button.tsx'
import type { ActiveOption } from './use-active-option.ts'

export type SearchInputProps = {
  'aria-label': string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** the list it walks, when there is one */
  active?: ActiveOption
  onKeyDown?: (event: KeyboardEvent) => void
  autoFocus?: boolean
  /** `/` puts the focus here */
  isPageSearch?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A field to search with; with `active` it is the head of a listbox and keeps the focus while arrows walk it. */
export function SearchInput({
  value,
  onChange,
  placeholder,
  active,
  onKeyDown,
  autoFocus,
  isPageSearch,
  ref,
  ...props
}: SearchInputProps) {
  const combobox = active && {
    role: 'combobox',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': active.count > 0,
    ...(active.count > 0 && { 'aria-controls': active.listId }),
    ...(active.index >= 0 && { 'aria-activedescendant': active.optionId(active.index) }),
  }
  return (
    <div className="flex h-control items-center">
      <Search size={16} aria-hidden className="mr-2 ml-3 shrink-0 text-ink-faint" />
      <input
        {...combobox}
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={props['aria-label']}
        placeholder={placeholder}
        value={value}
        // Opened by the visitor's own press, the search is what they came for.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus={autoFocus}
        data-page-search={isPageSearch || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          active?.onKeyDown(event)
          onKeyDown?.(event)
        }}
        className="h-full min-w-0 flex-1 bg-transparent text-body outline-none placeholder:text-ink-faint touch:text-[16px]"
      />
      {value !== '' && (
        <IconButton aria-label="Clear search" onPress={() => onChange('')} className="-outline-offset-2">
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
