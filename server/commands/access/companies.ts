import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'

const MOST_REASON = 200
const REASON_TOO_LONG = `At most ${MOST_REASON} characters`

/**
 * Suspends a company or lets it in again; what is so already stays so without a fact. Either way all sessions there are over:
 * those inside are out at once, and nobody comes back in by one that another node opened meanwhile.
 */
export function changeSuspension(
  directory: Directory,
  command: CommandOf<'company.suspend' | 'company.resume'>,
): Decision {
  const { at, by, data } = command
  const company = directory.companies.get(data.companyId)
  if (company === undefined) return refuse(404, NOT_FOUND)
  const suspend = command.type === 'company.suspend'
  const reason = data.reason?.trim() ?? ''
  if (reason.length > MOST_REASON) return faulty([{ path: 'reason', message: REASON_TOO_LONG }])
  if (company.suspended === suspend) return decided()
  const { companyId } = company
  const origin = { at, companyId, ...(by === null ? {} : { by }) }
  return decided(
    {
      ...origin,
      type: suspend ? 'company.suspended' : 'company.resumed',
      data: { companyId, ...(reason === '' ? {} : { reason }) },
    },
    ...sessionsIn(directory, companyId).map(
      (session): NewFact => ({ ...origin, type: 'session.ended', data: { ...session, reason: 'suspended' } }),
    ),
  )
}

/** Of its own people, and of super admins who are inside it. */
function sessionsIn({ users }: Directory, companyId: string): { userId: string; sessionId: string }[] {
  return [...users.values()].flatMap((user) =>
    [...user.sessions.values()]
      .filter(({ handoff }) => (handoff ?? user).companyId === companyId || user.companyId === companyId)
      .map(({ sessionId }) => ({ userId: user._id, sessionId })),
  )
}
