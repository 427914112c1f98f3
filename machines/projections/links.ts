import type { FactData } from '../contracts/facts.ts'
import { mailboxOf } from '../rules/mailbox.ts'

/** Links of mails, as the directory keeps them. Folded in place, like all of it. */
export type Link = FactData<'link.issued'> & {
  /** `open` says nothing of its time: see `validityOf` */
  state: 'open' | 'used' | 'expired'
  /** epoch ms */
  issuedAt: number
  /** wrong codes given for it */
  wrongCodes: number
}

export type Links = {
  /** by hash of the token */
  byToken: Map<string, Link>
  /** by user, oldest first */
  ofUser: Map<string, Link[]>
  /** when wrong codes were given for a user's links, epoch ms, the last of them, oldest first */
  codesRefused: Map<string, number[]>
  /** by company, activation links that were mailed within a day of the last one, oldest first: also those of users who are gone */
  invitations: Map<string, Invitation[]>
}

/** `at`: when, epoch ms. `to`: the e-mail address, in small letters. */
export type Invitation = { at: number; to: string }

/** Whether a link works: 1 it does, 0 it has run out, -1 it was used. */
export type Validity = 1 | 0 | -1

/** Links a user and purpose that are still known for what became of them; older ones are as good as invented. */
const KEPT = 20
/** Wrong codes a user that are still known. */
export const REFUSED_KEPT = 20
const DAY_MS = 86_400_000
/** Activation links a company that are still known. */
export const INVITATIONS_KEPT = 1000

export const emptyLinks = (): Links => ({
  ...{ byToken: new Map(), ofUser: new Map(), codesRefused: new Map() },
  invitations: new Map(),
})

/** @param at when, epoch ms */
export function foldIssued(links: Links, data: FactData<'link.issued'>, at: number): void {
  const link: Link = { ...data, state: 'open', issuedAt: at, wrongCodes: 0 }
  const theirs = links.ofUser.get(data.userId) ?? []
  const alike = theirs.filter(({ purpose }) => purpose === data.purpose)
  const forgotten = new Set(alike.slice(0, Math.max(0, alike.length + 1 - KEPT)))
  for (const { tokenHash } of forgotten) links.byToken.delete(tokenHash)
  links.ofUser.set(data.userId, [...theirs.filter((each) => !forgotten.has(each)), link])
  links.byToken.set(data.tokenHash, link)
}

/** An activation link was mailed. @param email its address, as it was typed */
export function foldInvited(
  { invitations }: Links,
  { companyId, email }: { companyId: string; email: string },
  at: number,
): void {
  const lately = (invitations.get(companyId) ?? []).filter((each) => each.at > at - DAY_MS)
  invitations.set(companyId, [...lately, { at, to: mailboxOf(email) }].slice(-INVITATIONS_KEPT))
}

/** What was used stays used, whatever is said of it later. */
export function foldEnded(links: Links, data: FactData<'link.used'>, state: 'used' | 'expired'): void {
  const link = linkOf(links, data.userId, data.linkId)
  if (link !== undefined && link.state !== 'used') link.state = state
}

/** @param at when, epoch ms */
export function foldCodeRefused(
  links: Links,
  { userId, linkId }: FactData<'link.code-refused'>,
  at: number,
): void {
  const link = linkOf(links, userId, linkId)
  if (link === undefined) return
  link.wrongCodes++
  links.codesRefused.set(userId, [...(links.codesRefused.get(userId) ?? []), at].slice(-REFUSED_KEPT))
}

/** A user is gone, and their links with them. */
export function foldUserGone(links: Links, userId: string): void {
  for (const { tokenHash } of links.ofUser.get(userId) ?? []) links.byToken.delete(tokenHash)
  links.ofUser.delete(userId)
  links.codesRefused.delete(userId)
}

/** Oldest first, with those that were used or have run out: the last few of each purpose. */
export const linksOf = (links: Links, userId: string): readonly Link[] => links.ofUser.get(userId) ?? []

/** undefined: it is another user's, was forgotten, or never was. */
export const linkOf = (links: Links, userId: string, linkId: string): Link | undefined =>
  linksOf(links, userId).find((link) => link.linkId === linkId)

/** @param now epoch ms */
export function validityOf(link: Pick<Link, 'state' | 'expiresAt'>, now: number): Validity {
  if (link.state === 'used') return -1
  return link.state === 'open' && link.expiresAt > now ? 1 : 0
}

/** The one link of a purpose that works now, if one does. */
export const usableLink = (
  links: Links,
  userId: string,
  purpose: Link['purpose'],
  now: number,
): Link | undefined =>
  linksOf(links, userId).find((link) => link.purpose === purpose && validityOf(link, now) === 1)
