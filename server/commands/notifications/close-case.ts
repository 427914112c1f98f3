import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Violations } from '#machines/projections/violations.ts'
import { isBlank, withoutControls } from '#machines/rules/plain-text.ts'
import { CASE_MEANINGS } from '#machines/rules/sign-off-words.ts'
import { clearedAtOf, isViolationFact } from '../../read-models/notification-of.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { notificationInScope } from './in-scope.ts'

export const NO_CASE = 'Only a violation has a case'
export const STILL_LASTS = 'It still lasts: a case can be closed once its violation is over'
export const NO_REASON = 'Please say why it is closed'
export const WRONG_MEANING = 'A case is closed as reviewed, investigated or approved'

/** Somebody signs that nothing is left to do about a violation that is over; the first who does closes it. */
export function closeCase(
  directory: Directory,
  command: CommandOf<'case.close'>,
  fact: Fact | undefined,
  violations: Violations,
  topId: string,
): Decision {
  const found = notificationInScope(directory, fact, topId)
  if (found === undefined) return refuse(404, NOT_FOUND)
  if (!isViolationFact(found.fact)) return refuse(422, NO_CASE)
  const { violationId, imei, type } = found.fact.data
  const closed = violations.closed.get(violationId)
  if (closed !== undefined) return refuse(409, `Already closed by ${closed}`)
  if (clearedAtOf(found.fact, violations) === undefined) return refuse(422, STILL_LASTS)
  const { notificationId, signOff } = command.data
  if (!CASE_MEANINGS.includes(signOff.meaning)) return faulty([{ path: 'meaning', message: WRONG_MEANING }])
  const reason = withoutControls(command.data.reason).trim()
  if (isBlank(reason)) return faulty([{ path: 'reason', message: NO_REASON }])
  return decided({
    ...originOf(command, found.device.companyId),
    type: 'case.closed',
    data: { violationId, notificationId, imei, type, reason, signOff },
  })
}
