import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Attention, commentsOn } from '#machines/projections/attention.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { isBlank, withoutControls } from '#machines/rules/plain-text.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { authorName, incidentInScope } from './in-scope.ts'

export const EMPTY_COMMENT = 'Please write a comment'
/** All of them stay in memory, and each answer has them all. */
export const MOST_COMMENTS = 200
export const NO_MORE_COMMENTS = `It has ${MOST_COMMENTS} comments, and takes no more`

/** Somebody writes under a notification, or of a lost device, that they see. `fact`: what it is about; refused: a blank, and more than `MOST_COMMENTS`. */
export function commentOn(
  directory: Directory,
  command: CommandOf<'notification.comment'>,
  fact: Fact | undefined,
  attention: Attention,
  topId: string,
): Decision {
  const notification = incidentInScope(directory, attention.incidents, fact, topId)
  if (notification === undefined) return refuse(404, NOT_FOUND)
  const { notificationId, commentId } = command.data
  const comment = withoutControls(command.data.comment).trim()
  if (isBlank(comment)) return faulty([{ path: 'comment', message: EMPTY_COMMENT }])
  if (commentsOn(attention, notificationId).length >= MOST_COMMENTS) return refuse(409, NO_MORE_COMMENTS)
  const { companyId, imei } = notification.device
  const userName = authorName(directory, command.by)
  return decided({
    ...originOf(command, companyId),
    type: 'notification.commented',
    data: { notificationId, commentId, imei, userName, comment },
  })
}
