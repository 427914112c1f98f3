import type { FactOf } from '#machines/contracts/facts.ts'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { headAddress } from '#machines/projections/settings.ts'
import { layOut } from './layout.ts'
import { type Letter, letterId, type Source } from './letter.ts'

/** After this it would come as a surprise. */
const GOOD_FOR = 7 * 24 * 3_600_000

/**
 * To an address outside a company that somebody put into a schedule, or chose for the daily heads: whether it wants the mails. Asked
 * once a day at most.
 */
export function askLetter(fact: FactOf<'schedule-mail.asked'>, source: Source): Letter | undefined {
  const { directory, mailLinks, publicUrl } = source
  const { to, scheduleId } = fact.data
  const companyId = fact.companyId ?? ''
  const company = directory.companies.get(companyId)
  if (company === undefined) return undefined
  const href = `${publicUrl}${mailLinks.to(companyId, to)}`
  const isChosen =
    scheduleId === undefined
      ? headAddress(directory.settings, companyId).address === to
      : directory.schedules.get(scheduleId)?.emails.includes(to) === true
  return {
    id: letterId(scheduleId ?? `head-${companyId}`, fact.seq),
    kind: 'ask',
    to: { name: '', address: to },
    unsubscribe: href,
    ...layOut(
      scheduleId === undefined
        ? `${company.name} asks you to keep its proof`
        : `${company.name} wants to send you reports`,
      [
        {
          is: 'text',
          text:
            scheduleId === undefined
              ? `Somebody at ${company.name} chose this address for a mail a day: the signed head of what Frostline has recorded. Who keeps it can show later that nothing was changed. None is sent before you say that you want them.`
              : `Somebody at ${company.name} chose this address for reports that Frostline makes by itself. None is sent before you say that you want them.`,
        },
        { is: 'link', label: 'Say whether you want them', href },
        { is: 'text', text: 'You do not want them? Then do nothing.' },
      ],
    ),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn: !isChosen || company.suspended || mailStateOf(directory, companyId, to) !== 'confirm',
  }
}
