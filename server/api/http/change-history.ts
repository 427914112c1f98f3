import type { ChangeHistory, Doer, FieldChange } from '#machines/contracts/entities/changes.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import type { Entry, History } from '#machines/projections/history.ts'
import type { Value, ValueChange } from '#machines/projections/touched.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { imagePath } from './group-answer.ts'
import { ApiError } from './refusals.ts'

export const FOR_MANAGERS = 'Only managers may read who changed what'
/** Shown in place of a group that the reader does not see. */
export const ANOTHER_GROUP = 'Another group'

const AT_ONCE = 100
const AT_FIRST = 50

/** What people did, as those see it who see the thing they did it to. */
export function createChangeHistories({ directory, history }: Pick<ReadModels, 'directory' | 'history'>) {
  return {
    /** Newest first. @throws ApiError where the reader is no manager */
    page(
      visitor: Visitor,
      of: 'groups' | 'users' | 'devices',
      id: string,
      { skip = 0, limit = AT_FIRST }: { skip?: number | undefined; limit?: number | undefined },
    ): ChangeHistory {
      if (!isManager(directory, visitor)) throw new ApiError(403, FOR_MANAGERS)
      const entries = history[of].get(id) ?? []
      const end = Math.max(0, entries.length - skip)
      const chosen = entries.slice(Math.max(0, end - Math.min(limit, AT_ONCE)), end).reverse()
      return {
        changes: chosen.map(({ at, by, action, changes, more }) => ({
          at: new Date(at).toISOString(),
          by: doer(directory, history, by),
          action,
          changes: changes.map((change) => shown(directory, history, visitor, change)),
          more,
        })),
        total: entries.length,
      }
    },
    /** Who changed something last. */
    last(of: 'groups' | 'users' | 'devices', id: string): { by: Doer; at: string | null } {
      const entry: Entry | undefined = history[of].get(id)?.at(-1)
      if (entry === undefined) return { by: null, at: null }
      return { by: doer(directory, history, entry.by), at: new Date(entry.at).toISOString() }
    },
  }
}

const isManager = ({ users }: Directory, { userId, superAdmin }: Visitor): boolean =>
  superAdmin || users.get(userId)?.type === 'Manager'

function doer({ users }: Directory, { people }: History, by: string | null): Doer {
  if (by === null) return null
  const user = users.get(by)
  return { _id: by, name: user ? `${user.firstName} ${user.lastName}`.trim() : (people.get(by) ?? '') }
}

function shown(
  directory: Directory,
  history: History,
  visitor: Visitor,
  { field, before, after }: ValueChange,
): FieldChange {
  const named = (value: Value) => {
    if (field === 'image' && typeof value === 'string') return imagePath(value)
    if (typeof value !== 'object' || value === null) return value
    return isSeen(directory, history, value.groupId, visitor.groupId) ? value.name : ANOTHER_GROUP
  }
  return { field, before: named(before), after: named(after) }
}

/** Whether a group, there or gone, hung somewhere below the visitor's own. */
function isSeen(directory: Directory, { gone }: History, groupId: string, topId: string): boolean {
  let id: string | undefined = groupId
  while (id !== undefined && !directory.groups.has(id)) id = gone.get(id)
  return id !== undefined && isWithin(directory, id, topId)
}
