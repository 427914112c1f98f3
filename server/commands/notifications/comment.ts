import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Incidents } from '#machines/projections/incidents.ts'
import { isBlank, withoutControls } from '#machines/rules/plain-text.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { authorName, incidentInScope } from './in-scope.ts'

export const EMPTY_COMMENT = 'Please write a comment'

/** Somebody writes under a notification, or of a lost device, that they see. `fact`: what it is about; blank is refused. */
export function commentOn(
  directory: Directory,
  command: CommandOf<'notification.comment'>,
  fact: Fact | undefined,
  incidents: Incidents,
  topId: string,
): Decision {
  const notification = incidentInScope(directory, incidents, fact, topId)
  if (notification === undefined) return refuse(404, NOT_FOUND)
  const { notificationId, commentId } = command.data
  const comment = withoutControls(command.data.comment).trim()
  if (isBlank(comment)) return faulty([{ path: 'comment', message: EMPTY_COMMENT }])
  const { companyId, imei } = notification.device
  const userName = authorName(directory, command.by)
  return decided({
    ...originOf(command, companyId),
    type: 'notification.commented',
    data: { notificationId, commentId, imei, userName, comment },
  })
}
