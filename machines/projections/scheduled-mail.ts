import type { FactData } from '../contracts/facts.ts'
import { mailboxOf } from '../rules/mailbox.ts'

/** What an address outside a company said of its scheduled mails; `askedAt`: when it was asked, epoch ms, oldest first. */
export type MailAddress = { state: 'asked' | 'confirmed' | 'unsubscribed'; askedAt: number[] }

/** Scheduled mails of a company. Addresses are mailboxes (`mailboxOf`). */
export type CompanyMail = {
  addresses: Map<string, MailAddress>
  /** days since 1970 (UTC) that is counted: letters to each address, and to all */
  day: number
  letters: Map<string, number>
  total: number
  asked: number
}
export type ScheduledMail = Map<string, CompanyMail>

export const DAY_MS = 86_400_000
/** Letters of schedules an address and a company get a day, and addresses a company may ask a day. */
export const LETTERS_A_DAY = { address: 25, company: 1000 }
export const REQUESTS_A_DAY = 40
/** How often one address is asked at most. */
const REQUESTS_KEPT = 5

/** The mail of a company, begun where it has had none. */
export function mailOf(mails: ScheduledMail, companyId: string): CompanyMail {
  const known = mails.get(companyId)
  if (known) return known
  const fresh: CompanyMail = { addresses: new Map(), day: 0, letters: new Map(), total: 0, asked: 0 }
  mails.set(companyId, fresh)
  return fresh
}

function ofDay(mail: CompanyMail, at: number): CompanyMail {
  const day = Math.floor(at / DAY_MS)
  if (day > mail.day) Object.assign(mail, { day, letters: new Map(), total: 0, asked: 0 })
  return mail
}

type Origin = { at: number; companyId: string | null }

/** Counts a report's mail to an address in the sums of its day, which is one of UTC. */
export function foldAddressed(
  mails: ScheduledMail,
  { to }: Pick<FactData<'report.addressed'>, 'to'>,
  { at, companyId }: Origin,
): void {
  const mail = ofDay(mailOf(mails, companyId ?? ''), at)
  mail.total++
  const mailbox = mailboxOf(to)
  mail.letters.set(mailbox, (mail.letters.get(mailbox) ?? 0) + 1)
}

/** An address is asked whether it wants mails. What it answered before stands until it answers again. */
export function foldMailRequested(
  mails: ScheduledMail,
  { to }: FactData<'schedule-mail.asked'>,
  { at, companyId }: Origin,
): void {
  const mail = ofDay(mailOf(mails, companyId ?? ''), at)
  mail.asked++
  const mailbox = mailboxOf(to)
  const known = mail.addresses.get(mailbox)
  mail.addresses.set(mailbox, {
    state: known?.state ?? 'asked',
    askedAt: [...(known?.askedAt ?? []), at].slice(-REQUESTS_KEPT),
  })
}

/** The answer holds for all schedules of the company; the times at which it was asked stay. */
export function foldAddressAnswered(
  mails: ScheduledMail,
  { address }: FactData<'schedule-mail.confirmed'>,
  { companyId }: Origin,
  state: 'confirmed' | 'unsubscribed',
): void {
  const { addresses } = mailOf(mails, companyId ?? '')
  const mailbox = mailboxOf(address)
  const askedAt = addresses.get(mailbox)?.askedAt ?? []
  addresses.set(mailbox, { state, askedAt })
}

/** Anybody may have a mailbox there: one of them says nothing of the others. */
const OPEN_TO_ALL = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'yahoo.com'],
  ...['ymail.com', 'icloud.com', 'me.com', 'mac.com', 'aol.com', 'gmx.com', 'gmx.net', 'gmx.de', 'web.de'],
  ...['mail.com', 'mail.ru', 'yandex.com', 'yandex.ru', 'proton.me', 'protonmail.com', 'zoho.com', 'qq.com'],
])
const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

type Person = { companyId: string; email: string; passwordHash: string | null }
type People = {
  scheduledMail: ScheduledMail
  users: ReadonlyMap<string, Person>
  logins: ReadonlyMap<string, string>
}

/**
 * Whether an address gets the mails of a company's schedules: `confirm`, it has to say so first. It need not where it is that of
 * somebody of the company who has set a password, by a link sent there, or of a domain they have one of.
 */
export function mailStateOf(
  { scheduledMail, users, logins }: People,
  companyId: string,
  to: string,
): 'sent' | 'confirm' | 'unsubscribed' {
  const address = mailboxOf(to)
  const state = scheduledMail.get(companyId)?.addresses.get(address)?.state
  if (state === 'unsubscribed') return 'unsubscribed'
  if (state === 'confirmed') return 'sent'
  const own = users.get(logins.get(address) ?? '')
  if (own?.companyId === companyId && own.passwordHash !== null) return 'sent'
  const domain = domainOf(address)
  if (OPEN_TO_ALL.has(domain)) return 'confirm'
  for (const user of users.values())
    if (
      user.companyId === companyId &&
      user.passwordHash !== null &&
      domainOf(mailboxOf(user.email)) === domain
    )
      return 'sent'
  return 'confirm'
}

/** Whether an address may be asked: not again within a day, five times in all, and no more of a company a day than some. */
export function mayAsk(mails: ScheduledMail, companyId: string, to: string, at: number): boolean {
  const mail = mails.get(companyId)
  if (mail === undefined) return true
  const known = mail.addresses.get(mailboxOf(to))
  const isToday = Math.floor(at / DAY_MS) === mail.day
  if (isToday && mail.asked >= REQUESTS_A_DAY) return false
  if (known === undefined) return true
  return (
    known.state === 'asked' &&
    known.askedAt.length < REQUESTS_KEPT &&
    at >= (known.askedAt.at(-1) ?? 0) + DAY_MS
  )
}

/** Letters that an address of a company, and the company, may still get on the day of `at`. */
export function lettersLeft(mails: ScheduledMail, companyId: string, to: string, at: number): number {
  const mail = mails.get(companyId)
  if (mail === undefined || Math.floor(at / DAY_MS) !== mail.day) return LETTERS_A_DAY.address
  return Math.min(
    LETTERS_A_DAY.address - (mail.letters.get(mailboxOf(to)) ?? 0),
    LETTERS_A_DAY.company - mail.total,
  )
}
