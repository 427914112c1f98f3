import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import type { Option, Options } from './options.ts'
import { rowHeight } from './row-height.ts'
import type { ActiveOption } from './use-active-option.ts'

export type OptionListProps = {
  'aria-label': string
  options: Options
  active: ActiveOption
  /** left out: a list to go to one thing, without ticks */
  isSelected?: (option: Option, index: number) => boolean
  /** one at most is selected */
  isSingle?: boolean
  onPick: (index: number) => void
  /** some rows are higher than others, which are measured: for lists of a few dozen, all of which exist */
  isUneven?: boolean
  /** the row's inside; its text and detail by default */
  render?: (option: Option, index: number) => ReactNode
  className?: string
}

/** Options in a scroller, of which only those in view exist. Walked from a search field by useActiveOption. */
export function OptionList({
  options,
  active,
  isSelected,
  isSingle = false,
  onPick,
  isUneven = false,
  render = plainOption,
  className,
  ...props
}: OptionListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: options.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight(),
    overscan: isUneven ? options.length : 6,
  })
  useEffect(() => {
    if (active.index >= 0) rows.scrollToIndex(active.index, { align: 'auto' })
  }, [active.index, rows])

  return (
    <div ref={scroller} className={classNames('overflow-y-auto overscroll-contain', className)}>
      <div
        role="listbox"
        id={active.listId}
        aria-label={props['aria-label']}
        aria-multiselectable={isSelected !== undefined && !isSingle}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const option = options.at(index)
          return (
            // The keys are handled by the search field, which holds the focus.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={option.id}
              ref={isUneven ? rows.measureElement : undefined}
              data-index={index}
              data-focused={index === active.index || undefined}
              role="option"
              tabIndex={-1}
              id={active.optionId(index)}
              aria-selected={isSelected?.(option, index) ?? index === active.index}
              aria-disabled={option.unavailable === undefined ? undefined : true}
              aria-setsize={options.length}
              aria-posinset={index + 1}
              onPointerMove={() => active.setIndex(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(index)}
              className={classNames(
                'absolute inset-x-1 flex items-center gap-3 rounded-small px-3 outline-none',
                isUneven ? 'min-h-row py-1' : 'h-row',
                index === active.index && 'bg-hover',
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              {render(option, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function plainOption({ text, detail }: Option): ReactNode {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {detail && <span className="max-w-1/2 shrink-0 truncate text-dense text-ink-faint">{detail}</span>}
    </>
  )
}
