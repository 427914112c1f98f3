import { type Directory, type Session, type User, userByLogin } from '#machines/projections/directory.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import type { Claims } from '../../auth/access-tokens.ts'

/** A session lives as long as it is refreshed at least once in this time: a week, ms. */
export const SESSION_MS = 7 * 24 * 3_600_000
/** The same of a super admin's in a company not their own: a working day. */
export const HANDOFF_MS = 8 * 3_600_000

/** What the answers about somebody's session have in common. */
export const nameOf = ({ firstName, lastName }: User): string => `${firstName} ${lastName}`.trim()

/** Where a session speaks for: a super admin inside a company is there, everybody else where they belong. */
export function placeOf(user: User, sessionId: string): { companyId: string; groupId: string } {
  const { companyId, groupId } = user.sessions.get(sessionId)?.handoff ?? user
  return { companyId, groupId }
}

/** When a session ends unless it is refreshed, epoch seconds. */
export const endOf = (user: User, sessionId: string): number =>
  Math.floor((user.sessions.get(sessionId)?.expiresAt ?? 0) / 1000)

/** The user as the portal keeps them beside their session. */
export const sessionUser = (user: User, sessionId: string) => ({
  _id: user._id,
  name: nameOf(user),
  userName: user.userName,
  ...placeOf(user, sessionId),
  exp: endOf(user, sessionId),
})

/** What an access token says of a session: of where it speaks for, which a super admin's may be another company. */
export function claimsOf(user: User, sessionId: Session['sessionId']): Omit<Claims, 'iat' | 'exp'> {
  return {
    sub: user._id,
    ...placeOf(user, sessionId),
    sid: sessionId,
    scope: 'full',
    ...(user.superAdmin ? { superAdmin: true } : {}),
  }
}

/** An account as somebody typed it, and whose it is. Limits count what was typed, so that they show nothing of who there is. */
export function accountOf(directory: Directory, typed: string): { account: string; user: User | undefined } {
  return { account: mailboxOf(typed), user: userByLogin(directory, typed) }
}
