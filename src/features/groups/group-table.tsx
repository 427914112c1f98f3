import { useRef } from 'react'
import type { GroupHealth } from '../../read-model/group-health.ts'
import { classNames } from '../../ui/class-names.ts'
import { COLUMNS, GroupCells } from './group-cells.tsx'
import type { GroupRow } from './group-rows.ts'
import { useWalkedTree } from './use-walked-tree.ts'

export type GroupTableProps = {
  rows: readonly GroupRow[]
  /** by group id */
  health: ReadonlyMap<string, GroupHealth>
  /** the visitor's own group: neither edited nor deleted here */
  own: string
  onExpand: (id: string, isExpanded: boolean) => void
  onEdit: (id: string) => void
  onDelete: (row: GroupRow) => void
}

const HEADS = [
  'GROUP NAME',
  'TOTAL DEVICES',
  'ASSIGNED DEVICES',
  'UNASSIGNED DEVICES',
  'NUMBER OF USERS',
  'OPEN VIOLATIONS',
  'ACTION',
]

/** Groups as a table that expands, on narrow screens as cards; of thousands only those in view exist. */
export function GroupTable({ rows, health, own, onExpand, onEdit, onDelete }: GroupTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const tree = useWalkedTree({
    rows,
    table,
    onExpand,
    onEnter: ({ group }) => group._id !== own && onEdit(group._id),
  })
  return (
    <table
      ref={table}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that expands and is walked by keys is a treegrid
      role="treegrid"
      data-walked
      aria-label="Groups"
      aria-rowcount={rows.length + 1}
      aria-colcount={HEADS.length}
      onKeyDown={tree.onKeyDown}
      className="block"
    >
      <thead className="sticky top-0 z-2 block print:static border-line bg-surface desk:border-b max-desk:sr-only">
        <tr
          aria-rowindex={1}
          className={classNames(COLUMNS, 'min-h-row px-4 py-1 text-dense text-ink-faint')}
        >
          {HEADS.map((head) => (
            <th key={head} scope="col" className="text-right font-medium first:text-left">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="relative block print:h-auto!" style={{ height: tree.virtual.getTotalSize() }}>
        {tree.virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index] as GroupRow
          return (
            <tr
              key={key}
              ref={tree.virtual.measureElement}
              id={tree.idOf(row.group._id)}
              data-index={index}
              tabIndex={index === tree.activeIndex ? 0 : -1}
              aria-rowindex={index + 2}
              aria-level={row.level}
              aria-posinset={row.place}
              aria-setsize={row.siblings}
              {...(row.hasChildren && { 'aria-expanded': row.isExpanded })}
              onFocus={() => tree.stand(row.group._id)}
              style={{
                transform: `translateY(${start - tree.margin}px)`,
                ['--level' as string]: row.level - 1,
              }}
              className={classNames(
                COLUMNS,
                index > 0 && 'border-t',
                'absolute inset-x-0 border-line py-2 pr-4 print:relative print:transform-none! -outline-offset-2 hover:bg-hover max-desk:pl-[calc(48px+var(--level)*12px)] desk:min-h-11 desk:py-1 desk:pl-4',
              )}
            >
              <GroupCells
                row={row}
                health={health.get(row.group._id)}
                isOwn={row.group._id === own}
                onExpand={() => onExpand(row.group._id, !row.isExpanded)}
                onDelete={() => onDelete(row)}
              />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
