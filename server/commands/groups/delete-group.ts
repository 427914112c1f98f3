import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { moved, originOf } from '../structure.ts'

export const OWN_GROUP_STAYS = 'Your own group cannot be deleted'

/**
 * A group goes; its devices, its users and the groups directly below it go to the group above, all in one commit
 * (docs/decisions/0019). Not the requester's own group: `topId`.
 */
export function deleteGroup(
  directory: Directory,
  command: CommandOf<'group.delete'>,
  topId: string,
): Decision {
  const { groupId } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  const { parentId, companyId } = group
  if (groupId === topId || parentId === null) return refuse(403, OWN_GROUP_STAYS)
  const origin = originOf(command, companyId)
  const devices = [...group.devices].flatMap((no) => directory.devices[no] ?? [])
  return decided(
    ...moved(devices, parentId, origin),
    ...[...group.users].map(
      (userId): NewFact => ({ ...origin, type: 'user.updated', data: { userId, groupId: parentId } }),
    ),
    ...group.child.map(
      (child): NewFact => ({ ...origin, type: 'group.updated', data: { groupId: child, parentId } }),
    ),
    { ...origin, type: 'group.deleted', data: { groupId } },
  )
}
