import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { sessionsEnded } from './sessions.ts'

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

/** A new password ends every session there is: whoever knew the old one is out. */
export function setPassword(
  directory: Directory,
  { at, by, data }: CommandOf<'user.set-password'>,
): Decision {
  const user = directory.users.get(data.userId)
  if (user === undefined) return refuse(404, NOT_FOUND)
  const origin = { at, companyId: user.companyId, ...(by === null ? {} : { by }) }
  return decided({ ...origin, type: 'user.password-set', data }, ...sessionsEnded(user, at))
}
