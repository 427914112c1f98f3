import type { FactOf } from '#machines/contracts/facts.ts'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { layOut } from './layout.ts'
import type { Letter, Source } from './letter.ts'

/** After this it would come as a surprise. */
const GOOD_FOR = 7 * 24 * 3_600_000

/** To an address outside a company that somebody put into a schedule: whether it wants the mails. Asked once a day at most. */
export function askLetter(fact: FactOf<'schedule-mail.asked'>, source: Source): Letter | undefined {
  const { directory, mailLinks, publicUrl } = source
  const { to, scheduleId } = fact.data
  const companyId = fact.companyId ?? ''
  const company = directory.companies.get(companyId)
  const schedule = directory.schedules.get(scheduleId)
  if (company === undefined) return undefined
  const href = `${publicUrl}${mailLinks.to(companyId, to)}`
  return {
    id: `${scheduleId}-${fact.seq}`,
    kind: 'ask',
    to: { name: '', address: to },
    unsubscribe: href,
    ...layOut(`${company.name} wants to send you reports`, [
      {
        is: 'text',
        text: `Somebody at ${company.name} chose this address for reports that Frostline makes by itself. None is sent before you say that you want them.`,
      },
      { is: 'link', label: 'Say whether you want them', href },
      { is: 'text', text: 'You do not want them? Then do nothing.' },
    ]),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn:
      schedule?.emails.includes(to) !== true ||
      company.suspended ||
      mailStateOf(directory, companyId, to) !== 'confirm',
  }
}
