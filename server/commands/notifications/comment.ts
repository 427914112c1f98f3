import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { toldBy } from '../structure.ts'
import { nameOfAsker, notificationInSight } from './in-scope.ts'

export const EMPTY_COMMENT = 'Please write a comment'

/** Somebody writes under a notification they see. `fact`: the one it tells of; blank is nothing to say. */
export function commentOn(
  directory: Directory,
  command: CommandOf<'notification.comment'>,
  fact: Fact | undefined,
  sight: string,
): Decision {
  const notification = notificationInSight(directory, fact, sight)
  if (notification === undefined) return refuse(404, NOT_FOUND)
  const { notificationId, commentId } = command.data
  const comment = command.data.comment.trim()
  if (comment === '') return faulty([{ path: 'comment', message: EMPTY_COMMENT }])
  const { companyId, imei } = notification.device
  const userName = nameOfAsker(directory, command.by)
  return decided({
    ...toldBy(command, companyId),
    type: 'notification.commented',
    data: { notificationId, commentId, imei, userName, comment },
  })
}
