import type { SigningOff, SignOff } from '#machines/contracts/entities/sign-off.ts'
import { verifyPassword } from '../../auth/passwords.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { SESSION_OVER } from '../../commands/access/sessions.ts'
import { nameOf } from '../../commands/reports/request-report.ts'
import type { HttpContext } from './context.ts'
import { ApiError, notFound, tooMany, unauthorized } from './refusals.ts'

export const WRONG_PASSWORD = 'The password is wrong'

type Deps = Pick<HttpContext, 'access' | 'clock' | 'readModels'>

/**
 * The signature of whoever asks, once their password is right again: what it means, the name they have now, and when, with the
 * company's time zone. Guesses count as those of sign-in do, for the account, and at sign-in too; those made at sign-in, by whoever
 * knows a name, keep nobody from signing.
 * @throws ApiError 422 where the password is wrong, 429 after too many guesses, 404 where the user is gone, 401 where another password
 * was set meanwhile, which ends all sessions
 */
export async function signOffBy(
  { access: { attempts }, clock, readModels: { directory } }: Deps,
  visitor: Visitor,
  { meaning, password }: Pick<SigningOff, 'meaning' | 'password'>,
): Promise<SignOff> {
  const user = directory.users.get(visitor.userId)
  if (user === undefined) throw notFound()
  const account = `sign-off ${user._id}`
  const wait = attempts.begin(account, null)
  if (wait > 0) throw tooMany(wait)
  attempts.beginFor(user._id)
  const { passwordHash } = user
  const isRight = await verifyPassword(passwordHash, password)
  if (user.passwordHash !== passwordHash) throw unauthorized(SESSION_OVER)
  if (!isRight)
    throw new ApiError(422, WRONG_PASSWORD, { errors: [{ path: 'password', message: WRONG_PASSWORD }] })
  attempts.succeeded(account, null, user._id)
  const name = nameOf(directory, user._id)
  const zone = directory.companies.get(visitor.companyId)?.timeZone ?? 'UTC'
  return { meaning, name, at: clock.now(), zone }
}
