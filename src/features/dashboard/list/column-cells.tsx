import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Ref } from 'react'
import type { SortKey } from '../../../read-model/sorted-rows.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Age } from '../../../ui/relative-time.tsx'
import type { Device } from '../device.ts'
import { LIST_COLUMNS } from './list-columns.ts'
import { type ListLook, sortedBy } from './list-look.ts'
import { Temperature } from './temperature.tsx'

/** What stands beside the columns: the sign, the name, the pencil, px. */
const BESIDE = 256
/** Of the sign and the name, which stay in sight, px. */
export const NAME_WIDTH = 176

export const widthOf = (columns: readonly SortKey[]): number =>
  columns.reduce((sum, key) => sum + LIST_COLUMNS[key].width, BESIDE)

/** The chosen columns of one device. */
export function ColumnCells({
  device,
  columns,
  isFaded,
}: {
  device: Device
  columns: readonly SortKey[]
  isFaded: boolean
}) {
  return columns.map((key) => {
    const { width, kind, value, text } = LIST_COLUMNS[key]
    const known = value(device)
    return (
      <span
        key={key}
        style={{ width }}
        className={classNames(
          'tabular shrink-0 truncate px-2 text-dense',
          kind !== 'text' && 'text-right',
          isFaded && kind !== 'text' && 'text-ink-faint',
        )}
      >
        {key === 'temperature' ? (
          <Temperature device={device} isFaded={isFaded} />
        ) : key === 'at' ? (
          device.at === null ? (
            'never'
          ) : (
            <Age at={device.at} />
          )
        ) : (
          (text?.(device) ?? (typeof known === 'number' ? known.toFixed(5) : known || 'N/A'))
        )}
      </span>
    )
  })
}

type HeadProps = {
  look: ListLook
  onLook: (look: ListLook) => void
  isPickable: boolean
  ref: Ref<HTMLDivElement>
}

/** Over the columns: each sorts by what is below it. Moved along with the rows by the list. */
export function ColumnHeads({ look, onLook, isPickable, ref }: HeadProps) {
  const { sort, columns } = look
  const keys: SortKey[] = ['name', ...columns]
  return (
    <div className="shrink-0 overflow-hidden border-line border-b">
      <div ref={ref} className="flex pl-2" style={{ width: widthOf(columns) + (isPickable ? 28 : 0) }}>
        {isPickable && <span className="w-7 shrink-0" />}
        {keys.map((key) => {
          const { title, width, kind } = LIST_COLUMNS[key]
          const isBy = sort?.by === key
          return (
            <button
              key={key}
              type="button"
              aria-label={`Sort by ${title}`}
              aria-pressed={isBy}
              onClick={() => onLook({ ...look, sort: sortedBy(look, key) })}
              style={{ width: key === 'name' ? NAME_WIDTH : width }}
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
