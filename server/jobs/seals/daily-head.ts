import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { getsHeads } from '#machines/projections/gets-heads.ts'
import { lettersLeft, mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { headAddress } from '#machines/projections/settings.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { asksFor } from '../../commands/schedules/scheduled-mail.ts'
import type { EventLog } from '../../store/store.ts'

const DAY_MS = 86_400_000

type Addressee = Pick<FactData<'seal.head-addressed'>, 'to' | 'because'> & { companyId: string | null }

/**
 * Addresses a head of each day (UTC, by the server's clock) to those who keep it elsewhere; the mailer follows these facts. It is the
 * first of the day, and for who is to get it only later on that day, the first after that. Said twice, or by the next node that
 * leads, it is said once.
 * @param chosen addresses by whoever runs the server
 */
export function createDailyHead(
  log: Pick<EventLog, 'append'>,
  directory: Directory,
  chosen: readonly string[],
): (head: SealHead) => Promise<void> {
  let today = -1
  let addressed = new Set<string>()
  return async (head) => {
    const { at } = head
    const day = Math.floor(at / DAY_MS)
    if (day !== today) addressed = new Set()
    today = day
    const fresh = addresseesOf(directory, chosen, at).filter(({ to }) => !addressed.has(mailboxOf(to)))
    const append = (fact: NewFact, idempotencyKey: string) =>
      log.append('seal-heads', [fact], { idempotencyKey })
    // each by itself: the store commits in groups
    await Promise.all([
      ...fresh.map(async ({ to, because, companyId }) => {
        const data = { to, ...(because && { because }), head }
        await append({ type: 'seal.head-addressed', at, companyId, data }, `seal-head-${day}-${to}`)
        addressed.add(mailboxOf(to))
      }),
      ...asksOf(directory, at).map((fact) =>
        append(fact, `seal-head-ask-${day}-${fact.companyId}-${fact.data.to}`),
      ),
    ])
  }
}

/** Managers of all companies who have not turned it off, whom companies chose and who want it, and whom the operator chose; each once. */
function addresseesOf(directory: Directory, chosen: readonly string[], at: number): Addressee[] {
  const found = new Map<string, Addressee>()
  const add = (one: Addressee): void => {
    const key = mailboxOf(one.to)
    if (!found.has(key)) found.set(key, one)
  }
  for (const { _id, email, companyId } of directory.users.values())
    if (getsHeads(directory, _id)) add({ to: email, because: 'manager', companyId })
  for (const { companyId, address } of chosenBy(directory)) {
    const isWanted = mailStateOf(directory, companyId, address) === 'sent'
    if (isWanted && lettersLeft(directory.scheduledMail, companyId, address, at) > 0)
      add({ to: address, because: 'company', companyId })
  }
  for (const to of chosen) add({ to, companyId: null })
  return [...found.values()]
}

/** Who has not said yet whether they want them is asked again, as often as anybody may be. */
const asksOf = (directory: Directory, at: number) =>
  chosenBy(directory).flatMap(({ companyId, address }) =>
    asksFor(directory, undefined, [address], { at, companyId }),
  )

/** Addresses that companies chose, but for those that are suspended. */
const chosenBy = (directory: Directory): { companyId: string; address: string }[] =>
  [...directory.companies.values()].flatMap(({ companyId, suspended }) => {
    const { address } = headAddress(directory.settings, companyId)
    return address === null || suspended ? [] : [{ companyId, address }]
  })
