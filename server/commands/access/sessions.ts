import type { CommandOf } from '#machines/contracts/commands.ts'
import type { AccountManager } from '#machines/contracts/entities/companies.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import type { Company, Directory, Session, User } from '#machines/projections/directory.ts'
import { type Decision, decided, type Refused, refuse } from '../decision.ts'

export const WRONG_LOGIN = 'Invalid username or password'
export const SESSION_OVER = 'Session expired, please login again'
export const SUSPENDED = 'Company is Suspended. Please Contact Business Account Manager!'

const NOBODY: AccountManager = { firstName: '', lastName: '', email: '', phone: '' }

/** Of a password that was compared with one that is the user's no more: it may be right, and is to be compared again. */
export const PASSWORD_CHANGED: Refused = { status: 401, message: WRONG_LOGIN }

/** The refusal a suspended company's people get, with whom to call; undefined where the company is in order. */
export function suspension(company: Company | undefined): Refused | undefined {
  if (company === undefined || !company.suspended) return undefined
  return { status: 403, message: SUSPENDED, extra: { bam: company.bam ?? NOBODY } }
}

/**
 * Sign-in. A wrong password shows nothing more; suspension is named only after a right one. Who must set a new password
 * first gets no session, and that is no refusal.
 */
export function openSession(directory: Directory, { at, data }: CommandOf<'session.open'>): Decision {
  const user = data.userId === null ? undefined : directory.users.get(data.userId)
  if (user !== undefined && user.passwordHash !== data.comparedHash)
    return { facts: [], refused: PASSWORD_CHANGED }
  if (user === undefined || data.verified === 'wrong')
    return {
      facts: [refusedFact(user, at, data.login, 'password')],
      refused: { status: 401, message: WRONG_LOGIN },
    }
  const suspended = suspension(directory.companies.get(user.companyId))
  if (suspended) return { facts: [refusedFact(user, at, data.login, 'suspended')], refused: suspended }
  if (user.resetRequired)
    return decided(
      about(user, at, { type: 'user.reset-begun', data: { userId: user._id, resetId: data.sessionId } }),
    )
  const { sessionId, refreshHash, expiresAt } = data
  return decided(
    ...crowdedOut(user, at),
    about(user, at, {
      type: 'user.signed-in',
      data: { userId: user._id, sessionId, refreshHash, expiresAt },
    }),
  )
}

/** Sessions a user may have open at once; who signs in for each of their calls ends their own oldest. */
const MOST_SESSIONS = 1000

/** Ends as many of a user's oldest open sessions as one more needs room for. */
export function crowdedOut(user: User, at: number): NewFact[] {
  const open = [...user.sessions.values()].filter((session) => session.expiresAt > at)
  const over = Math.max(0, open.length + 1 - MOST_SESSIONS)
  return open.slice(0, over).map((session) => ended(user, session, at, 'remote'))
}

/** Within this time after an exchange the same exchange is answered again: its answer may have been lost (decision 0229). */
const REPEATED_MS = 3_600_000

/**
 * A new access token for a refresh token. A token that was exchanged before is a stolen one, or its thief's:
 * the session ends for both.
 */
export function refreshSession(directory: Directory, { at, data }: CommandOf<'session.refresh'>): Decision {
  const found = sessionOf(directory, data)
  if (found === undefined) return refuse(401, SESSION_OVER)
  const { user, session } = found
  const end = (reason: FactData<'session.ended'>['reason']): Decision => ({
    facts: [ended(user, session, at, reason)],
    refused: { status: 401, message: SESSION_OVER },
  })
  const isAgain = wasJustExchanged(session, data, at)
  if (session.spent.has(data.spentHash) && !isAgain) return end('reuse')
  if (session.refreshHash !== data.spentHash && !isAgain) return refuse(401, SESSION_OVER)
  if (session.expiresAt <= at || data.expiresAt <= at) return end('expired')
  const suspended = suspendedAnywhere(directory, user, session)
  if (suspended) return { facts: [], refused: suspended }
  if (isAgain) return decided()
  return decided(
    about(user, at, {
      type: 'session.refreshed',
      data: {
        userId: user._id,
        sessionId: session.sessionId,
        refreshHash: data.refreshHash ?? session.refreshHash,
        expiresAt: data.expiresAt,
      },
    }),
  )
}

const wasJustExchanged = (
  { spent, refreshHash, exchangedAt }: Session,
  { spentHash, refreshHash: nextHash }: CommandOf<'session.refresh'>['data'],
  at: number,
): boolean => spent.has(spentHash) && nextHash === refreshHash && at - exchangedAt <= REPEATED_MS

/** Of the company a session speaks for, or of the user's own where that is another. */
function suspendedAnywhere(directory: Directory, user: User, session: Session): Refused | undefined {
  const { companyId } = session.handoff ?? user
  return suspension(directory.companies.get(companyId)) ?? suspension(directory.companies.get(user.companyId))
}

/** Signing out of a session that is over is no fault: there is just nothing to do. */
export function closeSession(directory: Directory, { at, data }: CommandOf<'session.close'>): Decision {
  const found = sessionOf(directory, data)
  return found === undefined ? decided() : decided(ended(found.user, found.session, at, 'signed-out'))
}

/** Ends every session of a user from elsewhere; their open screens hear of it at once. */
export const signOutUser = endAll('remote')

/** The same, as if every session had come to its end. */
export const runOutSessions = endAll('expired')

function endAll(reason: FactData<'session.ended'>['reason']) {
  return (directory: Directory, { at, data }: CommandOf<'user.sign-out'>): Decision => {
    const user = directory.users.get(data.userId)
    if (user === undefined) return refuse(404, 'Not found')
    return decided(...[...user.sessions.values()].map((session) => ended(user, session, at, reason)))
  }
}

/** All of a user's sessions over, because of their password. */
export const sessionsEnded = (user: User, at: number): NewFact[] =>
  [...user.sessions.values()].map((session) => ended(user, session, at, 'password'))

function sessionOf(
  directory: Directory,
  { userId, sessionId }: { userId: string; sessionId: string },
): { user: User; session: Session } | undefined {
  const user = directory.users.get(userId)
  const session = user?.sessions.get(sessionId)
  return user && session ? { user, session } : undefined
}

function ended(
  user: User,
  session: Session,
  at: number,
  reason: FactData<'session.ended'>['reason'],
): NewFact {
  return about(user, at, {
    type: 'session.ended',
    data: { userId: user._id, sessionId: session.sessionId, reason },
  })
}

function refusedFact(user: User | undefined, at: number, userName: string, reason: string): NewFact {
  return { type: 'user.refused', at, companyId: user?.companyId ?? null, data: { userName, reason } }
}

type OfUser<F = NewFact> = F extends { type: infer T; data: infer D } ? { type: T; data: D } : never
const about = (user: User, at: number, fact: OfUser): NewFact =>
  ({ ...fact, at, companyId: user.companyId, by: user._id }) as NewFact
