import type { FactOf } from '#machines/contracts/facts.ts'
import type { Company, User } from '#machines/projections/directory.ts'
import { linkOf } from '#machines/projections/links.ts'
import { linkValidity } from '../../../commands/access/email-links.ts'
import { type Block, layOut } from './layout.ts'
import type { Letter, Source } from './letter.ts'
import { durationInWords, instantInWords } from './time-in-words.ts'

type Issued = FactOf<'link.issued'>

/** What differs between the letters that carry a link. */
export type LinkLetter = {
  subject: string
  /** `valid`: for how long and until when, in words */
  blocks(to: { user: User; company: Company | undefined; valid: string }): Block[]
}

/**
 * A letter that carries a link to somebody. Undefined where that user is gone, or the key is another than the one the
 * link was issued with: its token would open nothing.
 */
export function linkLetter(
  { at, data }: Issued,
  { directory, links }: Source,
  { subject, blocks }: LinkLetter,
): Letter | undefined {
  const { linkId, userId, purpose, tokenHash, expiresAt } = data
  const user = directory.users.get(userId)
  if (user === undefined || links.hashToken(links.tokenOf(linkId)) !== tokenHash) return undefined
  const link = linkOf(directory.links, userId, linkId)
  const company = directory.companies.get(user.companyId)
  const valid = `for ${durationInWords(expiresAt - at)}: until ${instantInWords(expiresAt, company?.timeZone)}`
  return {
    id: linkId,
    kind: purpose,
    to: { name: `${user.firstName} ${user.lastName}`.trim(), address: user.email },
    ...layOut(subject, [
      { is: 'text', text: `Hello ${user.firstName},` },
      ...blocks({ user, company, valid }),
      { is: 'text', text: 'Frostline sent this by itself: nobody reads answers to this address.' },
    ]),
    goodUntil: expiresAt,
    // its time is `goodUntil`: here as if it had just been issued
    isWithdrawn: link === undefined || linkValidity(directory, link, at) !== 1,
  }
}
