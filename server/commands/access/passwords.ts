import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Directory, User } from '#machines/projections/directory.ts'
import { linksOf } from '#machines/projections/links.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { SESSION_OVER, sessionsEnded, suspension } from './sessions.ts'

/** The user must set a new password at the next sign-in; where they are signed in, they are signed out. */
export function requireReset(
  directory: Directory,
  { at, by, data }: CommandOf<'user.require-reset'>,
): Decision {
  const user = directory.users.get(data.userId)
  if (user === undefined) return refuse(404, NOT_FOUND)
  const origin = { at, companyId: user.companyId, ...(by === null ? {} : { by }) }
  return decided(
    { ...origin, type: 'user.reset-required', data: { userId: user._id } },
    ...sessionsEnded(user, at),
  )
}

/** Of somebody who must set a new one, as often as that is demanded, by the token of their last sign-in alone. */
export function setPassword(directory: Directory, { at, data }: CommandOf<'user.set-password'>): Decision {
  const user = directory.users.get(data.userId)
  if (user === undefined || !user.resetRequired || user.resetId !== data.resetId)
    return refuse(401, SESSION_OVER)
  const suspended = suspension(directory.companies.get(user.companyId))
  if (suspended) return { facts: [], refused: suspended }
  return decided(...passwordSet(directory, user, data.hash, at))
}

/**
 * A new password ends every session there is, as whoever knew the old one is out, and every link: none may be good for
 * setting it once more. An activation link counts as used, whichever way the first password came about.
 * @param usedLink the link that was used for it, if one was
 */
export function passwordSet(
  { links }: Directory,
  user: User,
  hash: string,
  at: number,
  usedLink?: string,
): NewFact[] {
  const userId = user._id
  const origin = { at, companyId: user.companyId, by: userId }
  const open = linksOf(links, userId).filter(({ state }) => state === 'open')
  return [
    { ...origin, type: 'user.password-set', data: { userId, hash } },
    ...open.map(({ linkId, purpose }): NewFact => {
      const isUsed = linkId === usedLink || purpose === 'activation'
      return { ...origin, type: isUsed ? 'link.used' : 'link.expired', data: { linkId, userId } }
    }),
    ...sessionsEnded(user, at),
  ]
}
