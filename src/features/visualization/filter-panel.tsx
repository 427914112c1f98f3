import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'

export type FilterPanelProps = {
  /** what is asked for, in short */
  summary: string
  /** something in it is wrong: it has to be seen */
  isNeeded: boolean
  children: ReactNode
}

/** The filter beside what it filters; above it, and folded away, where there is no room beside. */
export function FilterPanel({ summary, isNeeded, children }: FilterPanelProps) {
  const id = useId()
  const [wasOpened, setOpened] = useState(false)
  const isOpen = wasOpened || isNeeded
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex min-h-0 flex-col rounded-panel bg-surface shadow-soft desk:sticky desk:top-6 desk:max-h-[calc(100dvh-9rem)]"
    >
      <h2 id={`${id}-title`} className="px-4 pt-3 pb-1 font-semibold text-body max-desk:hidden">
        Filter Criteria
      </h2>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpened(!isOpen)}
        className="flex min-h-12 w-full items-center gap-3 rounded-panel px-4 text-left hover:bg-hover desk:hidden"
      >
        <span className="font-semibold">Filter Criteria</span>
        <span className="min-w-0 flex-1 truncate text-right text-dense text-ink-soft">{summary}</span>
        <ChevronDown
          size={16}
          aria-hidden
          className={classNames('shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <div
        id={id}
        className={classNames(
          'min-h-0 overflow-y-auto overscroll-contain px-4 pt-2',
          !isOpen && 'max-desk:hidden',
        )}
      >
        {children}
      </div>
    </section>
  )
}
