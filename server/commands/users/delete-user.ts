import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

export const YOURSELF = 'You cannot delete yourself'

/** A user in the requester's scope goes, and every session of theirs ends. Nobody deletes themselves: somebody must stay. */
export function deleteUser(directory: Directory, command: CommandOf<'user.delete'>, topId: string): Decision {
  const { userId } = command.data
  const user = directory.users.get(userId)
  if (user === undefined || user.superAdmin || !isWithin(directory, user.groupId, topId))
    return refuse(404, NOT_FOUND)
  if (userId === command.by) return refuse(409, YOURSELF)
  const origin = originOf(command, user.companyId)
  return decided(
    ...[...user.sessions.keys()].map(
      (sessionId): NewFact => ({
        ...origin,
        type: 'session.ended',
        data: { userId, sessionId, reason: 'remote' },
      }),
    ),
    { ...origin, type: 'user.deleted', data: { userId } },
  )
}
