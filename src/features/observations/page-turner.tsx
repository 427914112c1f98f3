import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../format/numbers.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PAGE_SIZES, type PageShown } from './observations-address.ts'

export type PageTurnerProps = PageShown & { total: number; onTurn: (to: PageShown) => void }

/** How many rows a page has, which of all are shown, and the way to the others. */
export function PageTurner({ total, page, size, onTurn }: PageTurnerProps) {
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const turns = [
    { label: 'First page', to: 0, Icon: ChevronFirst, isOff: page === 0 },
    { label: 'Previous page', to: page - 1, Icon: ChevronLeft, isOff: page === 0 },
    { label: 'Next page', to: page + 1, Icon: ChevronRight, isOff: page >= last },
    { label: 'Last page', to: last, Icon: ChevronLast, isOff: page >= last },
  ]
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1 text-dense text-ink-soft"
    >
      <span className="flex items-center gap-1">
        <span id="rows-a-page">Rows per page</span>
        {PAGE_SIZES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === size}
            aria-label={`${each} rows per page`}
            // What stood first stays in view.
            onClick={() => onTurn({ page: Math.floor((page * size) / each), size: each })}
            className="tabular h-control min-w-control rounded-small px-2 font-medium hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
          >
            {each}
          </button>
        ))}
      </span>
      <span className="flex-1" />
      <output className="tabular">
        {`${formatCount(page * size + 1)}–${formatCount(Math.min(total, (page + 1) * size))} of ${formatCount(total)}`}
      </output>
      <span className="flex">
        {turns.map(({ label, to, Icon, isOff }) => (
          <IconButton
            key={label}
            aria-label={label}
            isDisabled={isOff}
            onPress={() => onTurn({ page: to, size })}
          >
            <Icon size={16} aria-hidden />
          </IconButton>
        ))}
      </span>
    </nav>
  )
}
