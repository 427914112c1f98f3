import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type DisclosureProps = {
  title: string
  /** beside the title: what is inside, in short */
  summary?: ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}

/** A part of a page that folds. What is inside stays as it is while it is folded: nothing typed is lost. */
export function Disclosure({ title, summary, isOpen, onOpenChange, children }: DisclosureProps) {
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-panel bg-surface shadow-soft">
      <h2 className="font-semibold text-body">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => onOpenChange(!isOpen)}
          className="flex min-h-12 w-full items-center gap-3 rounded-panel px-4 text-left hover:bg-hover"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={classNames(
              'shrink-0 text-ink-faint transition-transform duration-150',
              isOpen && 'rotate-90',
            )}
          />
          <span id={`${id}-title`}>{title}</span>
          {summary && (
            <span className="tabular ml-auto truncate font-normal text-dense text-ink-soft">{summary}</span>
          )}
        </button>
      </h2>
      <div id={id} hidden={!isOpen} className="px-4 pb-4">
        {children}
      </div>
    </section>
  )
}
