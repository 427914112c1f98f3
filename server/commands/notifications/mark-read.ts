import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Attention, seenBy } from '#machines/projections/attention.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

/** Somebody has looked at their notifications. Where there was none they had not seen, nothing happened. */
export function markRead(
  directory: Directory,
  command: CommandOf<'notifications.see'>,
  attention: Attention,
  hasNews: boolean,
): Decision {
  const { userId, upTo } = command.data
  const user = directory.users.get(userId)
  if (user === undefined) return refuse(404, NOT_FOUND)
  if (!hasNews || upTo <= seenBy(attention, userId)) return decided()
  return decided({
    ...originOf(command, user.companyId),
    type: 'notifications.seen',
    data: { userId, upTo },
  })
}
