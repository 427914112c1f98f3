import type { FactOf } from '#machines/contracts/facts.ts'
import { layOut } from './layout.ts'
import type { Letter, Source } from './letter.ts'
import { instantInWords } from './time-in-words.ts'

/** After this there are newer ones. */
const GOOD_FOR = 7 * 24 * 3_600_000

/** The signed head of the record of a day, for whoever keeps it elsewhere: what was recorded until then cannot be changed unnoticed. */
export function headLetter(fact: FactOf<'seal.head-addressed'>, { publicUrl }: Source): Letter {
  const { to, head } = fact.data
  const { size, root, at, keyId, signature } = head
  const day = new Date(at).toISOString().slice(0, 10)
  return {
    id: `head-${size}-${fact.seq}`,
    kind: 'head',
    to: { name: '', address: to },
    ...layOut(`The record on ${day}: ${size.toLocaleString('en')} entries`, [
      {
        is: 'text',
        text: 'This is the signed head of what Frostline has recorded. Keep this mail: as long as you have it, nothing that was recorded before can be changed or deleted without being found out.',
      },
      {
        is: 'rows',
        rows: [
          ['Entries', String(size)],
          ['Root', root],
          ['Signed', `${instantInWords(at, 'UTC')} (${at})`],
          ['Key', keyId],
          ['Signature', signature],
        ],
      },
      {
        is: 'link',
        label: 'That the record of today begins with this one is shown here',
        href: `${publicUrl}/api/seals/consistency?from=${size}`,
      },
      {
        is: 'text',
        text: `Whoever runs the server holds the whole record against it by: npm run admin -- verify-log --head ${size}:${root}`,
      },
      {
        is: 'text',
        text: 'This address was chosen by whoever runs the server (SEAL_HEAD_TO), who also takes it off. Frostline sent this by itself: nobody reads answers to this address.',
      },
    ]),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn: false,
  }
}
