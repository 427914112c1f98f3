import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { isStale, userVersion } from '#machines/projections/versions.ts'
import { normalPhone, userFaults } from '#machines/rules/user-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { changesOf, isEmpty, originOf } from '../structure.ts'

export const NOT_YOURSELF = 'You cannot move yourself to another group'

/** Name, phone, role and group of a user in the requester's scope. Who moved themselves could not come back. */
export function updateUser(directory: Directory, command: CommandOf<'user.update'>, topId: string): Decision {
  const { userId, ifVersion, ...typed } = command.data
  const user = directory.users.get(userId)
  if (user === undefined || user.superAdmin || !isWithin(directory, user.groupId, topId))
    return refuse(404, NOT_FOUND)
  if (isStale(ifVersion, userVersion(directory, user), 'first')) return stale()
  if (typed.groupId !== '' && !isWithin(directory, typed.groupId, topId)) return refuse(404, NOT_FOUND)
  const role = typed.role ?? user.role
  const faults = userFaults({ ...typed, role })
  if (faults.length > 0) return faulty(faults)
  if (userId === command.by && typed.groupId !== user.groupId) return refuse(409, NOT_YOURSELF)
  const { firstName, lastName, phone, groupId } = user
  const changes = changesOf(
    { firstName, lastName, phone, groupId, role: user.role },
    {
      firstName: typed.firstName.trim(),
      lastName: typed.lastName.trim(),
      phone: normalPhone(typed.phone),
      groupId: typed.groupId,
      role: role.trim(),
    },
  )
  if (isEmpty(changes)) return decided()
  return decided({
    ...originOf(command, user.companyId),
    type: 'user.updated',
    data: { userId, ...changes },
  })
}
