import { ChevronRight, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { formatCount } from '../../format/numbers.ts'
import { glyphOf } from '../../layout/glyph-of.ts'
import type { GroupHealth } from '../../read-model/group-health.ts'
import { Badge } from '../../ui/badge.tsx'
import { iconButtonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import type { GroupRow } from './group-rows.ts'

/** The columns where there is room for them; below that a row is a card. */
export const COLUMNS =
  'max-desk:flex max-desk:flex-wrap max-desk:gap-x-1 desk:grid desk:grid-cols-[minmax(14rem,1fr)_repeat(4,minmax(6rem,8.5rem))_minmax(7.5rem,9rem)_6rem] desk:items-center desk:gap-3'

export type GroupCellsProps = {
  row: GroupRow
  /** with all below it; undefined: not known yet */
  health: GroupHealth | undefined
  isOwn: boolean
  onExpand: () => void
  onDelete: () => void
}

/** The cells of one group. On a card each count has its name beside it. */
export function GroupCells({ row, health, isOwn, onExpand, onDelete }: GroupCellsProps) {
  const { group, hasChildren, isExpanded } = row
  return (
    <>
      <td className="flex min-h-control min-w-0 items-center gap-1 desk:pl-[calc(var(--level)*20px)] max-desk:w-full max-desk:pr-20">
        {hasChildren ? (
          <IconButton
            aria-label={`${isExpanded ? 'Fold' : 'Unfold'} ${group.name}`}
            onPress={onExpand}
            excludeFromTabOrder
            className="-ml-2 max-desk:-ml-12"
          >
            <ChevronRight
              size={16}
              aria-hidden
              className={classNames('transition-transform', isExpanded && 'rotate-90')}
            />
          </IconButton>
        ) : (
          <span className="-ml-2 w-control shrink-0 max-desk:hidden" />
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
      <Figure name={group.totalVehicles === 1 ? 'device' : 'devices'} value={group.totalVehicles} />
      <Figure name="assigned below" value={group.assignedVehicles} />
      <Figure name="unassigned" value={group.unAssignedvehicles} />
      <Figure name={group.users === 1 ? 'user' : 'users'} value={group.users} />
      <Health health={health} />
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

/** How much is open in the group and below it, with the sign of the worst, and how many devices are near a limit. */
function Health({ health }: { health: GroupHealth | undefined }) {
  const open = health?.open ?? 0
  return (
    <td className="tabular flex items-center gap-1.5 max-desk:text-dense desk:justify-end">
      {health !== undefined && open > 0 ? (
        <>
          <StateGlyph state={glyphOf(health.worst)} size={12} />
          <span className="font-semibold">{formatCount(open)}</span>
        </>
      ) : (
        <span className="text-ink-faint">{health === undefined ? '–' : '0'}</span>
      )}
      <span className="text-ink-soft desk:hidden">open</span>
      {health !== undefined && health.near > 0 && (
        <span
          className="text-dense text-ink-soft"
          title="Near a limit, or beyond one but not yet for long enough"
        >
          {`· ${formatCount(health.near)} near`}
        </span>
      )}
    </td>
  )
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <td
      className={classNames(
        'tabular max-desk:text-dense max-desk:text-ink-soft desk:text-right',
        value === 0 && 'desk:text-ink-faint',
        "max-desk:after:content-['_·']",
      )}
    >
      {formatCount(value)}
      <span className="desk:hidden"> {name}</span>
    </td>
  )
}
