import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Ref } from 'react'
import { sorterOf } from '../../../read-model/sorted-rows.ts'
import { useFleetItself } from '../../../read-model/use-fleet.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useBuilt } from '../use-built.ts'
import { LIST_COLUMNS } from './list-columns.ts'
import { type ColumnKey, type ListLook, sortedBy, TITLES, WIDTHS, widthOf } from './list-look.ts'

type HeadProps = {
  look: ListLook
  onLook: (look: ListLook) => void
  isPickable: boolean
  ref: Ref<HTMLDivElement>
  /** a heading that takes the focus comes into sight, and its column with it */
  onScroll: (left: number) => void
}

/** Over the columns: each sorts by what is below it, but who has it: for that there are views. Moved along with the rows by the list. */
export default function ColumnHeads({ look, onLook, isPickable, ref, onScroll }: HeadProps) {
  const { sort, columns } = look
  useBuilt(sorterOf(useFleetItself()).prepare)
  const keys: ColumnKey[] = ['name', ...columns]
  return (
    <div
      ref={ref}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollLeft)}
      className="shrink-0 overflow-hidden border-line border-b"
    >
      <div className="flex pl-2" style={{ width: widthOf(columns) + (isPickable ? 24 : 0) }}>
        {isPickable && <span className="w-6 shrink-0" />}
        {keys.map((key) => {
          const { kind } = LIST_COLUMNS[key]
          const title = TITLES[key]
          const isBy = sort?.by === key
          if (key === 'holder')
            return (
              <span
                key={key}
                style={{ width: WIDTHS[key] }}
                className="flex h-8 shrink-0 items-center px-2 font-medium text-dense text-ink-soft touch:h-10"
              >
                {title}
              </span>
            )
          return (
            <button
              key={key}
              type="button"
              aria-label={`Sort by ${title}`}
              aria-pressed={isBy}
              onClick={() => onLook({ ...look, sort: sortedBy(look, key) })}
              style={{ width: WIDTHS[key] }}
              className={classNames(
                'flex h-8 shrink-0 items-center gap-1 truncate rounded-small px-2 font-medium text-dense text-ink-soft hover:text-ink touch:h-10',
                kind !== 'text' && 'justify-end',
                isBy && 'text-accent-strong',
              )}
            >
              {title}
              {isBy &&
                (sort.isDescending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
            </button>
          )
        })}
      </div>
    </div>
  )
}
