import type { FactOf } from '#machines/contracts/facts.ts'
import type { Letter, Source } from './letter.ts'
import { linkLetter } from './link-letter.ts'

/** To somebody for whom an account was made: where to choose the first password. */
export function activationLetter(fact: FactOf<'link.issued'>, source: Source): Letter | undefined {
  const href = `${source.publicUrl}/user/activate/${source.links.tokenOf(fact.data.linkId)}`
  return linkLetter(fact, source, {
    subject: 'Activate your Frostline account',
    blocks: ({ user, company, valid }) => [
      {
        is: 'text',
        text: `An account was made for you on Frostline${company ? `, at ${company.name}` : ''}. Your user name is ${user.userName}. To start, choose a password:`,
      },
      { is: 'link', label: 'Activate your account', href },
      {
        is: 'text',
        text: `The link works once, ${valid}. When it has run out, open it all the same: the page offers to send you a new one.`,
      },
      {
        is: 'text',
        text: 'You know of no such account? Then do nothing. Without this link nobody can use it.',
      },
    ],
  })
}
