import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Attention } from '#machines/projections/attention.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { withoutControls } from '#machines/rules/plain-text.ts'
import { acknowledgedOf } from '../../read-models/notification-of.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { authorName, incidentInScope, subjectOf } from './in-scope.ts'

export const NO_VIOLATION = 'Only a violation can be acknowledged'

/**
 * Somebody takes care of the violation of a notification, or of a lost device, also of one that is over. The first who acknowledges
 * it does: others get their name.
 */
export function acknowledge(
  directory: Directory,
  command: CommandOf<'violation.acknowledge'>,
  fact: Fact | undefined,
  { incidents, violations }: Attention,
  topId: string,
): Decision {
  const notification = incidentInScope(directory, incidents, fact, topId)
  if (notification === undefined) return refuse(404, NOT_FOUND)
  const subject = subjectOf(notification.fact, incidents)
  if (subject === undefined) return refuse(422, NO_VIOLATION)
  const { violationId, imei, type } = subject
  const already = acknowledgedOf(violations, violationId)
  if (already !== null) {
    const message = `Already acknowledged by ${already.userName}`
    return { facts: [], refused: { status: 409, message, extra: { acknowledged: already } } }
  }
  const { notificationId } = command.data
  const comment = withoutControls(command.data.comment).trim()
  const reason = withoutControls(command.data.reason ?? '').trim()
  const userName = authorName(directory, command.by)
  return decided({
    ...originOf(command, notification.device.companyId),
    type: 'violation.acknowledged',
    data: {
      violationId,
      notificationId,
      imei,
      type,
      userName,
      comment,
      ...(reason !== '' && { reason }),
    },
  })
}
