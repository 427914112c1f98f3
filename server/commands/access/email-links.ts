import type { CommandOf, NewLink } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Directory, User } from '#machines/projections/directory.ts'
import {
  INVITATIONS_KEPT,
  type Link,
  linkOf,
  linksOf,
  REFUSED_KEPT,
  type Validity,
  validityOf,
} from '#machines/projections/links.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { INVALID_PASSWORD } from '#machines/rules/password.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { passwordSet } from './passwords.ts'

export const LINK_UNKNOWN = 'Invalid link'
export const LINK_EXPIRED = 'This link has expired'
export const LINK_USED = 'This link was already used'
/** Of a link that was handed over by whoever runs the server. */
export const LINK_NOT_MAILED = 'This link was not sent by mail: ask whoever gave it to you for a new one'
export const LINK_WORKS = 'This link still works'
export const ALREADY_ACTIVE = 'Account already created'
export const WRONG_CODE = 'Invalid confirmation code'

/** Wrong codes a link takes; then no code is right any more, and the link itself stays good. */
export const CODE_TRIES = 5
/**
 * Wrong codes a user takes in a day, however many links are sent in it: of a million codes that is one found in a
 * hundred years and more.
 */
export const CODES_A_DAY = REFUSED_KEPT
const DAY_MS = 86_400_000

/** What makes a link a user's, with the user or on its own. */
export const linkIssued = (
  { userId, companyId }: { userId: string; companyId: string },
  at: number,
  link: NewLink,
  by?: string | null,
): NewFact => ({
  type: 'link.issued',
  at,
  companyId,
  ...(by == null ? {} : { by }),
  data: { ...link, userId },
})

/**
 * A link is to be mailed. Those of the same purpose that were not used are ended: one works at a time. An address nobody
 * has is a fact, which takes as long as issuing does and shows who looks for addresses.
 */
export function issueLink(directory: Directory, { at, by, data }: CommandOf<'link.issue'>): Decision {
  const { userId, asked, link } = data
  if (userId === null) return decided(nobody(at, asked, 'address'))
  const user = directory.users.get(userId)
  if (user === undefined) return refuse(404, NOT_FOUND)
  if (link.purpose === 'activation' && isActive(user)) return refuse(409, ALREADY_ACTIVE)
  const wait = link.purpose === 'activation' ? anotherWait(directory, user, at) : 0
  if (wait > 0) return refuse(429, tooSoon(wait))
  if (isPasswordMail(link) && isOverBudget(directory, userId, at)) return decided(nobody(at, asked, 'budget'))
  return decided(...issued(directory, user, at, link, by))
}

/** An activation link is sent anew so often at most, by a colleague or its holder, so that nobody fills another's mailbox. */
export const RESEND_AFTER_MS = 5 * 60_000
export const RESENDS_A_DAY = 5

/**
 * Whoever knows an address may ask for password mails to it. Beyond so many a day none is sent, with the same answer, and a fact
 * says so; the last one that was sent works on.
 */
export const PASSWORD_MAILS_A_DAY = 10

const isOverBudget = ({ links }: Directory, userId: string, at: number): boolean =>
  linksOf(links, userId).filter((link) => isPasswordMail(link) && link.issuedAt > at - DAY_MS).length >=
  PASSWORD_MAILS_A_DAY

/** A link that is handed over where it was made is mailed to nobody. */
const isPasswordMail = ({ purpose, isPrinted }: Pick<NewLink, 'purpose' | 'isPrinted'>): boolean =>
  purpose === 'password' && isPrinted !== true

/** ms until another activation link may be sent to a user, and by their company. */
const anotherWait = (directory: Directory, user: User, at: number): number =>
  Math.max(
    resendWait(directory, user._id, at),
    invitationWait(directory, user, at, 1 + INVITATIONS_A_DAY.address),
  )

/** ms until another activation link may be sent to a user; the one they were invited with is not counted. */
function resendWait({ links }: Directory, userId: string, at: number): number {
  const [, ...resent] = linksOf(links, userId).filter(({ purpose }) => purpose === 'activation')
  const today = resent.filter(({ issuedAt }) => issuedAt > at - DAY_MS)
  const last = today.at(-1)
  const oldest = today.at(-RESENDS_A_DAY)
  return Math.max(
    0,
    last === undefined ? 0 : last.issuedAt + RESEND_AFTER_MS - at,
    oldest === undefined ? 0 : oldest.issuedAt + DAY_MS - at,
  )
}

/**
 * Activation links that a company may have mailed a day, to one address and to all of them. They are counted by the address, or who
 * deletes a user and creates them again could send as many as they like; whom a company takes in at once are fewer.
 */
export const INVITATIONS_A_DAY = { address: RESENDS_A_DAY, company: INVITATIONS_KEPT }

/** ms until a company may have another activation link mailed to an address. @param most to it within a day */
export function invitationWait(
  { links }: Directory,
  { companyId, email }: Pick<User, 'companyId' | 'email'>,
  at: number,
  most = INVITATIONS_A_DAY.address,
): number {
  const today = (links.invitations.get(companyId) ?? []).filter((each) => each.at > at - DAY_MS)
  const mailbox = mailboxOf(email)
  const theirs = today.filter(({ to }) => to === mailbox)
  const ends = [theirs.at(-most), today.at(-INVITATIONS_A_DAY.company)].map((each) =>
    each === undefined ? 0 : each.at + DAY_MS - at,
  )
  return Math.max(...ends)
}

/** @param wait ms until another link may be sent */
export const tooSoon = (wait: number): string => {
  const minutes = Math.ceil(wait / 60_000)
  const when = minutes > 120 ? `${Math.ceil(minutes / 60)} h` : `${minutes} min`
  return `A link was sent already: another one can be sent in ${when}`
}

/** The holder of an activation link that has run out wants another; it goes to the address the first one went to. */
export function resendLink(directory: Directory, { at, data }: CommandOf<'link.resend'>): Decision {
  const { userId, linkId, link } = data
  const user = directory.users.get(userId)
  const old = linkOf(directory.links, userId, linkId)
  if (user === undefined || old?.purpose !== 'activation') return refuse(404, LINK_UNKNOWN)
  if (isActive(user)) return refuse(409, LINK_USED)
  if (linkValidity(directory, old, at) === 1) return refuse(409, LINK_WORKS)
  if (old.isPrinted) return refuse(409, LINK_NOT_MAILED)
  const wait = anotherWait(directory, user, at)
  if (wait > 0) return refuse(429, tooSoon(wait))
  return decided(...issued(directory, user, at, link))
}

/** Ends a link before its time; one that has ended stays as it is. */
export function expireLink(directory: Directory, { at, data }: CommandOf<'link.expire'>): Decision {
  const user = directory.users.get(data.userId)
  const link = linkOf(directory.links, data.userId, data.linkId)
  if (user === undefined || link === undefined) return refuse(404, LINK_UNKNOWN)
  return link.state === 'open' ? decided(ended(user, link, at)) : decided()
}

/** Sets the password through a link; for a user without one it is the first, and they are activated by it. */
export function useLink(directory: Directory, { at, data }: CommandOf<'link.use'>): Decision {
  const user = directory.users.get(data.userId)
  const link = linkOf(directory.links, data.userId, data.linkId)
  if (user === undefined || link === undefined) return refuse(404, LINK_UNKNOWN)
  const validity = linkValidity(directory, link, at)
  if (validity === 0) return refuse(409, LINK_EXPIRED)
  if (validity === -1) return refuse(409, LINK_USED)
  return decided(...passwordSet(directory, user, data.hash, at, link.linkId))
}

/**
 * The same with the code of the mail. Whatever is wrong is refused in the same words and leaves one fact, so that neither
 * the answer nor its time shows whether there is such a user, or a link.
 */
export function confirmByCode(directory: Directory, { at, data }: CommandOf<'link.confirm'>): Decision {
  const { userId, linkId, codeHash, hash, hasName, login } = data
  const user = userId === null ? undefined : directory.users.get(userId)
  const link = user && linkId !== null ? linkOf(directory.links, user._id, linkId) : undefined
  const refused = { status: 400 as const, message: WRONG_CODE }
  if (user === undefined || link === undefined || validityOf(link, at) !== 1)
    return { facts: [{ ...nobody(at, login, 'code'), companyId: user?.companyId ?? null }], refused }
  if (link.codeHash !== codeHash || !takesCodes(directory, link, at)) {
    const { companyId } = user
    return {
      facts: [{ type: 'link.code-refused', at, companyId, data: { linkId: link.linkId, userId: user._id } }],
      refused,
    }
  }
  if (hasName) return refuse(400, INVALID_PASSWORD)
  return decided(...passwordSet(directory, user, hash, at, link.linkId))
}

/** Whether a link works now. Where there is a password, the link for the first one counts as used, whatever became of it. */
export function linkValidity(directory: Directory, link: Link, now: number): Validity {
  const user = directory.users.get(link.userId)
  return link.purpose === 'activation' && user !== undefined && isActive(user) ? -1 : validityOf(link, now)
}

function takesCodes({ links }: Directory, { userId, wrongCodes }: Link, at: number): boolean {
  const today = (links.codesRefused.get(userId) ?? []).filter((refusedAt) => refusedAt > at - DAY_MS)
  return wrongCodes < CODE_TRIES && today.length < CODES_A_DAY
}

/** Whether somebody has ever set a password: until then they cannot sign in. */
const isActive = (user: User): boolean => user.passwordHash !== null

/** The facts that issue a link, and end those of its purpose that are open. */
export function issued(
  { links }: Directory,
  user: User,
  at: number,
  link: NewLink,
  by?: string | null,
): NewFact[] {
  const older = linksOf(links, user._id).filter(
    ({ purpose, state }) => purpose === link.purpose && state === 'open',
  )
  return [
    ...older.map((each) => ended(user, each, at)),
    linkIssued({ userId: user._id, companyId: user.companyId }, at, link, by),
  ]
}

const ended = (user: User, { linkId }: Link, at: number): NewFact => ({
  type: 'link.expired',
  at,
  companyId: user.companyId,
  data: { linkId, userId: user._id },
})

const nobody = (at: number, userName: string, reason: string): NewFact => ({
  type: 'user.refused',
  at,
  companyId: null,
  data: { userName, reason },
})
