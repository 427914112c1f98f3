import type { FactOf } from '#machines/contracts/facts.ts'
import type { Block } from './layout.ts'
import type { Letter, Source } from './letter.ts'
import { linkLetter } from './link-letter.ts'

/** To somebody who forgot a password: a link to choose another, and a code for where the link cannot be opened. */
export function passwordLetter(fact: FactOf<'link.issued'>, source: Source): Letter | undefined {
  const { linkId, userId, codeHash } = fact.data
  const { links, publicUrl } = source
  return linkLetter(fact, source, {
    subject: 'Set a new Frostline password',
    blocks({ user, valid }) {
      const byCode: Block[] = [
        { is: 'text', text: 'The link does not open where you need it? Enter this code instead:' },
        { is: 'code', code: links.codeOf(linkId) },
        {
          is: 'link',
          label: 'Where to enter the code',
          isAside: true,
          href: `${publicUrl}/confirm-code/${encodeURIComponent(user.userName)}`,
        },
      ]
      return [
        {
          is: 'text',
          text: `Somebody asked for a new password for your account, ${user.userName}. To choose one:`,
        },
        {
          is: 'link',
          label: 'Set a new password',
          href: `${publicUrl}/set-password/${userId}/${links.tokenOf(linkId)}`,
        },
        ...(codeHash === null ? [] : byCode),
        {
          is: 'text',
          text: `${codeHash === null ? 'The link works' : 'Link and code work'} once, ${valid}. A newer mail takes the place of this one.`,
        },
        {
          is: 'text',
          text: 'You did not ask for it? Then do nothing: your password stays as it is. Give nobody the link or the code.',
        },
      ]
    },
  })
}
