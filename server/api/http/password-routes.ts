import type { FastifyReply } from 'fastify'
import type { Directory } from '#machines/projections/directory.ts'
import type { Link } from '#machines/projections/links.ts'
import { usableLink } from '#machines/projections/links.ts'
import { isGuessable } from '#machines/rules/guessable-password.ts'
import { INVALID_PASSWORD, isPassword, PASSWORDS_DIFFER } from '#machines/rules/password.ts'
import { hashPassword } from '../../auth/passwords.ts'
import {
  confirmByCode,
  issueLink,
  LINK_EXPIRED,
  LINK_UNKNOWN,
  LINK_USED,
  LINK_WORKS,
  linkValidity,
  resendLink,
  useLink,
} from '../../commands/access/email-links.ts'
import { setPassword } from '../../commands/access/passwords.ts'
import { SESSION_OVER } from '../../commands/access/sessions.ts'
import type { HttpContext } from './context.ts'
import { ApiError, refusal, tooMany, unauthorized } from './refusals.ts'
import { accountOf, nameOf } from './session-answer.ts'

const VALIDITY = { '1': 'This link is valid', '0': LINK_EXPIRED, '-1': LINK_USED } as const
const ACTIVATED = 'Account activated successfully'
const PASSWORD_SET = 'New password is set successfully'
/** Spelled as the documents have it. */
const MAIL_SENT = 'Please check your resgistered email to reset password'
const LINK_SENT = 'A new activation link was sent to your email'
/** Looks at links an address has a minute: nothing is hashed for them, and no token can be guessed. */
const LOOKS_LIMIT = { perMinute: 300 }

type Deps = Pick<HttpContext, 'answerCall' | 'access' | 'execute' | 'clock' | 'readModels'>

/** Links of mails, and setting passwords. */
export function passwordRoutes(deps: Deps): void {
  linkRoutes(deps)
  resetRoute(deps)
  mailRoutes(deps)
  codeRoute(deps)
}

function linkRoutes(deps: Deps): void {
  const {
    answerCall,
    execute,
    readModels: { directory },
  } = deps
  const { attempts, knownDevices } = deps.access

  answerCall(
    'checkLinkValidity',
    ({ params }) => {
      const success = validity(deps, linkBy(deps, params.token))
      return { success, message: VALIDITY[success] }
    },
    LOOKS_LIMIT,
  )

  answerCall(
    'getUserByToken',
    ({ params }) => {
      const link = linkBy(deps, params.token)
      const works = validity(deps, link)
      if (works !== 1) throw new ApiError(409, VALIDITY[works])
      const user = directory.users.get(link.userId)
      if (user === undefined) throw new ApiError(404, LINK_UNKNOWN)
      const { _id, userName, email } = user
      return { user: { _id, name: nameOf(user), userName, email } }
    },
    LOOKS_LIMIT,
  )

  /**
   * Sets a password through a link; guesses of strangers keep the browser it was used in from signing in no more. A link that no
   * longer works is an answer, as its screen has one for it.
   */
  async function setThrough(link: Link, password: string, reply: FastifyReply, done: string) {
    const { headers } = reply.request
    const works = validity(deps, link)
    if (works !== 1) return { success: false, message: VALIDITY[works] }
    const { userId, linkId } = link
    if (!mayBeSet(password, namesOf(directory, userId))) throw new ApiError(400, INVALID_PASSWORD)
    const wait = attempts.begin(`link ${linkId}`, null)
    if (wait > 0) throw tooMany(wait)
    const hash = await hashPassword(password)
    // the link is no guess, also where the store cannot take it now
    attempts.succeeded(`link ${linkId}`, null)
    const { refused } = await execute(
      `user-${userId}`,
      { type: 'link.use', by: userId, data: { userId, linkId, hash } },
      useLink,
    )
    if (refused?.status === 409) return { success: false, message: refused.message }
    if (refused) throw refusal(refused)
    reply.header('set-cookie', knownDevices.mark(headers.cookie, userId))
    return { success: true, message: done }
  }

  answerCall(
    'activate',
    ({ params, body, reply }) =>
      setThrough(linkBy(deps, params.token, 'activation'), body.password, reply, ACTIVATED),
    LOOKS_LIMIT,
  )

  answerCall(
    'setPasswordByLink',
    ({ params, body, reply }) => {
      const link = linkBy(deps, params.token, 'password')
      if (link.userId !== params.id) throw new ApiError(404, LINK_UNKNOWN)
      return setThrough(link, body.password, reply, PASSWORD_SET)
    },
    LOOKS_LIMIT,
  )
}

const mayBeSet = (password: string, names?: string[]): boolean =>
  isPassword(password) && !isGuessable(password, names)

/** What a stranger who knows somebody would try as their password. */
function namesOf({ users, companies }: Directory, userId: string): string[] {
  const user = users.get(userId)
  if (user === undefined) return []
  const { firstName, lastName, userName, email, companyId } = user
  return [firstName, lastName, userName, email.split('@')[0] ?? '', companies.get(companyId)?.name ?? '']
}

/** For whoever signed in and must set a new password first. */
function resetRoute({ answerCall, access, execute, readModels: { directory } }: Deps): void {
  const { attempts, visitorOf } = access

  answerCall(
    'setPassword',
    async ({ body }) => {
      const visitor = await visitorOf(body.token)
      if (visitor?.scope !== 'reset') throw unauthorized(SESSION_OVER)
      if (body.password !== body.confirmation) throw new ApiError(400, PASSWORDS_DIFFER)
      const { userId } = visitor
      if (!mayBeSet(body.password, namesOf(directory, userId))) throw new ApiError(400, INVALID_PASSWORD)
      const wait = attempts.begin(`reset ${userId}`, null)
      if (wait > 0) throw tooMany(wait)
      const hash = await hashPassword(body.password)
      // the token is no guess, also where the store cannot take it now
      attempts.succeeded(`reset ${userId}`, null)
      const { refused } = await execute(
        `user-${userId}`,
        { type: 'user.set-password', by: userId, data: { userId, resetId: visitor.sessionId, hash } },
        setPassword,
      )
      if (refused) throw refusal(refused)
      return { message: PASSWORD_SET }
    },
    LOOKS_LIMIT,
  )
}

function mailRoutes(deps: Deps): void {
  const {
    answerCall,
    execute,
    readModels: { directory },
  } = deps
  const { mailsRequested, emailLinks } = deps.access

  // Known or not: the same words after the same work, which is one fact on disk.
  answerCall('forgotPassword', async ({ body, request }) => {
    const { account, user } = accountOf(directory, body.email)
    const wait = mailsRequested.begin(account, request.ip)
    if (wait > 0) throw tooMany(wait)
    const userId = user?._id ?? null
    const { refused } = await execute(
      `user-${userId ?? 'unknown'}`,
      { type: 'link.issue', by: null, data: { userId, asked: account, link: emailLinks.make('password') } },
      issueLink,
    )
    if (refused) throw refusal(refused)
    return { message: MAIL_SENT }
  })

  answerCall(
    'resendExpiredLink',
    async ({ params, request }) => {
      const old = linkBy(deps, params.token, 'activation')
      const { userId, linkId } = old
      const works = validity(deps, old)
      if (works !== 0) throw new ApiError(409, works === 1 ? LINK_WORKS : LINK_USED)
      const wait = mailsRequested.begin(`user ${userId}`, request.ip)
      if (wait > 0) throw tooMany(wait)
      const link = emailLinks.make('activation')
      const { refused } = await execute(
        `user-${userId}`,
        { type: 'link.resend', by: userId, data: { userId, linkId, link } },
        resendLink,
      )
      if (refused) throw refusal(refused)
      return { message: LINK_SENT }
    },
    LOOKS_LIMIT,
  )
}

function codeRoute({ answerCall, access, execute, clock, readModels: { directory } }: Deps): void {
  const { attempts, emailLinks, knownDevices } = access

  answerCall(
    'confirmUser',
    async ({ body, request, reply }) => {
      if (!mayBeSet(body.password)) throw new ApiError(400, INVALID_PASSWORD)
      const { account, user: named } = accountOf(directory, body.userName)
      const isKnown = named && knownDevices.of(request.headers.cookie, named._id) !== undefined
      const from = isKnown ? null : request.ip
      const wait = attempts.begin(`code ${account}`, from)
      if (wait > 0) throw tooMany(wait)
      // who guessed with another name of the same account learns nothing of that: it is just wrong
      const user = named && attempts.beginFor(`code ${named._id}`) > 0 ? undefined : named
      const hash = await hashPassword(body.password)
      const link = user && usableLink(directory.links, user._id, 'password', clock.now())
      const { refused } = await execute(
        `user-${user?._id ?? 'unknown'}`,
        {
          type: 'link.confirm',
          by: user?._id ?? null,
          data: {
            login: account,
            userId: user?._id ?? null,
            linkId: link?.linkId ?? null,
            codeHash: emailLinks.hashCode(link?.linkId ?? 'none', body.code.trim()),
            hash,
            hasName: user !== undefined && !mayBeSet(body.password, namesOf(directory, user._id)),
          },
        },
        (directory, command) => {
          const decision = confirmByCode(directory, command)
          const isRight = !decision.refused || decision.refused.message === INVALID_PASSWORD
          // also where the store cannot take what was decided
          if (isRight) attempts.succeeded(`code ${account}`, from, user && `code ${user._id}`)
          return decision
        },
      )
      if (refused) throw refusal(refused)
      if (user) reply.header('set-cookie', knownDevices.mark(request.headers.cookie, user._id))
      return { message: PASSWORD_SET }
    },
    { limitsGuessing: true },
  )
}

/** What never was a link of that purpose is none. */
function linkBy({ access, readModels }: Deps, token: string, purpose?: Link['purpose']): Link {
  const link = readModels.directory.links.byToken.get(access.emailLinks.hashToken(token))
  if (link === undefined || (purpose !== undefined && link.purpose !== purpose))
    throw new ApiError(404, LINK_UNKNOWN)
  return link
}

const validity = ({ readModels, clock }: Deps, link: Link) =>
  linkValidity(readModels.directory, link, clock.now())
