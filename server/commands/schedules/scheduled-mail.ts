import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { lettersLeft, mailStateOf, mayAsk } from '#machines/projections/scheduled-mail.ts'
import type { ScheduleRecord } from '#machines/projections/schedules.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'

type Origin = Pick<NewFact, 'at' | 'companyId' | 'by'>

/** Asks those of a schedule, or without one of the daily heads, who have to say first that they want its mails; who was asked today is not asked again. */
export function asksFor(
  directory: Directory,
  scheduleId: string | undefined,
  emails: readonly string[],
  origin: Origin,
): (NewFact & { type: 'schedule-mail.asked' })[] {
  const { at } = origin
  const companyId = origin.companyId ?? ''
  return emails
    .filter((to) => mailStateOf(directory, companyId, to) === 'confirm')
    .filter((to) => mayAsk(directory.scheduledMail, companyId, to, at))
    .map((to) => ({
      ...origin,
      type: 'schedule-mail.asked',
      data: { ...(scheduleId !== undefined && { scheduleId }), to },
    }))
}

/** A report of a schedule is there: it is to be mailed to each who gets it, and of the others it is published why they do not. */
export function addressed(
  directory: Directory,
  { scheduleId, emails, companyId }: ScheduleRecord,
  reportId: string,
  at: number,
): NewFact[] {
  const origin = { at, companyId }
  let taken = 0
  const facts = emails.map((to): NewFact => {
    const state = mailStateOf(directory, companyId, to)
    const isOver = lettersLeft(directory.scheduledMail, companyId, to, at) <= 0
    const isCompanyOver = lettersLeft(directory.scheduledMail, companyId, '', at) - taken <= 0
    const because = state !== 'sent' ? state : isOver || isCompanyOver ? 'budget' : undefined
    if (because !== undefined)
      return { ...origin, type: 'schedule-mail.withheld', data: { reportId, scheduleId, to, because } }
    taken++
    return { ...origin, type: 'report.addressed', data: { reportId, scheduleId, to } }
  })
  return [...facts, ...asksFor(directory, scheduleId, emails, origin)]
}

/** Whoever has the link of a mail says whether they want the mails of a company's schedules. */
export function answerMail(
  directory: Directory,
  { at, data: { companyId, address, wants } }: CommandOf<'schedule-mail.answer'>,
): Decision {
  if (!directory.companies.has(companyId)) return refuse(404, NOT_FOUND)
  const state = directory.scheduledMail.get(companyId)?.addresses.get(mailboxOf(address))?.state
  if (state === (wants ? 'confirmed' : 'unsubscribed')) return decided()
  return decided({
    ...{ at, companyId, data: { address } },
    type: wants ? 'schedule-mail.confirmed' : 'schedule-mail.unsubscribed',
  })
}
