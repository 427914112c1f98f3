import type { Answer } from '#machines/contracts/calls.ts'
import type { Directory, User } from '#machines/projections/directory.ts'
import { verifyPassword } from '../../auth/passwords.ts'
import {
  hashSecret,
  newSecret,
  newSessionId,
  readRefreshToken,
  writeRefreshToken,
} from '../../auth/refresh-tokens.ts'
import {
  closeSession,
  openSession,
  PASSWORD_CHANGED,
  refreshSession,
  SESSION_OVER,
} from '../../commands/access/sessions.ts'
import { mayKeepKeys } from '../../commands/companies/device-keys.ts'
import { newUserType } from '../../commands/users/create-user.ts'
import type { HttpContext } from './context.ts'
import { groupInfo, hasThings } from './group-answer.ts'
import { notFound, refusal, tooMany, unauthorized } from './refusals.ts'
import { bearer } from './routes.ts'
import { accountOf, claimsOf, endOf, HANDOFF_MS, placeOf, SESSION_MS, sessionUser } from './session-answer.ts'

/** Of one address: an office of hundreds that wakes up at once, and no more. */
const REFRESHES_A_MINUTE = 600
const SIGNED_OUT = { message: 'Logged out' }
const RESET_FIRST = 'Please set a new password'

type Deps = Pick<HttpContext, 'answerCall' | 'env' | 'access' | 'execute' | 'clock' | 'readModels'>

/** Coming in, staying in, going out. */
export function authRoutes(deps: Deps): void {
  loginRoute(deps)
  refreshRoute(deps)
  logoutRoutes(deps)
  meRoute(deps)
}

function loginRoute({ answerCall, env, access, execute, clock, readModels: { directory } }: Deps): void {
  const { attempts, tokens, knownDevices } = access

  answerCall(
    'login',
    async ({ body, request, reply }) => {
      const { account, user } = accountOf(directory, body.username)
      const { cookie } = request.headers
      const device = user && knownDevices.of(cookie, user._id)
      // no name that is typed is one of those by which guesses count elsewhere
      const guessed = device === undefined ? `name ${account}` : `device ${device}`
      const from = device === undefined ? request.ip : null
      const wait = attempts.begin(guessed, from)
      if (wait > 0) throw tooMany(wait)
      // who guessed with another name of the same account learns nothing of that: it is just wrong
      const isHeld = user !== undefined && device === undefined && attempts.beginFor(user._id) > 0
      const sessionId = newSessionId()
      const secret = newSecret()
      const open = async () => {
        const comparedHash = user?.passwordHash ?? null
        const isRight = await verifyPassword(isHeld ? null : comparedHash, body.password)
        // also where the store cannot take it now
        if (isRight) attempts.succeeded(guessed, from, user?._id)
        const { refused } = await execute(
          `user-${user?._id ?? 'unknown'}`,
          {
            type: 'session.open',
            by: null,
            data: {
              userId: user?._id ?? null,
              login: account,
              verified: isRight ? 'right' : 'wrong',
              comparedHash,
              sessionId,
              refreshHash: hashSecret(secret),
              expiresAt: clock.now() + Math.min(SESSION_MS, env.sessionTtl * 1000),
            },
          },
          openSession,
        )
        return { isRight, refused }
      }
      const first = await open()
      // set anew while it was compared, or on a node that is ahead
      const { isRight, refused } = first.refused === PASSWORD_CHANGED ? await open() : first
      if (isRight && user) reply.header('set-cookie', knownDevices.mark(cookie, user._id))
      if (refused) throw refusal(refused)
      if (user === undefined) throw unauthorized()
      reply.header('cache-control', 'no-store')
      return user.resetRequired ? resetAnswer(user, sessionId) : signedIn(user, sessionId, secret)
    },
    { limitsGuessing: true },
  )

  async function resetAnswer(user: User, sessionId: string): Promise<Answer<'login'>> {
    const claims = { ...claimsOf(user, sessionId), scope: 'reset' as const }
    const token = await tokens.sign(claims, env.resetTtl)
    return { messageKey: 'USER_RESET_PASSWORD', message: RESET_FIRST, token }
  }

  async function signedIn(user: User, sessionId: string, secret: string): Promise<Answer<'login'>> {
    return {
      access_token: await tokens.sign(claimsOf(user, sessionId), env.accessTtl),
      refresh_token: writeRefreshToken({ userId: user._id, sessionId, secret }),
      expires_in: env.accessTtl,
      identityId: sessionId,
      ...whoAndWhere(directory, user, sessionId),
      hasThings: hasThings(directory, placeOf(user, sessionId).groupId),
    }
  }
}

/** What the portal keeps of a session beside its tokens. */
function whoAndWhere(directory: Directory, user: User, sessionId: string) {
  const place = placeOf(user, sessionId)
  return {
    user: sessionUser(user, sessionId),
    groupInfo: groupInfo(directory, place.groupId),
    companyInfo: { ...place, timeZone: directory.companies.get(place.companyId)?.timeZone },
  }
}

function refreshRoute({ answerCall, env, access, execute, clock, readModels: { directory } }: Deps): void {
  const { tokens, successor } = access

  answerCall(
    'refreshToken',
    async ({ query, reply }) => {
      const given = readRefreshToken(query.token)
      if (given === undefined) throw unauthorized(SESSION_OVER)
      const { userId, sessionId } = given
      const session = directory.users.get(userId)?.sessions.get(sessionId)
      const lasts = session?.handoff ? HANDOFF_MS : SESSION_MS
      // refreshed or not, a session ends for good at last
      const end = (session?.startedAt ?? 0) + env.sessionTtl * 1000
      const next = query.rotate === 'true' ? successor(given) : undefined
      const { refused } = await execute(
        `user-${userId}`,
        {
          type: 'session.refresh',
          by: userId,
          data: {
            userId,
            sessionId,
            spentHash: hashSecret(given.secret),
            refreshHash: next === undefined ? null : hashSecret(next.secret),
            expiresAt: Math.min(clock.now() + lasts, end),
          },
        },
        refreshSession,
      )
      if (refused) throw refusal(refused)
      const user = directory.users.get(userId)
      if (user === undefined) throw unauthorized(SESSION_OVER)
      reply.header('cache-control', 'no-store')
      return {
        data: {
          token: await tokens.sign(claimsOf(user, sessionId), env.accessTtl),
          identityId: sessionId,
          ...(next === undefined ? {} : { refreshToken: writeRefreshToken(next) }),
          expires_in: env.accessTtl,
          exp: endOf(user, sessionId),
          ...whoAndWhere(directory, user, sessionId),
        },
      }
    },
    { perMinute: REFRESHES_A_MINUTE },
  )
}

function logoutRoutes({ answerCall, access, execute, readModels: { directory } }: Deps): void {
  const { visitorOf } = access

  /** The session somebody wants to end: proven by its access token, or by its refresh token when that has run out. */
  async function ownSession(authorization: string | undefined, refreshToken: unknown) {
    const visitor = authorization === undefined ? undefined : await visitorOf(authorization)
    if (visitor?.scope === 'full') return { userId: visitor.userId, sessionId: visitor.sessionId }
    const given = typeof refreshToken === 'string' ? readRefreshToken(refreshToken) : undefined
    if (given === undefined) throw unauthorized()
    const session = directory.users.get(given.userId)?.sessions.get(given.sessionId)
    if (session?.refreshHash !== hashSecret(given.secret)) throw unauthorized()
    return { userId: given.userId, sessionId: given.sessionId }
  }

  for (const name of ['logout', 'logoutByGet'] as const)
    answerCall(
      name,
      async ({ request }) => {
        const data = await ownSession(bearer(request), request.headers.token)
        await execute(`user-${data.userId}`, { type: 'session.close', by: data.userId, data }, closeSession)
        return SIGNED_OUT
      },
      { letsAnyoneIn: true },
    )
}

function meRoute({ answerCall, readModels: { directory } }: Deps): void {
  answerCall('me', ({ visitor }) => {
    const user = directory.users.get(visitor.userId)
    if (user === undefined) throw notFound()
    const { companyId, sessionId, superAdmin } = visitor
    const company = directory.companies.get(companyId)
    return {
      ...sessionUser(user, sessionId),
      companyName: company?.name ?? '',
      timeZone: company?.timeZone,
      superAdmin,
      handoff: (user.sessions.get(sessionId)?.handoff ?? null) !== null,
      keepsKeys: mayKeepKeys(directory, visitor, companyId),
      newUserType: newUserType(directory, visitor.userId),
    }
  })
}
