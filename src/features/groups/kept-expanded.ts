import type { Group } from '#machines/contracts/entities/groups.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { firstExpanded } from './group-rows.ts'

const kept = new WeakMap<Fleet, ReadonlySet<string>>()

/**
 * Ids of the groups that stand open. They are kept as long as the fleet, i.e. the session: who comes back from a form
 * finds the table as they left it.
 */
export function expandedOf(fleet: Fleet, groups: readonly Group[]): ReadonlySet<string> {
  return kept.get(fleet) ?? firstExpanded(groups)
}

export function keepExpanded(fleet: Fleet, ids: ReadonlySet<string>): void {
  kept.set(fleet, ids)
}

/** Opens a group and all above it, once the table has been looked at: what was put there is to be seen. */
export function reveal(fleet: Fleet, groupId: string | null): void {
  const ids = kept.get(fleet)
  if (ids === undefined) return
  const next = new Set(ids)
  for (let id = groupId; id !== null; ) {
    next.add(id)
    id = fleet.groups.list[fleet.groups.indexOf(id)]?.parentId ?? null
  }
  kept.set(fleet, next)
}
