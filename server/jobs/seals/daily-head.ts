import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { EventLog } from '../../store/store.ts'

const DAY_MS = 86_400_000

/**
 * Addresses the first head of each day (UTC, by the server's clock) to those who keep it elsewhere; the mailer follows these facts.
 * Said twice, or by the next node that leads, it is said once.
 */
export function createDailyHead(
  log: Pick<EventLog, 'append'>,
  addresses: readonly string[],
): (head: SealHead) => Promise<void> {
  let addressed = -1
  return async (head) => {
    const day = Math.floor(head.at / DAY_MS)
    if (day === addressed) return
    for (const to of addresses) {
      const fact: NewFact = { type: 'seal.head-addressed', at: head.at, companyId: null, data: { to, head } }
      await log.append('seal-heads', [fact], { idempotencyKey: `seal-head-${day}-${to}` })
    }
    addressed = day
  }
}
