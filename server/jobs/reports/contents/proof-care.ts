import type { Fact, FactOf, FactType } from '#machines/contracts/facts.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { whyAcknowledged } from '#machines/rules/case-words.ts'
import type { ReportSource } from '../order.ts'

/** What somebody did about a violation of a device: `since` it was out, `why` in their words. */
export type Care = {
  at: number
  type: ViolationType
  since: number
  what: 'Acknowledged' | 'Taken' | 'Commented'
  who: string
  why: string
}

const OPENINGS = ['violation.opened', 'violation.found', 'violation.found-late'] as const
const DONE = ['violation.acknowledged', 'violation.taken', 'notification.commented'] as const
type Opening = FactOf<(typeof OPENINGS)[number]>
type Done = FactOf<(typeof DONE)[number]>
const isOneOf = <T extends FactType>(fact: Fact, types: readonly T[]): fact is FactOf<T> =>
  (types as readonly string[]).includes(fact.type)

/** What people did about the violations of a device that were told in a span, oldest first. */
export async function careOf(
  source: Pick<ReportSource, 'facts' | 'deviceOf'>,
  no: number,
  from: number,
  to: number,
): Promise<Care[]> {
  const openings = new Map<string, Opening>()
  const care: Care[] = []
  for await (const facts of source.facts([...OPENINGS, ...DONE], from))
    for (const fact of facts) {
      if (isOneOf(fact, OPENINGS)) {
        const isMeant = source.deviceOf(fact)?.no === no && fact.at >= from && fact.data.since < to
        if (isMeant) openings.set(fact.id, fact)
      } else if (isOneOf(fact, DONE)) {
        // what people do names the notification, which is the fact that told of it
        const opening = openings.get(fact.data.notificationId)
        if (opening) care.push(careBy(fact, opening))
      }
    }
  return care.sort((a, b) => a.at - b.at)
}

function careBy(fact: Done, { data: { type, since } }: Opening): Care {
  const about = { at: fact.at, type, since, who: fact.data.userName }
  if (fact.type === 'violation.taken') return { ...about, what: 'Taken', why: '' }
  if (fact.type === 'notification.commented') return { ...about, what: 'Commented', why: fact.data.comment }
  return { ...about, what: 'Acknowledged', why: whyAcknowledged(fact.data) }
}
