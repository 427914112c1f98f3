import { ChevronRight, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { formatCount } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { iconButtonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { GroupRow } from './group-rows.ts'

/** The columns where there is room for them; below that a row is a card. */
export const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(14rem,1fr)_repeat(4,minmax(6.5rem,8.5rem))_6rem] desk:items-center desk:gap-3'

export type GroupCellsProps = {
  row: GroupRow
  isOwn: boolean
  onExpand: () => void
  onDelete: () => void
}

/** The cells of one group. On a card each count has its name beside it. */
export function GroupCells({ row, isOwn, onExpand, onDelete }: GroupCellsProps) {
  const { group, level, hasChildren, isExpanded } = row
  return (
    <>
      <td
        className="flex min-w-0 items-center gap-1 max-desk:pr-22"
        style={{ paddingLeft: `calc(${level - 1} * var(--group-step))` }}
      >
        {hasChildren ? (
          <IconButton
            aria-label={`${isExpanded ? 'Fold' : 'Unfold'} ${group.name}`}
            onPress={onExpand}
            excludeFromTabOrder
            className="-ml-2"
          >
            <ChevronRight
              size={16}
              aria-hidden
              className={classNames('transition-transform', isExpanded && 'rotate-90')}
            />
          </IconButton>
        ) : (
          <span className="-ml-2 w-control shrink-0" />
        )}
        <span className="flex min-w-0 flex-col">
          <span className="flex min-w-0 items-center gap-2">
            <span title={group.name} className="truncate font-medium">
              {group.name}
            </span>
            {isOwn && <Badge tone="accent">Yours</Badge>}
          </span>
          {group.description !== '' && (
            <span title={group.description} className="truncate text-dense text-ink-faint">
              {group.description}
            </span>
          )}
        </span>
      </td>
      <Figure
        name={group.totalVehicles === 1 ? 'device' : 'devices'}
        value={group.totalVehicles}
        step={level}
      />
      <Figure name="assigned below" value={group.assignedVehicles} />
      <Figure name="unassigned" value={group.unAssignedvehicles} />
      <Figure name={group.users === 1 ? 'user' : 'users'} value={group.users} />
      <td className="flex items-center justify-end max-desk:absolute max-desk:top-1 max-desk:right-2">
        {!isOwn && (
          <>
            <Link
              href={`/groups/${group._id}/update`}
              aria-label={`Edit ${group.name}`}
              className={iconButtonLook()}
            >
              <Pencil size={16} aria-hidden />
            </Link>
            <IconButton aria-label={`Delete ${group.name}`} onPress={onDelete}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </>
        )}
      </td>
    </>
  )
}

/** `step`: of the first on a card, which stands below the name. */
function Figure({ name, value, step }: { name: string; value: number; step?: number }) {
  return (
    <td
      className={classNames(
        'tabular max-desk:inline max-desk:text-dense max-desk:text-ink-soft desk:text-right',
        value === 0 && 'desk:text-ink-faint',
        step === undefined && "max-desk:before:content-['_·_']",
      )}
      style={
        step === undefined
          ? undefined
          : { marginLeft: `calc(${step - 1} * var(--group-step) + var(--group-inset))` }
      }
    >
      {formatCount(value)}
      <span className="desk:hidden"> {name}</span>
    </td>
  )
}
