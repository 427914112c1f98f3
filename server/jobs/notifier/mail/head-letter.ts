import type { FactOf } from '#machines/contracts/facts.ts'
import { userByLogin } from '#machines/projections/directory.ts'
import { getsHeads } from '#machines/projections/gets-heads.ts'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { headAddress } from '#machines/projections/settings.ts'
import { settingsAddress } from '../alerts/addresses.ts'
import { type Block, layOut } from './layout.ts'
import { type Letter, letterId, type Source } from './letter.ts'
import { instantInWords } from './time-in-words.ts'

/** After this there are newer ones. */
const GOOD_FOR = 7 * 24 * 3_600_000

/** The signed head of the record of a day, for whoever keeps it elsewhere: what was recorded until then cannot be changed unnoticed. */
export function headLetter(fact: FactOf<'seal.head-addressed'>, source: Source): Letter {
  const { publicUrl } = source
  const { to, head } = fact.data
  const { size, root, at, keyId, signature } = head
  const day = new Date(at).toISOString().slice(0, 10)
  const unsubscribe = unsubscribeOf(fact, source)
  return {
    id: letterId(`head-${size}`, fact.seq),
    kind: 'head',
    to: { name: '', address: to },
    ...(unsubscribe !== undefined && { unsubscribe }),
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
        label: 'Compare it with the record of today: paste the text of this mail there',
        href: `${publicUrl}/verify`,
      },
      {
        is: 'link',
        label: 'The proof alone, for a page that has no network',
        href: `${publicUrl}/api/seals/consistency?from=${size}`,
        isAside: true,
      },
      {
        is: 'text',
        text: `Whoever runs the server holds the whole record against it by: npm run admin -- verify-log --head ${size}:${root}`,
      },
      ...whyOf(fact, source, unsubscribe),
      { is: 'text', text: 'Frostline sent this by itself: nobody reads answers to this address.' },
    ]),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn: isWithdrawn(fact, source),
  }
}

/** Where an address that a company chose ends these mails; a manager does it in the portal. */
const unsubscribeOf = (
  { companyId, data }: FactOf<'seal.head-addressed'>,
  { mailLinks, publicUrl }: Source,
): string | undefined =>
  data.because === 'company' ? `${publicUrl}${mailLinks.to(companyId ?? '', data.to)}` : undefined

/** Why somebody gets it, and how it ends. */
function whyOf(
  { companyId, data }: FactOf<'seal.head-addressed'>,
  { directory, publicUrl }: Source,
  unsubscribe: string | undefined,
): Block[] {
  const company = directory.companies.get(companyId ?? '')?.name ?? ''
  if (data.because === 'manager')
    return [
      {
        is: 'link',
        label: `You get it as a manager of ${company}; it is turned off here`,
        href: settingsAddress(publicUrl),
        isAside: true,
      },
    ]
  if (unsubscribe !== undefined)
    return [
      { is: 'text', text: `${company} chose this address to keep its proof.` },
      {
        is: 'link',
        label: 'You do not want these mails any more? End them here, without signing in',
        href: unsubscribe,
        isAside: true,
      },
    ]
  return [
    {
      is: 'text',
      text: 'This address was chosen by whoever runs the server (SEAL_HEAD_TO), who also takes it off.',
    },
  ]
}

/** It was turned off, or another was chosen, while the mail waited. */
function isWithdrawn(
  { companyId, data: { to, because } }: FactOf<'seal.head-addressed'>,
  { directory }: Source,
): boolean {
  if (because === 'manager') return !getsHeads(directory, userByLogin(directory, to)?._id ?? '')
  if (because !== 'company' || companyId === null) return false
  return (
    headAddress(directory.settings, companyId).address !== to ||
    directory.companies.get(companyId)?.suspended !== false ||
    mailStateOf(directory, companyId, to) === 'unsubscribed'
  )
}
